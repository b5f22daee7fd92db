// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driverless/arch/arch.h"
#include "ir/base/result.h"

namespace compass::arch {

/// The devices that this process's environment declares: COMPASS_DEVICES of them, one where that is
/// not set, each of the architecture COMPASS_ARCH with the numbers that COMPASS_SET changes. The
/// runtime and the probe programs answer with nothing else. Devices are named by their number in
/// the declaration, from 0.
struct DeclaredDevices {
  Architecture architecture;
  std::vector<int> all;      ///< what a driver would list
  std::vector<int> agents;   ///< of all, what ROCR_VISIBLE_DEVICES leaves: HSA's agents
  std::vector<int> visible;  ///< of the agents, what HIP_VISIBLE_DEVICES leaves: HIP's ordinals
  std::string hidden_by;     ///< which variable left none, as a message says it; else empty
};

Result<DeclaredDevices> read_declared_devices();

/// What ROCR_VISIBLE_DEVICES leaves of `devices`, as AMD's runtime reads it: numbers, or beginnings
/// of UUIDs ("GPU-" and 16 digits). The list ends at its first entry that is no device or was
/// there before; an empty one leaves none.
std::vector<int> rocr_visible(const std::vector<int>& devices, std::string_view list);

/// What HIP_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES leaves of `devices`, as AMD's runtime reads it.
/// The list ends at its first entry that is no device; one that was there before counts once.
std::vector<int> hip_visible(const std::vector<int>& devices, std::string_view list);

/// The list that HIP goes by: CUDA's variable counts where HIP's is unset or empty. Null or empty:
/// it hides nothing.
const char* hip_visible_list(const char* hip_variable, const char* cuda_variable);

/// What tells a device from the others: 16 hexadecimal digits, as AMD's devices have.
std::string uuid_of(int device);

}  // namespace compass::arch
