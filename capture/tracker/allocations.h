// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "ir/journal/entry.h"

namespace compass::capture {

/// The live allocations of the process, by address: what is device memory, what is pinned.
/// Threads: callers take a lock.
class Allocations {
 public:
  struct Live {
    std::uint64_t address = 0;
    std::uint64_t size_bytes = 0;
    journal::MemoryKind kind = journal::MemoryKind::kDevice;
  };

  void add(const Live& allocation);
  /// Forgets the allocation that starts at `address`. False if none does.
  bool remove(std::uint64_t address);
  /// The allocation that holds the byte at `address`.
  std::optional<Live> find(std::uint64_t address) const;
  void clear() { by_address_.clear(); }

 private:
  std::map<std::uint64_t, Live> by_address_;
};

}  // namespace compass::capture
