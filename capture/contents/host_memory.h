// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/bytes.h"
#include "ir/row_counts.h"

namespace compass::capture {

/// Copies the bytes at `address` of this process to `out`. False, and `out` empty, where any of
/// them cannot be read: an address that the program passed is not trusted, and reading it must not
/// crash where the runtime did not.
bool read_host_memory(const void* address, std::uint64_t size_bytes, Bytes& out);

/// The host's side of a copy.
struct HostRows {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;  ///< of all rows
  RowCounts counts;              ///< which fit the size
  Pitches pitches;

  std::uint64_t row_bytes() const { return size_bytes / counts.total(); }
  /// Where the last row ends.
  std::uint64_t end() const {
    return address + pitches.offset_of(counts.slices - 1, counts.rows - 1) + row_bytes();
  }
};

/// The same of rows, one after the other.
bool read_host_rows(const HostRows& rows, Bytes& out);

}  // namespace compass::capture
