// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/device_address.h"
#include "ir/kernel.h"

namespace compass {

/// The bytes that a kernel reads its arguments from: `explicit_kernarg`, and behind it what the
/// runtime adds (sizes, counts; `grid_sync`, which is null where the launch is not cooperative;
/// pointers to services that are not there are null). Fails if
/// `explicit_kernarg` does not reach the end of the last explicit argument, and names an argument
/// of a kind that cannot be passed: images, samplers, pipes, queues, and hidden ones that are not
/// known.
Result<Bytes> make_kernarg_segment(const Kernel& kernel, ByteView explicit_kernarg,
                                   const std::array<std::uint32_t, 3>& grid_workgroups,
                                   const std::array<std::uint32_t, 3>& workgroup_workitems,
                                   std::uint32_t dynamic_lds_bytes, DeviceAddress grid_sync = {});

}  // namespace compass
