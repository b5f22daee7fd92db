// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace compass::journal {

// What the program says by compass/annotate.h of pools, sleep, output and blocks.

struct DeclarePool {
  std::uint64_t address = 0;
  std::string name, unit, said_by;
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;
  std::vector<std::uint64_t> reserved;  ///< the first and the last row of each range
};
struct DeclareSentinel {
  std::uint64_t address = 0;
  std::string role, pool, unit;
  std::vector<std::int64_t> values;
};
struct Sleep {
  std::int32_t level = 0;
  std::string tag;
};
struct Wake {
  std::string tag;
};
struct ReportOutput {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  std::vector<std::uint64_t> request_ids;
  std::vector<std::int64_t> ids;
};
struct AllocateBlock {
  std::uint64_t segment = 0;  ///< any address of the allocation that it is a part of; 0: not said
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  std::string name;
};
struct FreeBlock {
  std::uint64_t address = 0;
};
struct Rank {  ///< of the process among those of its job
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;  ///< 0: not said
};
/// The first HIP call, where a mark had made the journal before it.
struct CalledHip {};

}  // namespace compass::journal
