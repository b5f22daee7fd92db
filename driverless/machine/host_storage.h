// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "driverless/machine/pattern_files.h"
#include "driverless/machine/uniform_extents.h"

namespace compass {

class PageMap;

/// The host's memory that stands for allocations. What is large and uniform costs next to nothing:
/// zeros are pages that nobody has touched, and a pattern is one small file in memory, mapped again
/// and again; a page is copied when something is stored in it.
///
/// Whoever reads the bytes, through this or not, finds what plain loops would have left there.
/// Threads: one at a time.
class HostStorage {
 public:
  /// Zeros, page-aligned, near `hint` if the system likes; null, and errno, where it refuses.
  std::byte* reserve(std::uint64_t size_bytes, std::byte* hint = nullptr);
  /// `bytes` are what one reserve gave.
  void release(std::span<std::byte> bytes);

  // Any memory may be given, also what was not reserved; that is stored to, byte by byte.

  void zero(std::span<std::byte> bytes);
  /// Zeros that cost no memory: their whole pages go back to the system.
  void discard(std::span<std::byte> bytes);
  /// Repeats the low `value_bytes` (1, 2 or 4) of `value`, lowest first.
  void fill(std::span<std::byte> bytes, std::uint32_t value, std::uint32_t value_bytes);
  /// `to` and `from` have the same size and may overlap. What is uniform stays so.
  void copy(std::span<std::byte> to, std::span<const std::byte> from);

 private:
  bool is_reserved(std::span<const std::byte> bytes) const;
  void set_word(std::span<std::byte> bytes, std::uint32_t word);
  std::span<std::byte> share_pattern(std::span<std::byte> pages, std::uint32_t word);
  void zero_pages(std::span<std::byte> pages);
  void copy_pieces(std::span<std::byte> to, std::span<const std::byte> from);
  std::optional<std::uint32_t> uniform_word(std::span<const std::byte> bytes,
                                            PageMap& page_map) const;

  UniformExtents untouched_;  // what was reserved
  PatternFiles files_;
};

}  // namespace compass
