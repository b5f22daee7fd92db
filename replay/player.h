// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/backend.h"
#include "ir/playback.h"
#include "ir/recording.h"
#include "ir/replays.h"

namespace compass::replay {

using compass::PlayObserver;

/// Plays the records of a recording onto a backend, in the order in which the host made them.
///
/// The host waits where it waited when it was recorded, and nowhere else. What came from the host
/// is written from the recorded contents; where they were not kept, or where the host had changed
/// them before it waited and nobody knows which of them a copy carried, the backend is told to
/// forget what was there. Copies between places of the host touch no device and are left out,
/// except that pinned memory gets what was copied into it.
///
/// A graph's launch plays its nodes, one after the other in the order of the launch's stream. What
/// they copy from the host is what was there when the graph was launched, where that was kept.
/// Memory that they allocate is there from a launch on until a node or the program frees it.
///
/// Blocks are nothing to a backend: it knows the allocations that they are parts of.
///
/// What failed when it was recorded is not played. A copy or fill may have been done in part by
/// then: of the bytes that it would have written, the backend is told to forget what is live.
class Player {
 public:
  /// `recording` and `backend` must outlive this.
  Player(const Recording& recording, ContentSource contents, Backend& backend);

  /// Plays everything. The error names the record at which it happened.
  Result<void> play(PlayObserver& observer);

  /// Plays one record; those before it must have been played.
  Result<void> play(const Record& record, PlayObserver& observer);

 private:
  /// What a copy carried from the host; empty: unknown. Where `other` differs, either byte.
  struct Carried {
    Bytes bytes;
    Bytes other;
  };
  struct CarriedRow {
    ByteView bytes;
    ByteView other;
  };

  void note_captured(const Record& record);
  Result<void> set_graph_memory(AllocationId allocation, bool is_there);
  Result<void> play_body(const Record& record, const RecordBody& body, PlayObserver& observer);
  Result<void> play_graph(const Record& record, const LaunchGraph& launch, PlayObserver& observer);
  Result<void> pass_over(const Record& record);
  Result<void> dispatch(const Record& record, const LaunchKernel& launch);
  Result<void> reveal(const LaunchIndex& index);
  Result<void> load(CodeObjectId code_object);
  Result<void> copy(const Record& record, const Copy& copy, PlayObserver& observer);
  Result<void> read_back(const Record& record, const Copy& copy, PlayObserver& observer);
  Result<void> copy_rows(StreamId stream, const Copy& copy, bool from_pageable);
  Result<void> copy_row(StreamId stream, const Copy& row, bool from_pageable,
                        const CarriedRow& carried);
  Result<void> upload(StreamId stream, MemoryRef destination, std::uint64_t size_bytes,
                      const CarriedRow& carried);
  Result<Carried> carried_by(const Copy& copy);
  Result<Bytes> content(const std::string& sha256, std::uint64_t size_bytes);
  Result<void> host_write(const HostWrite& write);
  Result<Bytes> read_rows(StreamId stream, MemoryRef place, const Pitches& pitches,
                          const Copy& copy);
  Result<void> compare(const Record& record, const Copy& copy, const MemoryRef& place,
                       const Pitches& pitches, ByteView played, PlayObserver& observer);
  Result<void> fill(StreamId stream, const Fill& fill);
  Result<void> wait(const Record& record, const Synchronize& synchronize);
  /// The same in memory that the runtime made.
  Launch in_root(Launch launch) const;
  Copy in_root(Copy copy) const;
  Fill in_root(Fill fill) const;
  WaitValue in_root(WaitValue wait) const;
  bool is_host_memory(MemoryRef place) const;
  bool is_live(MemoryRef place, std::uint64_t size_bytes) const;

  const Recording& recording_;
  ContentSource contents_;
  Backend& backend_;
  std::unordered_set<AllocationId> freed_;
  std::unordered_map<AllocationId, bool> graph_memory_;  ///< whether it is there
  Replays replays_;
  std::uint64_t node_ = 0;  ///< the record of the node that is played; 0: none
  /// How often each node has run in the launch of a graph that is played; a launch itself is one.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> runs_of_node_;
};

}  // namespace compass::replay
