// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/bytes.h"

namespace compass::capture {

/// Copies the bytes at `address` of this process to `out`. False, and `out` empty, where any of
/// them cannot be read: an address that the program passed is not trusted, and reading it must not
/// crash where the runtime did not.
bool read_host_memory(const void* address, std::uint64_t size_bytes, Bytes& out);

}  // namespace compass::capture
