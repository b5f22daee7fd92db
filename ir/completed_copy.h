// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace compass {

/// What a copy from the host carried, where its source changed before the host had waited for it.
enum class CopiedBytes : std::uint8_t {
  kUnknown,    ///< either, byte by byte
  kEnqueued,   ///< what was there when it was asked for
  kCompleted,  ///< what was there when the host had waited
};

/// What the host's side of a copy held once the host had waited for it: the SHA-256 of bytes that
/// the archive holds, row by row, or empty where they were not kept.
struct CompletedCopy {
  std::string source;
  CopiedBytes copied = CopiedBytes::kUnknown;
  std::string result;  ///< of what was copied to the host
};

/// The same of a node that copies, in one launch of its graph.
struct NodeCopy {
  std::uint64_t record = 0;  ///< what the node does
  std::string content;       ///< what its source held when the graph was launched
  CompletedCopy completed;
};

}  // namespace compass
