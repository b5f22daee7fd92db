// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/device_address.h"
#include "ir/kernel.h"

namespace compass {

/// What a kernel can read of its launch as hidden arguments.
struct LaunchSurroundings {
  std::array<std::uint32_t, 3> grid_workgroups;
  std::array<std::uint32_t, 3> workgroup_workitems;
  std::uint32_t dynamic_lds_bytes = 0;
  DeviceAddress grid_sync;  ///< null where the launch is not cooperative
};

/// How the bytes are laid out that a kernel reads its arguments from: the explicit ones, and behind
/// them what the runtime adds (sizes, counts; pointers to services that are not there are null).
class KernargLayout {
 public:
  /// Of a segment.
  static constexpr std::uint32_t kMostBytes = 1 << 20;

  /// Names an argument of a kind that cannot be passed: images, samplers, pipes, queues, and hidden
  /// ones that are not known.
  static Result<KernargLayout> of(const Kernel& kernel);

  /// Makes `segment` that of one launch. Fails if `explicit_kernarg` does not reach the end of the
  /// last explicit argument.
  Result<void> fill(ByteView explicit_kernarg, const LaunchSurroundings& launch,
                    Bytes& segment) const;

 private:
  enum class Source : std::uint8_t { kConstant, kBlockCount, kGroupSize, kDynamicLds, kGridSync };

  struct Hidden {
    Source source = Source::kConstant;
    std::uint8_t axis = 0;
    std::uint32_t offset_bytes = 0, size_bytes = 0;
    std::uint64_t constant = 0;
  };

  static bool find_value(std::string_view value_kind, Hidden& hidden);
  static std::uint64_t value_of(const Hidden& hidden, const LaunchSurroundings& launch);

  std::uint32_t size_bytes_ = 0;
  std::uint64_t explicit_bytes_ = 0;  // where the last explicit argument ends
  std::vector<Hidden> hidden_;
};

}  // namespace compass
