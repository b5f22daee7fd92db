// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "driverless/arch/arch.h"
#include "driverless/runtime/device_properties.h"

namespace compass {

/// The value of a hipDeviceAttribute_t; its numbers are the same in HIP 5, 6 and 7. Absent where
/// AMD's runtime has no value either: numbers of no attribute, and attributes of other vendors'
/// devices.
std::optional<int> attribute_of(const DeviceProperties& properties,
                                const arch::Architecture& architecture, int attribute);

}  // namespace compass
