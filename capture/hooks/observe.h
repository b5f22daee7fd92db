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

/// Records the end of something, then calls the runtime. Once the runtime has taken an address or a
/// handle back, another thread may get it again, and its creation would stand before this end: so
/// the end is recorded first, and only if the beginning was seen. `record(recorder)` says whether
/// it was; should the runtime then refuse, the recording is wrong and says so.
template <auto Hook, class Record, class... Arguments>
int observe_end(Record record, Arguments... arguments) {
  const auto real = real_call<Hook>();
  if (real == nullptr) return without_runtime(kName<Hook>);
  if (call_depth > 0) return real(arguments...);
  ++call_depth;
  bool recorded = false;
  Recorder::of_process().guarded([&](Recorder& recorder) {
    recorder.saw_call();
    recorded = record(recorder);
  });
  const int result = real(arguments...);
  if (recorded && result != hip::kSuccess) {
    Recorder::of_process().lose(
        concat(kName<Hook>, " was recorded and then failed with error ", result));
  }
  --call_depth;
  return result;
}

inline std::uint64_t number_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace compass::capture
