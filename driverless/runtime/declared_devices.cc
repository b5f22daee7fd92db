// SPDX-License-Identifier: MIT
#include "driverless/runtime/declared_devices.h"

#include <string>

#include "driverless/runtime/error_texts.h"
#include "driverless/runtime/notice.h"
#include "driverless/runtime/other_runtime.h"

namespace compass {
namespace {

Result<arch::DeclaredDevices> read_environment() {
  ASSIGN_OR_RETURN(arch::DeclaredDevices devices, arch::read_declared_devices());
  if (devices.visible.empty()) return Error{ErrorCode::kNotFound, devices.hidden_by};
  return devices;
}

/// What the environment says, read when it is first needed.
const Result<arch::DeclaredDevices>& environment() {
  static const auto* const read = new Result<arch::DeclaredDevices>(read_environment());
  return *read;
}

}  // namespace

const arch::DeclaredDevices* declared_devices(hip::Error& error) {
  const TwoRuntimes runtimes = find_other_runtime();
  if (!runtimes.other.empty()) {
    error = hip::kErrorNotInitialized;
    notice_once(concat("this process has two HIP runtimes, ", runtimes.self, " and ",
                       runtimes.other, "; calls get ", name_of(error)));
    return nullptr;
  }
  if (!environment()) {
    error = hip::kErrorNoDevice;
    notice_once(environment().error().message);
    return nullptr;
  }
  return &*environment();
}

}  // namespace compass
