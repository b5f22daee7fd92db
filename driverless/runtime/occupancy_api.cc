// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/kernel_operation.h"
#include "driverless/runtime/occupancy.h"

namespace compass::hip {
namespace {

// Default, or without the override that lets caches be off.
constexpr unsigned kMostFlags = 1;

/// Runs `body` with the occupancy of the kernel that the program names by `function`.
template <class Body>
Error with_occupancy(const void* function, std::size_t dynamic_lds_bytes, Body body) {
  return with_device([&](Device& device) {
    const FoundKernel found = find_kernel(device, function, device.ordinal);
    if (found.error != kSuccess) return found.error;
    const arch::Architecture& architecture = device.platform.agent.architecture();
    return body(Occupancy(architecture, Agent::metadata(*found.kernel), dynamic_lds_bytes));
  });
}

Error count_workgroups(int* workgroups, const void* function, int workitems,
                       std::size_t dynamic_lds_bytes, unsigned flags) {
  if (workgroups == nullptr || workitems <= 0 || flags > kMostFlags) {
    return note_error(kErrorInvalidValue);
  }
  return with_occupancy(function, dynamic_lds_bytes, [&](const Occupancy& occupancy) {
    const auto size = static_cast<std::uint32_t>(workitems);
    *workgroups = static_cast<int>(occupancy.workgroups_per_compute_unit(size));
    return kSuccess;
  });
}

Error find_best(int* grid_workgroups, int* workitems, const void* function,
                std::size_t dynamic_lds_bytes, int most_workitems, unsigned flags) {
  if (grid_workgroups == nullptr || workitems == nullptr || most_workitems < 0 ||
      flags > kMostFlags) {
    return note_error(kErrorInvalidValue);
  }
  return with_occupancy(function, dynamic_lds_bytes, [&](const Occupancy& occupancy) {
    const Occupancy::Best best = occupancy.best(static_cast<std::uint32_t>(most_workitems));
    *grid_workgroups = static_cast<int>(best.grid_workgroups);
    *workitems = static_cast<int>(best.workgroup_workitems);
    return kSuccess;
  });
}

}  // namespace

Error hipOccupancyMaxActiveBlocksPerMultiprocessor(int* workgroups, const void* function,
                                                   int workitems, std::size_t dynamic_lds_bytes) {
  return count_workgroups(workgroups, function, workitems, dynamic_lds_bytes, 0);
}

Error hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* workgroups, const void* function,
                                                            int workitems,
                                                            std::size_t dynamic_lds_bytes,
                                                            unsigned flags) {
  return count_workgroups(workgroups, function, workitems, dynamic_lds_bytes, flags);
}

Error hipOccupancyMaxPotentialBlockSize(int* grid_workgroups, int* workitems, const void* function,
                                        std::size_t dynamic_lds_bytes, int most_workitems) {
  return find_best(grid_workgroups, workitems, function, dynamic_lds_bytes, most_workitems, 0);
}

Error hipOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic_lds_bytes, const void* function,
                                               int workgroups, int workitems) {
  if (dynamic_lds_bytes == nullptr || workgroups <= 0 || workitems <= 0) {
    return note_error(kErrorInvalidValue);
  }
  return with_device([&](Device& device) {
    const FoundKernel found = find_kernel(device, function, device.ordinal);
    if (found.error != kSuccess) return found.error;
    *dynamic_lds_bytes = available_dynamic_lds_bytes(device.platform.agent.architecture(),
                                                     Agent::metadata(*found.kernel),
                                                     static_cast<std::uint32_t>(workgroups));
    return kSuccess;
  });
}

Error hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* workgroups, Function function,
                                                         int workitems,
                                                         std::size_t dynamic_lds_bytes) {
  return count_workgroups(workgroups, function, workitems, dynamic_lds_bytes, 0);
}

Error hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* workgroups,
                                                                  Function function, int workitems,
                                                                  std::size_t dynamic_lds_bytes,
                                                                  unsigned flags) {
  return count_workgroups(workgroups, function, workitems, dynamic_lds_bytes, flags);
}

Error hipModuleOccupancyMaxPotentialBlockSize(int* grid_workgroups, int* workitems,
                                              Function function, std::size_t dynamic_lds_bytes,
                                              int most_workitems) {
  return find_best(grid_workgroups, workitems, function, dynamic_lds_bytes, most_workitems, 0);
}

Error hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid_workgroups, int* workitems,
                                                       Function function,
                                                       std::size_t dynamic_lds_bytes,
                                                       int most_workitems, unsigned flags) {
  return find_best(grid_workgroups, workitems, function, dynamic_lds_bytes, most_workitems, flags);
}

}  // namespace compass::hip
