// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "ir/hip/abi.h"

namespace compass {

/// A function of HIP that is not implemented.
struct Unimplemented {
  const char* name;
  std::atomic<bool> was_called = false;
};

/// What such a function does: fails, and at its first call says so with the library that `caller`,
/// the address it returns to, is in.
///
/// Takes no lock and no memory: programs call HIP from signal handlers, from constructors that hold
/// the dynamic linker's lock, and after a fork. Threads: any.
hip::Error refuse(Unimplemented& function, const void* caller);
/// The same for hiprtc, which has its own error codes.
int refuse_hiprtc(Unimplemented& function, const void* caller);

}  // namespace compass
