// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/bytes.h"
#include "ir/completed_copy.h"
#include "ir/journal/evidence.h"

namespace compass::journal {

/// What the host's memory held, besides what a Copy says of its source. Whose that is, is said as
/// in evidence.h: a copy, or a node of a graph's launch that is one.

struct Completed {  ///< the host has waited for the copy
  Doer doer;
  CopiedBytes copied = CopiedBytes::kUnknown;  ///< of a source
  /// Whether `content` holds what the copy brought to the host, or what its source holds now; of a
  /// source without it, that is what it held at enqueue.
  bool has_content = false;
  Bytes content;  ///< row by row
};
struct NodeSource {  ///< what the source of a copying node held when its graph was launched
  Doer doer;
  Bytes content;  ///< row by row
};
struct HostWrite {  ///< the host has written there without a call
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  Bytes content;  ///< empty: not kept
};

}  // namespace compass::journal
