// SPDX-License-Identifier: MIT
#include "replay/player.h"

#include <utility>
#include <variant>
#include <vector>

namespace compass::replay {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

bool reads_host(CopyDirection direction) {
  return direction == CopyDirection::kHostToHost || direction == CopyDirection::kHostToDevice;
}
bool writes_host(CopyDirection direction) {
  return direction == CopyDirection::kHostToHost || direction == CopyDirection::kDeviceToHost;
}

/// One of the rows of a copy or fill.
struct Row {
  std::uint64_t index = 0;
  std::uint64_t slice = 0;
  std::uint64_t row = 0;

  MemoryRef in(const MemoryRef& start, const Pitches& pitches) const {
    return {start.allocation, start.offset_bytes + pitches.offset_of(slice, row)};
  }
};

/// Calls `visit(row)` for each until one fails.
template <class Visit>
Result<void> each_row(const RowCounts& counts, Visit visit) {
  Row row;
  for (row.slice = 0; row.slice < counts.slices; ++row.slice) {
    for (row.row = 0; row.row < counts.rows; ++row.row, ++row.index) {
      if (auto ok = visit(row); !ok) return ok;
    }
  }
  return {};
}

ByteView row_of(ByteView content, const Row& row, std::uint64_t row_bytes) {
  return content.subspan(row.index * row_bytes, row_bytes);
}

Copy without_content(Copy copy) {
  copy.content.clear();
  return copy;
}

/// That row of a copy as a copy of its own.
Copy one_row_of(const Copy& copy, const Row& row) {
  Copy one;
  one.destination = row.in(copy.destination, copy.destination_pitches);
  one.source = row.in(copy.source, copy.source_pitches);
  one.size_bytes = copy.row_bytes();
  return one;
}

}  // namespace

Player::Player(const Recording& recording, ContentSource contents, Backend& backend)
    : recording_(recording),
      contents_(std::move(contents)),
      backend_(backend),
      replays_(recording) {}

Result<void> Player::play(PlayObserver& observer) {
  for (const Record& record : recording_.records) {
    auto played = play(record, observer);
    if (!played) {
      return std::move(played).error().with(
          concat("record ", record.sequence, " (", kind_of(record), ")"));
    }
  }
  return {};
}

Result<void> Player::play(const Record& record, PlayObserver& observer) {
  observer.on_record(record);
  backend_.begin_record(record.sequence);
  replays_.take(record);
  if (record.status != 0) {
    observer.on_failed(record);
    return record.captured ? Result<void>() : pass_over(record);
  }
  if (!record.captured) return play_body(record, record.body, observer);
  note_captured(record);
  return {};
}

Result<void> Player::pass_over(const Record& record) {
  const auto forget_rows = [&](const RowCounts& counts, MemoryRef destination,
                               const Pitches& pitches, std::uint64_t row_bytes) {
    return each_row(counts, [&](const Row& row) -> Result<void> {
      const MemoryRef place = row.in(destination, pitches);
      if (!place.allocation || !is_live(place, row_bytes)) return {};
      return backend_.forget(record.stream, place, row_bytes);
    });
  };
  if (const auto* passed = std::get_if<Copy>(&record.body)) {
    const Copy copy = in_root(*passed);
    return forget_rows(copy.counts, copy.destination, copy.destination_pitches, copy.row_bytes());
  }
  if (const auto* passed = std::get_if<Fill>(&record.body)) {
    const Fill fill = in_root(*passed);
    return forget_rows(fill.counts, fill.destination, fill.pitches, fill.row_bytes());
  }
  return {};
}

void Player::note_captured(const Record& record) {
  const auto* const made = std::get_if<Allocate>(&record.body);
  if (made != nullptr) graph_memory_.emplace(made->allocation, false);
}

Result<void> Player::set_graph_memory(AllocationId allocation, bool is_there) {
  if (std::exchange(graph_memory_[allocation], is_there) == is_there) return {};
  return is_there ? backend_.allocate(recording_.allocation(allocation))
                  : backend_.free(allocation);
}

Result<void> Player::play_graph(const Record& record, const LaunchGraph& launch,
                                PlayObserver& observer) {
  for (const std::uint64_t sequence : replays_.nodes_of(launch.executable)) {
    const Record& node = recording_.records[sequence - 1];
    observer.on_node(record, node);
    const auto* const copy = std::get_if<Copy>(&node.body);
    auto played = copy == nullptr || copy->content.empty()
                      ? play_body(record, node.body, observer)
                      : play_body(record, without_content(*copy), observer);
    if (!played) {
      return std::move(played).error().with(concat("node of record ", sequence));
    }
  }
  return {};
}

/// What `body` says, for `record` and in its stream.
Result<void> Player::play_body(const Record& record, const RecordBody& what,
                               PlayObserver& observer) {
  const StreamId stream = record.stream;
  // Streams, steps and the life of events are no calls of a backend: it knows them by their use.
  return std::visit(
      Overloaded{
          [&](const Allocate& body) {
            const AllocationId made = body.allocation;
            if (graph_memory_.contains(made)) return set_graph_memory(made, true);
            return backend_.allocate(recording_.allocation(body.allocation));
          },
          [&](const Free& body) {
            const AllocationId ended = body.allocation;
            if (graph_memory_.contains(ended)) return set_graph_memory(ended, false);
            freed_.insert(body.allocation);
            return backend_.free(body.allocation);
          },
          [&](const Copy& body) { return copy(record, in_root(body), observer); },
          [&](const Fill& body) { return fill(stream, in_root(body)); },
          [&](const LaunchKernel& body) {
            const Launch launch = in_root(recording_.launch_of(body));
            return backend_.dispatch(stream, launch, record.sequence);
          },
          [&](const LaunchGraph& body) { return play_graph(record, body, observer); },
          [&](const RecordEvent& body) { return backend_.record_event(stream, body.event); },
          [&](const WaitEvent& body) { return backend_.wait_event(stream, body.event); },
          [&](const Synchronize& body) { return wait(record, body); },
          [&](const LoadCodeObject& body) { return load(body.code_object); },
          [&](const UnloadCodeObject& body) { return backend_.unload(body.code_object); },
          [&](const WaitValue& body) { return backend_.wait_value(stream, in_root(body)); },
          [](const auto&) { return Result<void>(); },
      },
      what);
}

Result<void> Player::load(CodeObjectId id) {
  const CodeObject& code_object = recording_.code_object(id);
  ASSIGN_OR_RETURN(const Bytes elf, contents_(code_object.sha256));
  std::vector<Kernel> kernels;
  for (const Kernel& kernel : recording_.kernels) {
    if (kernel.code_object == id) kernels.push_back(kernel);
  }
  return backend_.load(code_object, elf, kernels);
}

Result<void> Player::copy(const Record& record, const Copy& copy, PlayObserver& observer) {
  const bool from_pageable = reads_host(copy.direction) && !copy.source.allocation;
  const bool to_pageable = writes_host(copy.direction) && !copy.destination.allocation;
  const bool from_host = from_pageable || is_host_memory(copy.source);
  if (from_host && to_pageable) return {};
  if (to_pageable) return read_back(record, copy, observer);
  Bytes content;
  if (from_host) {
    ASSIGN_OR_RETURN(content, content_of(copy));
  }
  const Result<void> copied = each_row(copy.counts, [&](const Row& row) {
    const ByteView kept = content.empty() ? ByteView() : row_of(content, row, copy.row_bytes());
    return copy_row(record.stream, one_row_of(copy, row), from_pageable, kept);
  });
  if (!copied || copy.wait == HostWait::kAsync) return copied;
  return backend_.synchronize_stream(record.stream);
}

/// A read waits by itself: its bytes are there.
Result<void> Player::read_back(const Record& record, const Copy& copy, PlayObserver& observer) {
  Bytes bytes;
  const bool are_wanted = observer.wants_reads();
  const Result<void> read = each_row(copy.counts, [&](const Row& row) -> Result<void> {
    const MemoryRef source = row.in(copy.source, copy.source_pitches);
    if (!are_wanted) return backend_.read_unused(record.stream, source, copy.row_bytes());
    ASSIGN_OR_RETURN(const Bytes part, backend_.read(record.stream, source, copy.row_bytes()));
    bytes.insert(bytes.end(), part.begin(), part.end());
    return {};
  });
  if (read && are_wanted) observer.on_read(record, bytes);
  return read;
}

/// A copy of one row. `content`: what a source of the host's held at enqueue; empty: not kept.
Result<void> Player::copy_row(StreamId stream, const Copy& row, bool from_pageable,
                              ByteView content) {
  if (from_pageable) return upload(stream, row.destination, row.size_bytes, content);
  // The program had written the pinned source without any call. Where the copy leaves the source,
  // that is left for the backend to report, once.
  if (is_host_memory(row.source) && is_live(row.source, row.size_bytes)) {
    auto uploaded = upload(stream, row.source, row.size_bytes, content);
    if (!uploaded) return uploaded;
  }
  return backend_.copy(stream, row.destination, row.source, row.size_bytes);
}

Result<void> Player::upload(StreamId stream, MemoryRef destination, std::uint64_t size_bytes,
                            ByteView content) {
  if (content.empty()) return backend_.forget(stream, destination, size_bytes);
  return backend_.write(stream, destination, content);
}

/// Empty where it was not kept.
Result<Bytes> Player::content_of(const Copy& copy) {
  if (copy.content.empty()) return Bytes();
  ASSIGN_OR_RETURN(Bytes bytes, contents_(copy.content));
  if (bytes.size() != copy.size_bytes) {
    return Error{ErrorCode::kCorrupt, concat("content ", copy.content, " holds ", bytes.size(),
                                             " bytes, the copy has ", copy.size_bytes)};
  }
  return bytes;
}

Result<void> Player::fill(StreamId stream, const Fill& fill) {
  const Result<void> filled = each_row(fill.counts, [&](const Row& row) {
    return backend_.fill(stream, row.in(fill.destination, fill.pitches), fill.value,
                         fill.value_bytes, fill.row_bytes());
  });
  if (!filled || fill.wait == HostWait::kAsync) return filled;
  return backend_.synchronize_stream(stream);
}

Result<void> Player::wait(const Record& record, const Synchronize& synchronize) {
  switch (synchronize.scope) {
    case SyncScope::kStream:
      return backend_.synchronize_stream(record.stream);
    case SyncScope::kEvent:
      return backend_.synchronize_event(synchronize.event);
    case SyncScope::kDevice:
      break;
  }
  return backend_.synchronize();
}

Launch Player::in_root(Launch launch) const {
  for (LaunchArgument& argument : launch.arguments) {
    argument.memory = recording_.in_root(argument.memory);
  }
  return launch;
}

Copy Player::in_root(Copy copy) const {
  copy.destination = recording_.in_root(copy.destination);
  copy.source = recording_.in_root(copy.source);
  return copy;
}

Fill Player::in_root(Fill fill) const {
  fill.destination = recording_.in_root(fill.destination);
  return fill;
}

WaitValue Player::in_root(WaitValue wait) const {
  wait.place = recording_.in_root(wait.place);
  return wait;
}

bool Player::is_host_memory(MemoryRef place) const {
  return place.allocation && !is_device_memory(recording_.allocation(place.allocation).kind);
}

bool Player::is_live(MemoryRef place, std::uint64_t size_bytes) const {
  const std::uint64_t bytes = recording_.allocation(place.allocation).size_bytes;
  const auto graph = graph_memory_.find(place.allocation);
  return !freed_.contains(place.allocation) && (graph == graph_memory_.end() || graph->second) &&
         place.offset_bytes <= bytes && size_bytes <= bytes - place.offset_bytes;
}

}  // namespace compass::replay
