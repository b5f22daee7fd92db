// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace compass {

/// How many rows a copy or fill has, all of the same size: by default one, whose bytes lie side by
/// side.
struct RowCounts {
  std::uint64_t rows = 1;  ///< in each slice
  std::uint64_t slices = 1;

  /// No recording has more.
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 24;
  /// Whether these are counts of rows of at least one byte that have `size_bytes` together.
  bool fits(std::uint64_t size_bytes) const {
    const bool is_small = rows != 0 && slices != 0 && rows <= kMost && slices <= kMost / rows;
    return is_small && size_bytes % (rows * slices) == 0 && (size_bytes != 0 || rows * slices == 1);
  }
  std::uint64_t total() const { return rows * slices; }
  friend bool operator==(const RowCounts&, const RowCounts&) = default;
};

/// How far apart rows start on one side of a copy or fill, and slices.
struct Pitches {
  std::uint64_t row_bytes = 0;
  std::uint64_t slice_bytes = 0;

  std::uint64_t offset_of(std::uint64_t slice, std::uint64_t row) const {
    return slice * slice_bytes + row * row_bytes;
  }
  friend bool operator==(const Pitches&, const Pitches&) = default;
};

/// Calls `visit(slice, row)` for each row, in the order of their addresses.
template <class Visit>
void for_each_row(const RowCounts& counts, Visit visit) {
  for (std::uint64_t slice = 0; slice < counts.slices; ++slice) {
    for (std::uint64_t row = 0; row < counts.rows; ++row) visit(slice, row);
  }
}

}  // namespace compass
