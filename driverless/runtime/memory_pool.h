// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>

#include "ir/hip/memory_abi.h"

namespace compass {

/// What a memory pool has taken of its device and how much of that is in use: the accounts alone.
///
/// A pool keeps what is freed until its owner waits for a stream, an event or a device; then it
/// gives back what it holds beyond its release threshold. Addresses are not used again, so that a
/// stale pointer stays stale. Threads: one at a time.
class MemoryPool {
 public:
  /// `most_bytes` 0: as much as the device has.
  explicit MemoryPool(int device_ordinal, std::uint64_t most_bytes = 0)
      : device_ordinal_(device_ordinal), most_bytes_(most_bytes) {}

  int device_ordinal() const { return device_ordinal_; }
  std::uint64_t used_bytes() const { return used_bytes_; }
  /// Whether an allocation of `size_bytes` keeps the pool within its own limit.
  bool has_room_for(std::uint64_t size_bytes) const;
  /// How much more of the device the pool needs for an allocation of `size_bytes`.
  std::uint64_t growth_for(std::uint64_t size_bytes) const;

  void begin_use(std::uint64_t size_bytes);
  void end_use(std::uint64_t size_bytes) { used_bytes_ -= size_bytes; }

  /// Gives back unused memory until the pool holds `least_bytes`; gives how much that was.
  std::uint64_t trim_to(std::uint64_t least_bytes);
  std::uint64_t trim_to_threshold() { return trim_to(release_threshold_bytes_); }
  /// The program has destroyed the pool: it keeps nothing that is unused.
  void retire() { release_threshold_bytes_ = 0, is_retired_ = true; }
  bool is_retired() const { return is_retired_; }

  /// Attributes through their addresses, whose types HIP documents.
  hip::Error set(hip::MemPoolAttribute attribute, const void* value);
  hip::Error get(hip::MemPoolAttribute attribute, void* value) const;

  void set_access(int device_ordinal, hip::MemAccessFlags flags) {
    access_[device_ordinal] = flags;
  }
  hip::MemAccessFlags access_of(int device_ordinal) const;

 private:
  const int* reuse_switch(hip::MemPoolAttribute attribute) const;

  int device_ordinal_;
  std::uint64_t most_bytes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t used_high_bytes_ = 0;
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t reserved_high_bytes_ = 0;
  std::uint64_t release_threshold_bytes_ = 0;
  bool is_retired_ = false;
  // What the program set; no address is used again, whatever they say.
  int follows_event_dependencies_ = 1;
  int allows_opportunistic_ = 1;
  int allows_internal_dependencies_ = 1;
  std::map<int, hip::MemAccessFlags> access_;  // by device ordinal
};

}  // namespace compass
