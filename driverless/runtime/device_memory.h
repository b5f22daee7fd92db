// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "driverless/machine/memory.h"
#include "driverless/runtime/host_arena.h"
#include "ir/hip/abi.h"

namespace compass {

/// A value that a fill repeats.
struct Pattern {
  std::uint32_t value = 0;
  std::uint32_t size_bytes = 1;  ///< 1, 2 or 4
};

/// What a program allocates: device memory up to the declared size, and pinned host memory.
///
/// Host address and device address are the same. Every call checks that what it is given lies
/// inside one live allocation, and answers with the error that HIP documents. Threads: one at a
/// time.
class DeviceMemory {
 public:
  /// `memory` is the agent's and must outlive this.
  DeviceMemory(Memory& memory, std::uint64_t declared_bytes)
      : memory_(memory), declared_bytes_(declared_bytes) {}

  /// `kind` is kDevice or kPinnedHost. No bytes: null, and success.
  hip::Error allocate(RegionKind kind, std::uint64_t size_bytes, void** pointer);
  /// Null is fine, as HIP has it.
  hip::Error free(RegionKind kind, void* pointer);

  hip::Error copy(void* to, const void* from, std::uint64_t size_bytes, hip::MemcpyKind kind);
  hip::Error fill(void* to, Pattern pattern, std::uint64_t count);

  std::uint64_t declared_bytes() const { return declared_bytes_; }
  std::uint64_t free_bytes() const { return declared_bytes_ - used_bytes_; }

 private:
  enum class Place : std::uint8_t { kLive, kHost, kInvalid };

  /// Bytes that a program named, and where they are stored.
  struct Located {
    Place place = Place::kInvalid;
    std::byte* host = nullptr;
  };

  Located locate(const void* address, std::uint64_t size_bytes) const;
  HostArena* arena();

  Memory& memory_;
  std::uint64_t declared_bytes_;
  std::uint64_t used_bytes_ = 0;  // of device memory
  std::uint32_t allocations_ = 0;
  std::optional<HostArena> arena_;
  std::unordered_map<std::uint64_t, std::uint32_t> generations_;  // by address
};

}  // namespace compass
