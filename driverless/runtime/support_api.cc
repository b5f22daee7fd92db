// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "driverless/runtime/api.h"
#include "driverless/runtime/refusals.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {

float __gnu_h2f_ieee(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1F;
  const std::uint32_t fraction = half & 0x3FF;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign == 0 ? magnitude : -magnitude;
  }
  const std::uint32_t wide = exponent == 0x1F ? 0xFF : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

std::uint16_t __gnu_f2h_ieee(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7FFF'FFFF;
  std::uint32_t half = 0;
  if (magnitude > 0x7F80'0000) {
    half = 0x7E00 | (magnitude >> 13 & 0x3FF);  // a quiet NaN
  } else if (magnitude >= 0x4780'0000) {
    half = 0x7C00;  // from 65536 on, infinity
  } else if (magnitude < 0x3880'0000) {
    // Below the smallest normal half: a multiple of 2^-24. Adding and rounding in float does it.
    half = std::bit_cast<std::uint32_t>(std::fabs(value) + 0.5f) - 0x3F00'0000;
  } else {
    const std::uint32_t odd = magnitude >> 13 & 1;
    half = (magnitude - 0x3800'0000 + 0xFFF + odd) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

void __hipGetPCH(const char** bytes, unsigned* size_bytes) {
  static constinit Unimplemented self{"__hipGetPCH"};
  static_cast<void>(refuse(self, __builtin_return_address(0)));
  if (bytes != nullptr) *bytes = nullptr;
  if (size_bytes != nullptr) *size_bytes = 0;
}

const char* amd_dbgapi_get_build_name() { return ""; }
const char* amd_dbgapi_get_git_hash() { return ""; }
std::size_t amd_dbgapi_get_build_id() { return 0; }

const char* hipApiName(std::uint32_t) { return "unknown"; }
const char* hipGetCmdName(unsigned) { return "unknown"; }

/// Negative where it is no stream.
int hipGetStreamDeviceId(Stream stream) {
  int ordinal = -1;
  static_cast<void>(with_device([&](Device& device) {
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (queue == nullptr) return kErrorInvalidHandle;
    ordinal = queue->device_ordinal;
    return kSuccess;
  }));
  return ordinal;
}

ChannelFormat hipCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}

void hipRegisterTracerCallback(void*) {}

}  // namespace compass::hip
