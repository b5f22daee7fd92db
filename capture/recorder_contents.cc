// SPDX-License-Identifier: MIT
// What the recorder does with copies between the host and a device, until the host has waited for
// them.
#include <utility>
#include <variant>

#include "capture/recorder.h"
#include "capture/recorder_lock.h"
#include "capture/stream_of.h"
#include "ir/hip/abi.h"

namespace compass::capture {
namespace {

using HostSide = PendingCopies::HostSide;

/// Each thread's own default stream has one handle, but is another one.
std::uint64_t key_of(std::uint64_t stream) {
  static constinit thread_local char own [[gnu::tls_model("initial-exec")]] = 0;
  if (stream == hip::kStreamPerThread) return reinterpret_cast<std::uint64_t>(&own);
  return stream == hip::kStreamLegacy ? 0 : stream;
}

/// What a source held that had not changed since then is what was carried.
CopiedBytes copied_by(const PendingCopies::Copy& copy, std::uint64_t call) {
  if (copy.ran_in == 0) return CopiedBytes::kUnknown;
  if (copy.ran_in == copy.call) return CopiedBytes::kEnqueued;
  return copy.ran_in == call ? CopiedBytes::kCompleted : CopiedBytes::kUnknown;
}

}  // namespace

std::uint64_t Recorder::append_copy(journal::Copy copy, const HostSides& host, std::uint64_t call,
                                    Work work) {
  const std::uint64_t stream = copy.stream;
  std::optional<Digest> enqueued;
  if (copy.has_content && host.source) enqueued = digest_of(copy.content);
  const std::uint64_t capture = capture_for(stream, work);
  const std::uint32_t call_site = call_sites_.current();
  const Lock lock(*this);
  if (!lock || !recording()) return 0;
  write_call_site(call_site);
  const std::uint64_t entry = write(std::move(copy), capture);
  if (entry == 0) return 0;
  if (capture != kNoCapture) {
    if (host.source || host.destination) {
      executables_.add_copy({entry, host.source, host.destination});
    }
  } else if (host.destination) {
    add_pending(stream, {{entry, 0}, HostSide::kDestination, *host.destination, {}, call});
  } else if (enqueued) {
    add_pending(stream, {{entry, 0}, HostSide::kSource, *host.source, enqueued, call});
  } else {
    order_launch(stream);
  }
  return entry;
}

void Recorder::add_pending(std::uint64_t stream, const PendingCopies::Copy& copy) {
  pending_.add_copy(key_of(stream), copy);
  has_pending_ = true;
}

std::vector<std::uint64_t> Recorder::reads_of(std::uint64_t executable) {
  const Lock lock(*this);
  return lock ? executables_.reads_of(executable) : std::vector<std::uint64_t>();
}

std::uint64_t Recorder::append_graph_launch(const journal::LaunchGraph& launch,
                                            std::uint64_t call) {
  const std::uint64_t capture = capture_for(launch.stream, Work::kOfStream);
  const std::uint32_t call_site = call_sites_.current();
  std::uint64_t entry = 0;
  std::vector<Executables::Copy> copies;
  if (capture == kNoCapture && keeps_inputs()) keep_host_memory(reads_of(launch.executable));
  if (const Lock lock(*this); lock && recording()) {
    write_call_site(call_site);
    entry = write(launch, capture);
    if (entry == 0 || capture != kNoCapture) return entry;
    order_launch(launch.stream);
    copies = executables_.copies_of(launch.executable);
  }
  for (const Executables::Copy& copy : copies) {
    const journal::Doer doer{entry, copy.entry};
    if (copy.source) append_node_source(doer, launch.stream, *copy.source, call);
    if (!copy.destination || copy.destination->size_bytes > most_result_bytes(contents_)) continue;
    if (const Lock lock(*this); lock) {
      add_pending(launch.stream, {doer, HostSide::kDestination, *copy.destination, {}, call});
    }
  }
  return entry;
}

void Recorder::append_node_source(journal::Doer doer, std::uint64_t stream, const HostRows& source,
                                  std::uint64_t call) {
  journal::NodeSource kept{doer, {}};
  if (source.size_bytes > most_content_bytes(contents_)) return;
  if (!read_host_rows(source, kept.content)) return;
  const Digest enqueued = digest_of(kept.content);
  const Lock lock(*this);
  if (!lock || !recording() || write(std::move(kept)) == 0) return;
  if (source.size_bytes > most_result_bytes(contents_)) return;
  add_pending(stream, {doer, HostSide::kSource, source, enqueued, call});
}

bool Recorder::is_captured(std::uint64_t stream) const {
  return capture_for(stream, Work::kOfStream) != kNoCapture;
}

void Recorder::order(const journal::Body& body) {
  if (const auto* made = std::get_if<journal::CreateStream>(&body)) {
    pending_.add_stream(made->stream, (made->flags & hip::kStreamNonBlocking) == 0);
  }
  if (pending_.is_empty()) return;
  if (const auto* record = std::get_if<journal::RecordEvent>(&body)) {
    pending_.record_event(key_of(record->stream), record->event);
  } else if (const auto* wait = std::get_if<journal::WaitEvent>(&body)) {
    pending_.wait_event(key_of(wait->stream), wait->event);
  } else if (const auto stream = stream_of(body)) {
    pending_.add_work(key_of(*stream));
  }
}

void Recorder::order_launch(std::uint64_t stream) {
  if (!pending_.is_empty()) pending_.add_work(key_of(stream));
}

std::vector<PendingCopies::Id> Recorder::copies_before(const Wait& wait) {
  if (!has_pending_.load(std::memory_order_relaxed)) return {};
  const Lock lock(*this);
  if (!lock) return {};
  switch (wait.scope) {
    case journal::SyncScope::kStream:
      return pending_.before_stream(key_of(wait.handle));
    case journal::SyncScope::kEvent:
      return pending_.before_event(wait.handle);
    case journal::SyncScope::kDevice:
      break;
  }
  return pending_.before_device();
}

void Recorder::complete(std::span<const PendingCopies::Id> ids, std::uint64_t call) {
  if (ids.empty()) return;
  std::vector<PendingCopies::Copy> copies;
  if (const Lock lock(*this); lock) {
    copies = pending_.take(ids);
    has_pending_ = !pending_.is_empty();
  }
  for (const PendingCopies::Copy& copy : copies) complete(copy, call);
}

void Recorder::complete(const PendingCopies::Copy& copy, std::uint64_t call) {
  journal::Completed completed{.doer = copy.doer, .content = {}};
  if (copy.is_overwritten || !read_host_rows(copy.host, completed.content)) return;
  completed.has_content = true;
  if (copy.side == HostSide::kSource) {
    completed.copied = copied_by(copy, call);
    completed.has_content = !copy.enqueued || digest_of(completed.content) != *copy.enqueued;
    if (!completed.has_content) completed.content.clear();
  }
  append(std::move(completed));
}

void Recorder::forget_copies_of(std::uint64_t entry) {
  if (!has_pending_.load(std::memory_order_relaxed)) return;
  const Lock lock(*this);
  if (!lock) return;
  pending_.forget_entry(entry);
  has_pending_ = !pending_.is_empty();
}

}  // namespace compass::capture
