// SPDX-License-Identifier: MIT
#include "capture/hooks/copying.h"

#include <utility>

#include "capture/contents/host_memory.h"
#include "ir/contents.h"

namespace compass::capture {
namespace {

/// What a program itself calls the device's is not the host's, wherever it is.
bool is_source_hosts(Recorder& recorder, const CopyCall& call) {
  if (call.kind == hip::kMemcpyDeviceToHost || call.kind == hip::kMemcpyDeviceToDevice) {
    return false;
  }
  return !recorder.is_device_memory(number_of(call.from));
}
bool is_destination_hosts(Recorder& recorder, const CopyCall& call) {
  if (call.kind == hip::kMemcpyHostToDevice || call.kind == hip::kMemcpyDeviceToDevice) {
    return false;
  }
  return !recorder.is_device_memory(number_of(call.to));
}

HostRows source_of(const CopyCall& call) {
  return {number_of(call.from), call.size_bytes, call.counts, call.from_pitches};
}
HostRows destination_of(const CopyCall& call) {
  return {number_of(call.to), call.size_bytes, call.counts, call.to_pitches};
}

/// The sides of a node that copies: launches look at them.
Recorder::HostSides sides_of_node(Recorder& recorder, const CopyCall& call) {
  Recorder::HostSides sides;
  if (recorder.contents() == ContentsMode::kNone) return sides;
  if (is_source_hosts(recorder, call)) sides.source = source_of(call);
  if (is_destination_hosts(recorder, call)) sides.destination = destination_of(call);
  return sides;
}

/// The side of a copy that the wait for it looks at: what came to the host, or where it came from.
/// What a call copies from the host that returns when it is done, needs no second look.
Recorder::HostSides side_to_look_at(Recorder& recorder, const CopyCall& call) {
  Recorder::HostSides sides;
  if (call.size_bytes > most_result_bytes(recorder.contents())) return sides;
  if (is_destination_hosts(recorder, call)) {
    sides.destination = destination_of(call);
  } else if (call.wait == HostWait::kAsync && is_source_hosts(recorder, call)) {
    sides.source = source_of(call);
  }
  return sides;
}

bool is_recorded(Recorder& recorder, const RowCounts& counts, std::size_t size_bytes) {
  if (size_bytes == 0) return false;
  if (counts.fits(size_bytes)) return true;
  recorder.lose("a copy or fill of more rows than a recording holds was not recorded");
  return false;
}

}  // namespace

std::uint64_t record_copy(Recorder& recorder, const CopyCall& call) {
  if (!is_recorded(recorder, call.counts, call.size_bytes)) return 0;
  journal::Copy copy{.destination = number_of(call.to),
                     .source = number_of(call.from),
                     .size_bytes = call.size_bytes,
                     .direction = call.kind,
                     .stream = number_of(call.stream),
                     .blocking = call.wait == HostWait::kBlocking,
                     .has_content = false,
                     .content = {},
                     .counts = call.counts,
                     .destination_pitches = call.to_pitches,
                     .source_pitches = call.from_pitches};
  const bool is_node =
      call.work == Recorder::Work::kOfNode || recorder.is_captured(number_of(call.stream));
  if (is_node) {
    return recorder.append_copy(std::move(copy), sides_of_node(recorder, call), 0, call.work);
  }
  copy.has_content = call.size_bytes <= most_content_bytes(recorder.contents()) &&
                     is_source_hosts(recorder, call) &&
                     read_host_rows(source_of(call), copy.content);
  if (!copy.has_content) {
    const std::uint64_t source[] = {number_of(call.from)};
    recorder.keep_host_memory(source);
  }
  const Recorder::HostSides sides = side_to_look_at(recorder, call);
  if (call_number == 0 && (sides.source || sides.destination)) call_number = recorder.next_call();
  return recorder.append_copy(std::move(copy), sides, call_number, call.work);
}

std::uint64_t record_fill(Recorder& recorder, const FillCall& call) {
  const std::size_t size_bytes = call.count * call.value_bytes;
  if (!is_recorded(recorder, call.counts, size_bytes)) return 0;
  return recorder.append(journal::Fill{.destination = number_of(call.to),
                                       .value = call.value,
                                       .value_bytes = call.value_bytes,
                                       .size_bytes = size_bytes,
                                       .stream = number_of(call.stream),
                                       .blocking = call.wait == HostWait::kBlocking,
                                       .counts = call.counts,
                                       .pitches = call.pitches},
                         call.work);
}

}  // namespace compass::capture
