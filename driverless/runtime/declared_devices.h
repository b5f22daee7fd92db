// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/arch/declared_devices.h"
#include "ir/hip/abi.h"

namespace compass {

/// The devices that the environment declares, read once. Null where the process can have no device,
/// which is said once; `error` is then what HIP's calls answer. Threads: one at a time.
const arch::DeclaredDevices* declared_devices(hip::Error& error);

}  // namespace compass
