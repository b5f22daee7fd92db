// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/allocation.h"

namespace compass {

// Records of what a program says of its own memory and rows: the words of compass/annotate.h. Text
// and numbers are as they were said; empty and 0: nothing was.

/// Rows of a pool, both ends included.
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

/// What a pool of rows is, as one part of the program knows it. A pool may lie in several memories,
/// and be counted in several units: each has a record with the same name. The last that one part
/// says of a name, unit and memory holds.
struct DeclarePool {
  MemoryRef memory;  ///< null: who says it knows only numbers
  std::string name;
  std::string unit;     ///< of a row: "slot", "block" or "state"
  std::string said_by;  ///< "scheduler", "runner"
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;     ///< of one row in this memory
  std::vector<RowRange> reserved;  ///< that no request is ever given
};

/// Which values of an index buffer mean "no row", and where the others point.
struct DeclareSentinel {
  MemoryRef memory;  ///< of the index buffer; null: of every buffer with the role
  std::string role;
  std::string pool;  ///< a DeclarePool's name
  std::string unit;  ///< in which the index counts that pool's rows
  std::vector<std::int64_t> values;
};

/// Memory with the tag is given up from here on, its contents with it, until a Wake.
struct Sleep {
  std::int32_t level = 0;  ///< as the engine counts them
  std::string tag;         ///< empty: of everything
};
/// It is there again.
struct Wake {
  std::string tag;
};

/// The host gives these bytes out as what a forward has computed.
struct ReportOutput {
  MemoryRef memory;
  std::uint64_t size_bytes = 0;
  std::vector<std::uint64_t> request_ids;
  std::vector<std::int64_t> ids;  ///< of tokens
};

/// A part of a larger allocation is handed out, which is an allocation with a parent.
struct AllocateBlock {
  AllocationId allocation;
};
/// It is taken back, or its parent ends. The same bytes may then be another block's.
struct FreeBlock {
  AllocationId allocation;
};

}  // namespace compass
