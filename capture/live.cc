// SPDX-License-Identifier: MIT
#include "ir/live/live.h"

#include "capture/hooks/observe.h"
#include "capture/recorder.h"
#include "ir/journal/file.h"

/// What the recorder offers to a runtime in the same process that sees what it runs.
namespace compass::capture {
namespace {

std::uint64_t current_entry() {
  const std::uint64_t entry = passed_down;
  if (!passed_next.empty()) {
    passed_down = passed_next.front();
    passed_next = passed_next.subspan(1);
  }
  return entry;
}

void note_ran(std::uint64_t entry) {
  Recorder::of_process().guarded(
      [entry](Recorder& recorder) { recorder.note_ran(entry, call_number); });
}

std::uint64_t append(const void* encoded_entry, std::uint64_t size_bytes) {
  std::uint64_t entry = 0;
  Recorder::of_process().guarded([&](Recorder& recorder) {
    entry = recorder.append_evidence({static_cast<const std::byte*>(encoded_entry), size_bytes});
  });
  return entry;
}

std::uint64_t node_entry(const void* node) {
  std::uint64_t entry = 0;
  Recorder::of_process().guarded(
      [&](Recorder& recorder) { entry = recorder.node_entry(number_of(node)); });
  return entry;
}

int keeps_index() { return Recorder::of_process().contents() == ContentsMode::kNone ? 0 : 1; }

int is_seen() { return call_depth > 0 ? 1 : 0; }

void lose(const char* cause) { Recorder::of_process().lose(cause); }

constexpr CompassLiveRecorder kLiveRecorder{journal::kVersion, &current_entry, &note_ran,
                                            &append,           &is_seen,       &lose,
                                            &node_entry,       &keeps_index};

}  // namespace
}  // namespace compass::capture

[[gnu::visibility("default")]] const CompassLiveRecorder* compass_live_recorder_v1() {
  using namespace compass::capture;
  return Recorder::of_process().is_usable() ? &kLiveRecorder : nullptr;
}
