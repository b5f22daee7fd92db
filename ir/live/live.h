// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// The link between the recorder and a runtime that sees what it runs, in one process.
///
/// The recorder exports a function of this name; the runtime looks for it among the symbols of the
/// process, once. Whatever the runtime carries out, it names by the number that the recorder's
/// entry has in the journal, and tells the recorder what came of it.
extern "C" {

/// Threads: any, at any time. No call fails: what cannot be kept is lost, and the recording says
/// so.
struct CompassLiveRecorder {
  std::uint32_t version;  ///< of journals: both sides must know the same kinds of entries

  /// The entry of the HIP call that this thread is being passed down in; 0: it has none. Of a call
  /// that asks for several things, each time that of the next one.
  std::uint64_t (*current_entry)();

  /// What the entry asked for has been carried out, to its end.
  void (*ran)(std::uint64_t entry);

  /// Something to know of it: one entry of the kinds of ir/journal/evidence.h, as encode() has it.
  /// Its number in the journal; 0 where it could not be written.
  std::uint64_t (*append)(const void* encoded_entry, std::uint64_t size_bytes);

  /// Whether this thread is in a HIP call that the recorder sees, with an entry or without one.
  int (*is_seen)();

  /// Something was asked for that the recorder has not seen: the recording says that it is
  /// incomplete, and once why.
  void (*lose)(const char* cause);

  /// The entry that says what a node of a graph does (hipGraphNode_t), which is being instantiated;
  /// 0: none does.
  std::uint64_t (*node_entry)(const void* node);

  /// Whether what launches load to form addresses, predicates and branches is to be kept.
  int (*keeps_index)();
};

/// Null where nothing is recorded.
const CompassLiveRecorder* compass_live_recorder_v1();
}

namespace compass {

inline constexpr const char* kLiveRecorderSymbol = "compass_live_recorder_v1";
using FindLiveRecorder = decltype(&compass_live_recorder_v1);

}  // namespace compass
