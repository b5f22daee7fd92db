// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <cstring>

#include "capture/hooks/observe.h"

namespace compass::capture {
namespace {

// hipDeviceProp_tR0600, the device properties since HIP 6: name first, 1472 bytes in all. A later
// runtime may know more fields; the rest is room for them.
constexpr std::size_t kNameBytes = 256;
constexpr std::size_t kArchitectureOffset = 1160;
constexpr std::size_t kArchitectureBytes = 256;
struct alignas(16) DeviceProperties {
  char bytes[8192];
};

std::string text_at(const char* start, std::size_t most) { return {start, ::strnlen(start, most)}; }

}  // namespace

void describe_device(Recorder& recorder, void* real) {
  if (!recorder.take_device_question()) return;
  const auto get_device = reinterpret_cast<int (*)(int*)>(find_beside(real, "hipGetDevice"));
  const auto get_properties = reinterpret_cast<int (*)(DeviceProperties*, int)>(
      find_beside(real, "hipGetDevicePropertiesR0600"));
  if (get_properties == nullptr) {
    return recorder.lose("the runtime is older than HIP 6 and does not describe its device");
  }
  int ordinal = 0;
  if (get_device != nullptr && get_device(&ordinal) != hip::kSuccess) ordinal = 0;
  DeviceProperties properties{};
  if (get_properties(&properties, ordinal) != hip::kSuccess) {
    return recorder.lose("the runtime does not describe its device");
  }
  const auto get_version =
      reinterpret_cast<int (*)(int*)>(find_beside(real, "hipRuntimeGetVersion"));
  int version = 0;
  if (get_version == nullptr || get_version(&version) != hip::kSuccess) version = 0;
  recorder.append(journal::DeviceSeen{
      ordinal, text_at(properties.bytes + kArchitectureOffset, kArchitectureBytes),
      text_at(properties.bytes, kNameBytes), ::getenv("COMPASS_ARCH") != nullptr,
      static_cast<std::uint32_t>(version)});
}

int without_runtime(const char* name) {
  Recorder::of_process().lose(concat(name, " was called, and no HIP runtime is loaded"));
  return hip::kErrorNotInitialized;
}

}  // namespace compass::capture
