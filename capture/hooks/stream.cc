// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Streams, and the host's waits for a stream or the device.
namespace compass::capture {
namespace {

auto created(const hip::Stream* stream, unsigned flags) {
  return [=](Recorder& recorder) {
    recorder.append(journal::CreateStream{number_of(*stream), flags});
  };
}

/// The host waits, and that is recorded; where it only asks, it is not.
template <auto Hook, class... Arguments>
int observe_synchronize(journal::SyncScope scope, const void* handle, Arguments... arguments) {
  return observe_wait<Hook>(
      {scope, number_of(handle)},
      [=](Recorder& recorder) {
        recorder.append(journal::Synchronize{scope, number_of(handle)});
      },
      arguments...);
}

template <auto Hook, class... Arguments>
int observe_query(hip::Stream own, Arguments... arguments) {
  return observe_wait<Hook>(
      {journal::SyncScope::kStream, number_of(own)}, [](Recorder&) {}, arguments...);
}

auto waited(hip::Stream stream, hip::Event event) {
  return [=](Recorder& recorder) {
    recorder.append(journal::WaitEvent{number_of(stream), number_of(event)});
  };
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Event;
using compass::hip::Stream;
using compass::journal::SyncScope;

int hipStreamCreate(Stream* stream) {
  return observe<&::hipStreamCreate>(created(stream, 0), stream);
}

int hipStreamCreateWithFlags(Stream* stream, unsigned flags) {
  return observe<&::hipStreamCreateWithFlags>(created(stream, flags), stream, flags);
}

int hipStreamCreateWithPriority(Stream* stream, unsigned flags, int priority) {
  return observe<&::hipStreamCreateWithPriority>(created(stream, flags), stream, flags, priority);
}

int hipStreamDestroy(Stream stream) {
  return observe_around<&::hipStreamDestroy>(
      [stream](Recorder& recorder) { return recorder.end_stream(number_of(stream)); },
      [stream](Recorder& recorder, int result, std::uint64_t ended) {
        if (ended != 0 && result != compass::hip::kSuccess) {
          recorder.keep_stream(number_of(stream), ended, result);
        }
      },
      stream);
}

int hipStreamSynchronize(Stream stream) {
  return observe_synchronize<&::hipStreamSynchronize>(SyncScope::kStream, stream, stream);
}

int hipStreamSynchronize_spt(Stream stream) {
  const Stream own = compass::hip::per_thread(stream);
  return observe_synchronize<&::hipStreamSynchronize_spt>(SyncScope::kStream, own, stream);
}

int hipStreamQuery(Stream stream) { return observe_query<&::hipStreamQuery>(stream, stream); }

int hipStreamQuery_spt(Stream stream) {
  return observe_query<&::hipStreamQuery_spt>(compass::hip::per_thread(stream), stream);
}

int hipStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return observe<&::hipStreamWaitEvent>(waited(stream, event), stream, event, flags);
}

int hipStreamWaitEvent_spt(Stream stream, Event event, unsigned flags) {
  const Stream own = compass::hip::per_thread(stream);
  return observe<&::hipStreamWaitEvent_spt>(waited(own, event), stream, event, flags);
}

int hipDeviceSynchronize() {
  return observe_synchronize<&::hipDeviceSynchronize>(SyncScope::kDevice, nullptr);
}
