// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/arch/arch.h"
#include "ir/kernel.h"

namespace compass {

/// What a compute unit of the architecture can hold of a kernel at once, from its registers and its
/// LDS, by the rules that HIP's runtime documents for gfx9.
class Occupancy {
 public:
  Occupancy(const arch::Architecture& architecture, const Kernel& kernel,
            std::uint64_t dynamic_lds_bytes);

  /// Work-items whose registers a compute unit has.
  std::uint32_t workitems_per_compute_unit() const { return workitems_; }
  /// Workgroups of that size, which is not 0, on a compute unit; none where the kernel cannot be
  /// launched with so many.
  std::uint32_t workgroups_per_compute_unit(std::uint32_t workgroup_workitems) const;

  /// The size, at most `most_workitems`, that fills a compute unit best, and the workgroups of that
  /// size which fill the device. `most_workitems` 0: as the kernel allows.
  struct Best {
    std::uint32_t workgroup_workitems = 0;
    std::uint32_t grid_workgroups = 0;
  };
  Best best(std::uint32_t most_workitems) const;

 private:
  std::uint32_t in_whole_waves(std::uint32_t workitems) const;

  std::uint32_t wavefront_size_;
  std::uint32_t compute_units_;
  std::uint32_t most_workitems_;  // of a workgroup
  std::uint32_t workitems_;
  std::uint32_t workgroups_by_lds_;
};

/// LDS that a workgroup may take beyond the kernel's own so that `workgroups` of them fit on a
/// compute unit.
std::uint64_t available_dynamic_lds_bytes(const arch::Architecture& architecture,
                                          const Kernel& kernel, std::uint32_t workgroups);

}  // namespace compass
