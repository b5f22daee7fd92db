// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "capture/hooks/runtime.h"
#include "capture/recorder.h"
#include "ir/hip/abi.h"

namespace compass::capture {

/// How many hooked calls this thread is in. Calls that the runtime makes inside one of its own are
/// not the program's and are not recorded.
inline constinit thread_local int call_depth [[gnu::tls_model("initial-exec")]] = 0;

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

/// The same, whatever the runtime said: `record(recorder, result)`.
template <auto Hook, class Record, class... Arguments>
int observe_result(Record record, Arguments... arguments) {
  const auto real = real_call<Hook>();
  if (real == nullptr) return without_runtime(kName<Hook>);
  if (call_depth > 0) return real(arguments...);
  ++call_depth;
  const int result = real(arguments...);
  Recorder::of_process().guarded([&](Recorder& recorder) {
    recorder.saw_call();
    if (result == hip::kSuccess) describe_device(recorder, reinterpret_cast<void*>(real));
    record(recorder, result);
  });
  --call_depth;
  return result;
}

/// Records, then calls the runtime, then records what came of it: `before(recorder)` gives what
/// `after(recorder, result, that)` needs. For calls that may not come back, and for ends: once the
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
    known = before(recorder);
  });
  const int result = real(arguments...);
  Recorder::of_process().guarded([&](Recorder& recorder) { after(recorder, result, known); });
  --call_depth;
  return result;
}

inline std::uint64_t number_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace compass::capture
