// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/contents/host_memory.h"
#include "ir/journal/entry.h"

namespace compass::capture {

/// What the launches of executable graphs copy between the host and a device.
/// Threads: callers take a lock.
class Executables {
 public:
  /// A node that copies; its sides that are the host's.
  struct Copy {
    std::uint64_t entry = 0;  ///< says what it does
    std::optional<HostRows> source;
    std::optional<HostRows> destination;
  };

  /// What that entry says of graphs, if anything.
  void take(std::uint64_t entry, const journal::Body& body);
  void add_copy(const Copy& copy) { copies_[copy.entry] = copy; }
  /// The entry is of a launch whose arguments point into host memory that starts there.
  void add_reads(std::uint64_t entry, std::vector<std::uint64_t> addresses) {
    reads_[entry] = std::move(addresses);
  }

  /// The copies of all nodes that a launch runs, of children too. Valid until the next call.
  const std::vector<Copy>& copies_of(std::uint64_t executable) { return flat(executable).copies; }
  /// The same of the host memory that it reads, each once.
  const std::vector<std::uint64_t>& reads_of(std::uint64_t executable) {
    return flat(executable).reads;
  }
  void clear();

 private:
  struct Node {
    std::uint64_t handle = 0;
    std::uint64_t entry = 0;
    bool enabled = true;
  };
  struct Executable {
    std::vector<Node> nodes;
    bool is_flat = false;  ///< what follows is of `nodes`
    std::vector<Copy> copies;
    std::vector<std::uint64_t> reads;
  };

  void on(const journal::InstantiateGraph& instantiate);
  void on(const journal::UpdateExecutable& update);
  void on(const journal::SetNode& set);
  void on(const journal::EnableNode& enable);
  void on(const journal::DestroyExecutable& destroy) { executables_.erase(destroy.executable); }
  template <class Other>
  void on(const Other&) {}
  const Executable& flat(std::uint64_t executable);
  void append(std::uint64_t entry, Executable& executable) const;
  /// Null where there is none.
  Node* node(std::uint64_t executable, std::uint64_t handle);

  std::unordered_map<std::uint64_t, Copy> copies_;                               ///< by entry
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> reads_;          ///< by entry
  std::unordered_map<std::uint64_t, std::vector<journal::GraphNode>> children_;  ///< by entry
  std::unordered_map<std::uint64_t, Executable> executables_;                    ///< by handle
};

}  // namespace compass::capture
