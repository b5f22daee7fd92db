// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/backend.h"
#include "ir/base/bytes.h"
#include "ir/record.h"

namespace compass {

/// What a copy brought to the host: when it was recorded, and in this playback.
struct PlayedResult {
  ByteView recorded, played;  ///< of the same size, unless a fault cut the copy short
  ByteView
      unknown;  ///< not 0 where the byte of `played` rests on what was not recorded; empty: none
};

/// Follows whoever plays a recording onto a backend. Calls come on the thread that plays.
class PlayObserver {
 public:
  virtual ~PlayObserver() = default;

  /// The next record is about to be played, or to be passed over because it failed.
  virtual void on_record(const Record& record) { static_cast<void>(record); }

  /// The record launches a graph, and what comes next is what its node `node` does: a record too.
  virtual void on_node(const Record& record, const Record& node) {
    static_cast<void>(record), static_cast<void>(node);
  }

  /// A record whose call the runtime had refused; it is not played. After its on_record.
  virtual void on_failed(const Record& record) { static_cast<void>(record); }

  /// Whether on_read is to be called: the bytes cost memory.
  virtual bool wants_reads() const { return false; }

  /// What a copy to pageable host memory brought back.
  virtual void on_read(const Record& record, ByteView bytes) {
    static_cast<void>(record), static_cast<void>(bytes);
  }

  /// Whether on_result is to be called.
  virtual bool wants_results() const { return false; }

  /// What a copy brought to the host, of which the recording has kept what it had brought then. Of
  /// a launch of a graph, the last on_node says which copy.
  virtual void on_result(const Record& record, const PlayedResult& result) {
    static_cast<void>(record), static_cast<void>(result);
  }
};

/// Whoever can play one recording from its beginning, again and again, the same each time.
class Playback {
 public:
  virtual ~Playback() = default;

  /// Up to `last_record`, which is played too. `backend` is new.
  virtual Result<void> play(Backend& backend, PlayObserver& observer,
                            std::uint64_t last_record) const = 0;
};

}  // namespace compass
