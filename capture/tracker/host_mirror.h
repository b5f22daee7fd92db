// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ir/base/bytes.h"

namespace compass::capture {

/// The host's memory that the device sees, as whoever plays the recording has it: the bytes that
/// were kept of it last. Threads: callers take a lock.
class HostMirror {
 public:
  /// Bytes that are others than before.
  struct Change {
    std::uint64_t address = 0;
    ByteView bytes;  ///< part of what was looked at
  };

  /// No more is mirrored, of all memory together.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
  /// Whether there is room for memory of this size, or it is mirrored already.
  bool has_room(std::uint64_t address, std::uint64_t size_bytes) const;

  /// What changed in the memory at `address`, all of which holds `now`, since it was looked at
  /// last; everything the first time. Of four bytes at a multiple of four, all change or none:
  /// what lies beside them may be the device's, which may be about to write there.
  std::vector<Change> look(std::uint64_t address, ByteView now);

  /// The memory is gone.
  void forget(std::uint64_t address);
  void clear();

 private:
  std::map<std::uint64_t, Bytes> kept_;  ///< by address
  std::uint64_t size_bytes_ = 0;
};

}  // namespace compass::capture
