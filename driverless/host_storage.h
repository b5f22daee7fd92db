// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace compass {

// The host's memory that stands for allocations: mapped lazily, so that what is large and uniform
// costs little. All of these leave the bytes as the plain loops would.

/// Zeros, page-aligned; null, and errno, where the system refuses. For munmap.
std::byte* reserve_storage(std::uint64_t size_bytes);

/// `bytes` lie in reserved storage, here and below.
void zero_storage(std::span<std::byte> bytes);

/// Repeats the low `value_bytes` (1, 2 or 4) of `value`, lowest first.
void fill_storage(std::span<std::byte> bytes, std::uint32_t value, std::uint32_t value_bytes);

/// `to` and `from` have the same size and may overlap. What is zero costs no memory in `to`.
void copy_storage(std::span<std::byte> to, std::span<const std::byte> from);

}  // namespace compass
