// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "driverless/machine/host_storage.h"
#include "ir/base/result.h"

namespace compass {

/// A large range of host addresses from which a program's device memory is handed out: host address
/// and device address are the same.
///
/// Addresses ascend and are the same in every run of a program whose calls are the same, as far as
/// the kernel gives the range asked for. An address is not used again until the range is used up,
/// so that a stale pointer stays stale. Memory is zero at first and costs nothing until it is
/// touched.
class HostArena {
 public:
  static constexpr std::uint64_t kAlignment = 256;
  static constexpr std::uint64_t kPageBytes = 4096;
  /// At least so many bytes lie behind an allocation, or behind one as large as a page: an index that
  /// leaves it, by a row or a block, is to meet nothing.
  static constexpr std::uint64_t kGapBytes = 256;
  static constexpr std::uint64_t kLargeGapBytes = std::uint64_t{1} << 16;

  /// Reserves `size_bytes` of `storage`, which must outlive this, or the largest power of two of it
  /// that the system gives.
  static Result<HostArena> reserve(HostStorage& storage, std::uint64_t size_bytes = kDefaultBytes);
  HostArena(HostArena&& other) noexcept;
  HostArena& operator=(HostArena&&) = delete;
  ~HostArena();

  /// `size_bytes` > 0 of memory, aligned to kAlignment and to a page where it is as large as one.
  /// Null where the range has no room.
  std::byte* allocate(std::uint64_t size_bytes);

  /// Ends the allocation that starts at `start`; its pages go back to the system.
  void release(std::byte* start);

  /// Whether `address` is in the range, allocated or not.
  bool covers(const void* address) const;

 private:
  static constexpr std::uint64_t kDefaultBytes = std::uint64_t{8} << 40;

  HostArena(HostStorage& storage, std::uint64_t begin, std::uint64_t end)
      : storage_(storage), begin_(begin), end_(end), next_(begin) {}
  std::uint64_t find_gap(std::uint64_t size_bytes, std::uint64_t alignment) const;

  HostStorage& storage_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t next_;                           // where no allocation has been yet
  std::map<std::uint64_t, std::uint64_t> live_;  // begin to end
};

}  // namespace compass
