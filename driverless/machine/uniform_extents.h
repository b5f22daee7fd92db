// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace compass {

/// Ranges of host addresses whose pages repeat one 32-bit word until something is stored in them.
///
/// The byte at address a is the word's byte a % 4, wherever the range starts. Ranges are disjoint,
/// and neighbours with one word are one. Lookups take a logarithm of their number.
class UniformExtents {
 public:
  struct Extent {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t word = 0;
  };

  void set(const Extent& extent);
  void erase(std::uint64_t begin, std::uint64_t end);

  /// The extent that `address` is in.
  std::optional<Extent> find(std::uint64_t address) const;
  std::size_t size() const { return extents_.size(); }
  /// How many bytes repeat something else than zero.
  std::uint64_t pattern_bytes() const { return pattern_bytes_; }
  /// How many of [begin, end).
  std::uint64_t pattern_bytes_in(std::uint64_t begin, std::uint64_t end) const;

 private:
  struct Rest {
    std::uint64_t end;
    std::uint32_t word;
  };
  using Map = std::map<std::uint64_t, Rest>;  // by begin

  void insert(const Extent& extent);
  Map::iterator remove(Map::iterator at);

  Map extents_;
  std::uint64_t pattern_bytes_ = 0;
};

}  // namespace compass
