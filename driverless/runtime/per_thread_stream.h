// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/hip/abi.h"

namespace compass::hip {

/// The stream that a caller means who was compiled for default streams of each thread: the legacy
/// stream is its thread's own.
inline Stream per_thread_stream(Stream stream) {
  constexpr std::uintptr_t kLegacy = 1;
  constexpr std::uintptr_t kPerThread = 2;
  const auto number = reinterpret_cast<std::uintptr_t>(stream);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): HIP's own constant
  return stream == nullptr || number == kLegacy ? reinterpret_cast<Stream>(kPerThread) : stream;
}

}  // namespace compass::hip
