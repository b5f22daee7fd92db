// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ir/recording.h"

namespace compass {

/// What the executable graphs of a recording run when they are launched, record by record.
class Replays {
 public:
  /// The recording must be valid, and outlive this.
  explicit Replays(const Recording& recording) : recording_(recording) {}

  /// The next record has taken effect.
  void take(const Record& record);

  /// The records of all nodes that a launch runs, in order; of children, theirs. Valid until the
  /// next call. Empty where the graph is none.
  const std::vector<std::uint64_t>& nodes_of(ExecutableId executable);
  /// Of these, the launches of kernels.
  const std::vector<std::uint64_t>& launches_of(ExecutableId executable);

 private:
  struct Node {
    std::uint64_t record = 0;
    bool enabled = true;
  };
  struct Executable {
    std::vector<Node> nodes;
    bool is_flat = false;  ///< what follows is of `nodes`
    std::vector<std::uint64_t> flat;
    std::vector<std::uint64_t> launches;
  };

  void set_nodes(ExecutableId executable, const std::vector<GraphNode>& nodes);
  Executable& flat(ExecutableId executable);
  void append(std::uint64_t record, Executable& executable) const;

  const Recording& recording_;
  std::vector<Executable> executables_;  ///< by id, less 1
};

}  // namespace compass
