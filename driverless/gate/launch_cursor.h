// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/gate/context.h"

namespace compass::gate {

/// Which launch of a recording a playback is at: of a graph's launch, also which node.
class LaunchCursor {
 public:
  /// `context` must outlive this.
  explicit LaunchCursor(const Context& context) : context_(context) {}

  /// The record launches a graph, and what comes next is what its node does.
  void on_node(const Record& record, const Record& node);

  /// The node that is played for `record`; null where that is a launch itself.
  const Record* node_of(std::uint64_t record) const {
    return graph_ != nullptr && graph_->sequence == record ? node_ : nullptr;
  }

  /// Of the launch that the record makes, or, where it launches a graph, its node at hand.
  std::uint64_t ordinal_of(std::uint64_t record) const;

 private:
  const Context& context_;
  const Record* graph_ = nullptr;
  const Record* node_ = nullptr;
  std::uint64_t next_ordinal_ = 0;  // of its next node that launches
  std::uint64_t node_ordinal_ = 0;  // of node_
};

}  // namespace compass::gate
