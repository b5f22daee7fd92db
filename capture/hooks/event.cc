// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Events. Queries are polls and are not recorded; one that succeeds has waited.
namespace compass::capture {
namespace {

auto created(const hip::Event* event, unsigned flags) {
  return [=](Recorder& recorder) {
    recorder.append(journal::CreateEvent{number_of(*event), flags});
  };
}

auto recorded(hip::Event event, hip::Stream stream) {
  return [=](Recorder& recorder) {
    recorder.append(journal::RecordEvent{number_of(event), number_of(stream)});
  };
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Event;
using compass::hip::Stream;

int hipEventCreate(Event* event) { return observe<&::hipEventCreate>(created(event, 0), event); }

int hipEventCreateWithFlags(Event* event, unsigned flags) {
  return observe<&::hipEventCreateWithFlags>(created(event, flags), event, flags);
}

int hipEventRecord(Event event, Stream stream) {
  return observe<&::hipEventRecord>(recorded(event, stream), event, stream);
}

int hipEventRecord_spt(Event event, Stream stream) {
  const Stream own = compass::hip::per_thread(stream);
  return observe<&::hipEventRecord_spt>(recorded(event, own), event, stream);
}

int hipEventRecordWithFlags(Event event, Stream stream, unsigned flags) {
  return observe<&::hipEventRecordWithFlags>(recorded(event, stream), event, stream, flags);
}

int hipEventSynchronize(Event event) {
  return observe_wait<&::hipEventSynchronize>(
      {compass::journal::SyncScope::kEvent, number_of(event)},
      [event](Recorder& recorder) {
        recorder.append(
            compass::journal::Synchronize{compass::journal::SyncScope::kEvent, number_of(event)});
      },
      event);
}

int hipEventQuery(Event event) {
  return observe_wait<&::hipEventQuery>(
      {compass::journal::SyncScope::kEvent, number_of(event)}, [](Recorder&) {}, event);
}

int hipEventDestroy(Event event) {
  return observe_around<&::hipEventDestroy>(
      [event](Recorder& recorder) { return recorder.end_event(number_of(event)); },
      [event](Recorder& recorder, int result, std::uint64_t ended) {
        if (ended != 0 && result != compass::hip::kSuccess) {
          recorder.keep_event(number_of(event), ended, result);
        }
      },
      event);
}
