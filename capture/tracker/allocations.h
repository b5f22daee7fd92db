// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/journal/entry.h"

namespace compass::capture {

/// The live allocations of the process, by address: what is device memory, what is pinned; and
/// where those that ended last had started.
/// Threads: callers take a lock.
class Allocations {
 public:
  struct Live {
    std::uint64_t address = 0;
    std::uint64_t size_bytes = 0;
    journal::MemoryKind kind = journal::MemoryKind::kDevice;
  };

  void add(const Live& allocation);
  /// Ends the allocation that starts at `address`; absent if none does.
  std::optional<Live> remove(std::uint64_t address);
  /// Whether one of the kRemembered allocations that ended last started at `address`.
  bool has_ended(std::uint64_t address) const;
  static constexpr std::size_t kRemembered = 1 << 16;
  /// The allocation that holds the byte at `address`.
  std::optional<Live> find(std::uint64_t address) const;
  /// All but what is the host's.
  std::vector<Live> of_device() const;
  void clear();

 private:
  std::map<std::uint64_t, Live> by_address_;
  std::vector<std::uint64_t> ended_;  ///< their addresses; a ring once it is full
  std::size_t next_ended_ = 0;
};

}  // namespace compass::capture
