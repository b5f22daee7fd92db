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

auto synchronized(journal::SyncScope scope, const void* handle) {
  return [=](Recorder& recorder) {
    recorder.append(journal::Synchronize{scope, number_of(handle)});
  };
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
  return observe<&::hipStreamSynchronize>(synchronized(SyncScope::kStream, stream), stream);
}

int hipStreamSynchronize_spt(Stream stream) {
  const Stream own = compass::hip::per_thread(stream);
  return observe<&::hipStreamSynchronize_spt>(synchronized(SyncScope::kStream, own), stream);
}

int hipStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return observe<&::hipStreamWaitEvent>(waited(stream, event), stream, event, flags);
}

int hipStreamWaitEvent_spt(Stream stream, Event event, unsigned flags) {
  const Stream own = compass::hip::per_thread(stream);
  return observe<&::hipStreamWaitEvent_spt>(waited(own, event), stream, event, flags);
}

int hipDeviceSynchronize() {
  return observe<&::hipDeviceSynchronize>(synchronized(SyncScope::kDevice, nullptr));
}
