// SPDX-License-Identifier: MIT
#pragma once

#include "capture/hooks/observe.h"
#include "ir/record.h"

/// What the hooks of copies and fills have in common. Those that the runtime refused are recorded
/// too. AMD's runtime waits in every copy and fill that is not "Async", device memory or not.
namespace compass::capture {

struct CopyCall {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t size_bytes = 0;  ///< of all rows; nothing is recorded of a copy of no bytes
  unsigned kind = hip::kMemcpyDefault;
  hip::Stream stream = nullptr;
  HostWait wait = HostWait::kBlocking;
  RowCounts counts;
  Pitches to_pitches;
  Pitches from_pitches;
  Recorder::Work work = Recorder::Work::kOfStream;
};

/// Before the runtime is asked: the bytes at the source are those that it is given. A node reads
/// its source later.
std::uint64_t record_copy(Recorder& recorder, const CopyCall& call);

/// Calls the runtime, with what `append(recorder)` appends: a copy or fill, for which the host
/// waits or not.
template <auto Hook, class Append, class... Arguments>
int observe_transfer(Append append, HostWait wait, hip::Stream stream, Arguments... arguments) {
  return observe_around<Hook>(
      [&](Recorder& recorder) {
        HostWaiting waiting;
        waiting.entry = append(recorder);
        if (wait == HostWait::kBlocking) {
          waiting.begin(recorder, {journal::SyncScope::kStream, number_of(stream)});
        }
        return waiting;
      },
      [](Recorder& recorder, int result, const HostWaiting& waiting) {
        if (result != hip::kSuccess) return recorder.note_failure(waiting.entry, result);
        waiting.end(recorder);
      },
      arguments...);
}

template <auto Hook, class... Arguments>
int observe_copy(const CopyCall& call, Arguments... arguments) {
  return observe_transfer<Hook>([&](Recorder& recorder) { return record_copy(recorder, call); },
                                call.wait, call.stream, arguments...);
}

struct FillCall {
  void* to = nullptr;
  std::uint64_t value = 0;
  std::uint32_t value_bytes = 1;
  std::size_t count = 0;  ///< of values, in all rows
  hip::Stream stream = nullptr;
  HostWait wait = HostWait::kBlocking;
  RowCounts counts;
  Pitches pitches;
  Recorder::Work work = Recorder::Work::kOfStream;
};

std::uint64_t record_fill(Recorder& recorder, const FillCall& call);

template <auto Hook, class... Arguments>
int observe_fill(const FillCall& call, Arguments... arguments) {
  return observe_transfer<Hook>([&](Recorder& recorder) { return record_fill(recorder, call); },
                                call.wait, call.stream, arguments...);
}

}  // namespace compass::capture
