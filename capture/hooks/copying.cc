// SPDX-License-Identifier: MIT
#include "capture/hooks/copying.h"

#include <utility>

#include "capture/contents/host_memory.h"

namespace compass::capture {
namespace {

/// Whether the bytes at the source are the host's, and to be kept. A source that the program itself
/// calls the device's is not read, wherever it is.
bool keeps_content(Recorder& recorder, const CopyCall& call) {
  if (call.size_bytes > most_content_bytes(recorder.contents())) return false;
  if (call.work == Recorder::Work::kOfNode) return false;
  if (call.kind == hip::kMemcpyDeviceToHost || call.kind == hip::kMemcpyDeviceToDevice) {
    return false;
  }
  return !recorder.is_device_memory(number_of(call.from));
}

/// The bytes at the source, row by row. False where they cannot be read.
bool read_source(const CopyCall& call, Bytes& content) {
  if (call.counts == RowCounts{}) return read_host_memory(call.from, call.size_bytes, content);
  const std::uint64_t row_bytes = call.size_bytes / call.counts.total();
  bool is_read = true;
  Bytes part;
  for_each_row(call.counts, [&](std::uint64_t slice, std::uint64_t row) {
    if (!is_read) return;
    const auto* from =
        static_cast<const std::byte*>(call.from) + call.from_pitches.offset_of(slice, row);
    is_read = read_host_memory(from, row_bytes, part);
    content.insert(content.end(), part.begin(), part.end());
  });
  return is_read;
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
                     .has_content = keeps_content(recorder, call),
                     .content = {},
                     .counts = call.counts,
                     .destination_pitches = call.to_pitches,
                     .source_pitches = call.from_pitches};
  if (copy.has_content && !read_source(call, copy.content)) {
    copy.has_content = false;
    copy.content.clear();
  }
  return recorder.append(std::move(copy), call.work);
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
