// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "capture/hooks/runtime.h"
#include "capture/recorder.h"
#include "ir/hip/abi.h"

namespace compass::capture {

/// How many hooked calls this thread is in. Calls that the runtime makes inside one of its own are
/// not the program's and are not recorded.
inline constinit thread_local int call_depth [[gnu::tls_model("initial-exec")]] = 0;

/// The entry of the call that this thread is passing down to the runtime; 0: it has none.
inline constinit thread_local std::uint64_t passed_down [[gnu::tls_model("initial-exec")]] = 0;

/// Those of what it asks for besides, in order.
inline constinit thread_local std::span<const std::uint64_t> passed_next
    [[gnu::tls_model("initial-exec")]]{};

/// The number of the call that this thread is in, where it copies or waits; else 0.
inline constinit thread_local std::uint64_t call_number [[gnu::tls_model("initial-exec")]] = 0;

inline std::uint64_t entry_of(std::uint64_t entry) { return entry; }
template <class Known>
std::uint64_t entry_of(const Known& known) {
  return known.entry;
}

/// The entries of a call that asks for several things, in the order in which the runtime gets to
/// them.
struct Batch {
  std::uint64_t entry = 0;  ///< the first
  std::vector<std::uint64_t> later;

  void add(std::uint64_t next) {
    if (next == 0) return;
    if (entry == 0) {
      entry = next;
    } else {
      later.push_back(next);
    }
  }
};
template <class Known>
std::span<const std::uint64_t> later_entries_of(const Known&) {
  return {};
}
inline std::span<const std::uint64_t> later_entries_of(const Batch& batch) { return batch.later; }

/// Tells the recorder, once a process, what device the runtime offers. `real` is any function of
/// it.
void describe_device(Recorder& recorder, void* real);

/// A hook was reached, but no runtime is loaded: only a weak reference gets here.
int without_runtime(const char* name);

/// Calls the runtime; if it agreed, `record(recorder)` says what happened. No lock is held during
/// the call, and nothing of ours needs cleaning up when the thread is cancelled in it.
template <auto Hook, class Record, class... Arguments>
int observe(Record record, Arguments... arguments) {
  const auto real = real_call<Hook>();
  if (real == nullptr) return without_runtime(kName<Hook>);
  if (call_depth > 0) return real(arguments...);
  ++call_depth;
  const int result = real(arguments...);
  Recorder::of_process().guarded([&](Recorder& recorder) {
    recorder.saw_call();
    if (result != hip::kSuccess) return;
    describe_device(recorder, reinterpret_cast<void*>(real));
    record(recorder);
  });
  --call_depth;
  return result;
}

/// Records, then calls the runtime, then records what came of it: `before(recorder)` gives what
/// `after(recorder, result, that)` needs, and in it the number of the entry. For calls that may not
/// come back, for work whose runtime tells by that number what came of it, and for ends: once the
/// runtime has taken an address or a handle back, another thread may get it again, and its creation
/// would stand before this end.
template <auto Hook, class Before, class After, class... Arguments>
int observe_around(Before before, After after, Arguments... arguments) {
  const auto real = real_call<Hook>();
  if (real == nullptr) return without_runtime(kName<Hook>);
  if (call_depth > 0) return real(arguments...);
  ++call_depth;
  decltype(before(std::declval<Recorder&>())) known{};
  Recorder::of_process().guarded([&](Recorder& recorder) {
    recorder.saw_call();
    describe_device(recorder, reinterpret_cast<void*>(real));
    known = before(recorder);
  });
  passed_down = entry_of(known);
  passed_next = later_entries_of(known);
  const int result = real(arguments...);
  passed_down = 0;
  passed_next = {};
  Recorder::of_process().guarded([&](Recorder& recorder) { after(recorder, result, known); });
  call_number = 0;
  --call_depth;
  return result;
}

/// The same for what `before(recorder)` records in one entry, whose number it gives.
template <auto Hook, class Before, class... Arguments>
int observe_request(Before before, Arguments... arguments) {
  return observe_around<Hook>(
      before,
      [](Recorder& recorder, int result, std::uint64_t entry) {
        if (result != hip::kSuccess) recorder.note_failure(entry, result);
      },
      arguments...);
}

/// The same for what it records in several.
template <auto Hook, class Before, class... Arguments>
int observe_batch(Before before, Arguments... arguments) {
  return observe_around<Hook>(
      before,
      [](Recorder& recorder, int result, const Batch& batch) {
        if (result == hip::kSuccess) return;
        recorder.note_failure(batch.entry, result);
        for (const std::uint64_t entry : batch.later) recorder.note_failure(entry, result);
      },
      arguments...);
}

/// A call in which the host waits: the copies that it waits for, known before it begins.
class HostWaiting {
 public:
  std::uint64_t entry = 0;  ///< of what the call asks for besides, if that has one

  void begin(Recorder& recorder, const Recorder::Wait& wait) {
    copies_ = recorder.copies_before(wait);
    if (!copies_.empty() && call_number == 0) call_number = recorder.next_call();
  }
  /// The runtime agreed.
  void end(Recorder& recorder) const { recorder.complete(copies_, call_number); }

 private:
  std::vector<PendingCopies::Id> copies_;
};

/// Calls the runtime, where the host waits; if it agreed, `record(recorder)` says what happened.
template <auto Hook, class Record, class... Arguments>
int observe_wait(const Recorder::Wait& wait, Record record, Arguments... arguments) {
  return observe_around<Hook>(
      [&](Recorder& recorder) {
        HostWaiting waiting;
        waiting.begin(recorder, wait);
        return waiting;
      },
      [&](Recorder& recorder, int result, const HostWaiting& waiting) {
        if (result != hip::kSuccess) return;
        record(recorder);
        waiting.end(recorder);
      },
      arguments...);
}

inline std::uint64_t number_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace compass::capture
