// SPDX-License-Identifier: MIT
#include "driverless/runtime/occupancy.h"

#include <algorithm>
#include <limits>

namespace compass {
namespace {

// gfx90a, gfx942 and gfx950.
constexpr std::uint32_t kSimdsPerComputeUnit = 4;
constexpr std::uint32_t kMostWavesPerSimd = 8;
constexpr std::uint32_t kVgprsPerSimd = 512;  // of a lane, ArchVGPRs and AccVGPRs together
constexpr std::uint32_t kVgprGranule = 8;
constexpr std::uint32_t kSgprsPerSimd = 800;
constexpr std::uint32_t kSgprGranule = 16;

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint32_t waves_per_simd(const Kernel& kernel) {
  std::uint32_t waves = kMostWavesPerSimd;
  if (kernel.vgpr_count > 0) {
    waves = std::min(waves, kVgprsPerSimd / round_up(kernel.vgpr_count, kVgprGranule));
  }
  if (kernel.sgpr_count > 0) {
    waves = std::min(waves, kSgprsPerSimd / round_up(kernel.sgpr_count, kSgprGranule));
  }
  return waves;
}

}  // namespace

Occupancy::Occupancy(const arch::Architecture& architecture, const Kernel& kernel,
                     std::uint64_t dynamic_lds_bytes)
    : wavefront_size_(architecture.wavefront_size),
      compute_units_(architecture.compute_units),
      most_workitems_(
          std::min(architecture.max_workgroup_workitems, kernel.max_workgroup_workitems)),
      workitems_(kSimdsPerComputeUnit * waves_per_simd(kernel) * architecture.wavefront_size),
      workgroups_by_lds_(std::numeric_limits<std::uint32_t>::max()) {
  std::uint64_t lds_bytes = 0;
  if (__builtin_add_overflow(kernel.lds_size_bytes, dynamic_lds_bytes, &lds_bytes)) {
    workgroups_by_lds_ = 0;
  } else if (lds_bytes > 0) {
    workgroups_by_lds_ = static_cast<std::uint32_t>(architecture.lds_bytes / lds_bytes);
  }
}

std::uint32_t Occupancy::in_whole_waves(std::uint32_t workitems) const {
  return round_up(workitems, wavefront_size_);
}

std::uint32_t Occupancy::workgroups_per_compute_unit(std::uint32_t workgroup_workitems) const {
  if (workgroup_workitems > most_workitems_) return 0;
  return std::min(workitems_ / in_whole_waves(workgroup_workitems), workgroups_by_lds_);
}

Occupancy::Best Occupancy::best(std::uint32_t most_workitems) const {
  const std::uint32_t most =
      most_workitems == 0 ? most_workitems_ : std::min(most_workitems, most_workitems_);
  const std::uint32_t size = std::min(workitems_, in_whole_waves(most));
  if (size == 0) return {};
  return {size, compute_units_ * std::min(workitems_ / size, workgroups_by_lds_)};
}

std::uint64_t available_dynamic_lds_bytes(const arch::Architecture& architecture,
                                          const Kernel& kernel, std::uint32_t workgroups) {
  const std::uint64_t each_bytes = architecture.lds_bytes / workgroups;
  return each_bytes > kernel.lds_size_bytes ? each_bytes - kernel.lds_size_bytes : 0;
}

}  // namespace compass
