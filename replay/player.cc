// SPDX-License-Identifier: MIT
#include "replay/player.h"

#include <algorithm>
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
  return content.empty() ? content : content.subspan(row.index * row_bytes, row_bytes);
}

/// What a node copies in this launch of its graph. Its source may have changed since it was
/// captured.
Copy in_launch(Copy copy, std::uint64_t node, const LaunchGraph& launch) {
  copy.content.clear();
  copy.completed = {};
  for (const NodeCopy& known : launch.copies) {
    if (known.record != node) continue;
    copy.content = known.content;
    copy.completed = known.completed;
  }
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
  node_ = 0;
  runs_of_node_.clear();
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
    node_ = sequence;
    const auto* const copy = std::get_if<Copy>(&node.body);
    auto played = copy == nullptr
                      ? play_body(record, node.body, observer)
                      : this->copy(record, in_launch(in_root(*copy), sequence, launch), observer);
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
          [&](const LaunchKernel& body) { return dispatch(record, body); },
          [&](const LaunchGraph& body) { return play_graph(record, body, observer); },
          [&](const RecordEvent& body) { return backend_.record_event(stream, body.event); },
          [&](const WaitEvent& body) { return backend_.wait_event(stream, body.event); },
          [&](const Synchronize& body) { return wait(record, body); },
          [&](const LoadCodeObject& body) { return load(body.code_object); },
          [&](const UnloadCodeObject& body) { return backend_.unload(body.code_object); },
          [&](const WaitValue& body) { return backend_.wait_value(stream, in_root(body)); },
          [&](const HostWrite& body) { return host_write(body); },
          [](const auto&) { return Result<void>(); },
      },
      what);
}

/// `node_` is what the launch of a graph is at; 0 where the record is a launch itself.
Result<void> Player::dispatch(const Record& record, const LaunchKernel& launch) {
  const std::pair key(record.sequence, node_);
  const auto key_of = [](const LaunchIndex& index) { return std::pair(index.record, index.node); };
  const auto& indices = recording_.launch_indices;
  auto index = std::lower_bound(
      indices.begin(), indices.end(), key,
      [&](const LaunchIndex& each, const auto& wanted) { return key_of(each) < wanted; });
  for (std::uint64_t before = runs_of_node_[key]++; before != 0 && index != indices.end();
       --before) {
    ++index;
  }
  if (index != indices.end() && key_of(*index) == key) {
    if (auto ok = reveal(*index); !ok) return ok;
  }
  return backend_.dispatch(record.stream, in_root(recording_.launch_of(launch)), record.sequence);
}

Result<void> Player::reveal(const LaunchIndex& index) {
  for (const IndexContent& content : index.contents) {
    ASSIGN_OR_RETURN(const Bytes bytes, contents_(content.content));
    if (bytes.size() != total_bytes(content.runs)) {
      return Error{ErrorCode::kCorrupt,
                   concat("the index bytes in allocation ", content.allocation.value, " are ",
                          bytes.size(), ", expected ", total_bytes(content.runs))};
    }
    std::uint64_t at = 0;
    for_each_range(content.runs, [&](std::uint64_t first, std::uint64_t size_bytes) {
      backend_.reveal({content.allocation, first}, ByteView(bytes).subspan(at, size_bytes));
      at += size_bytes;
    });
  }
  return {};
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
  if (to_pageable && (from_pageable || is_host_memory(copy.source))) return {};
  if (to_pageable) return read_back(record, copy, observer);
  const Result<void> copied = copy_rows(record.stream, copy, from_pageable);
  if (!copied) return copied;
  if (copy.wait == HostWait::kBlocking) {
    auto waited = backend_.synchronize_stream(record.stream);
    if (!waited) return waited;
  }
  if (copy.completed.result.empty() || !observer.wants_results()) return {};
  ASSIGN_OR_RETURN(const Bytes played,
                   read_rows(record.stream, copy.destination, copy.destination_pitches, copy));
  return compare(record, copy, copy.destination, copy.destination_pitches, played, observer);
}

/// The bytes of all rows that start at `place`.
Result<Bytes> Player::read_rows(StreamId stream, MemoryRef place, const Pitches& pitches,
                                const Copy& copy) {
  Bytes bytes;
  auto read = each_row(copy.counts, [&](const Row& row) -> Result<void> {
    ASSIGN_OR_RETURN(const Bytes part,
                     backend_.read(stream, row.in(place, pitches), copy.row_bytes()));
    bytes.insert(bytes.end(), part.begin(), part.end());
    return {};
  });
  if (!read) return std::move(read).error();
  return bytes;
}

/// `place`: where `played` was read.
Result<void> Player::compare(const Record& record, const Copy& copy, const MemoryRef& place,
                             const Pitches& pitches, ByteView played, PlayObserver& observer) {
  ASSIGN_OR_RETURN(const Bytes recorded, content(copy.completed.result, copy.size_bytes));
  Bytes unknown;
  std::uint64_t row_start = 0;
  auto asked = each_row(copy.counts, [&](const Row& row) -> Result<void> {
    ASSIGN_OR_RETURN(const Bytes part, backend_.unknown(row.in(place, pitches), copy.row_bytes()));
    if (!part.empty()) {
      unknown.resize(row_start);  // of rows before it nothing is unknown
      unknown.insert(unknown.end(), part.begin(), part.end());
    }
    row_start += copy.row_bytes();
    return {};
  });
  if (asked) observer.on_result(record, {recorded, played, unknown});
  return asked;
}

/// A read waits by itself: its bytes are there.
Result<void> Player::read_back(const Record& record, const Copy& copy, PlayObserver& observer) {
  const bool is_compared = observer.wants_results() && !copy.completed.result.empty();
  if (!observer.wants_reads() && !is_compared) {
    return each_row(copy.counts, [&](const Row& row) {
      return backend_.read_unused(record.stream, row.in(copy.source, copy.source_pitches),
                                  copy.row_bytes());
    });
  }
  ASSIGN_OR_RETURN(const Bytes bytes,
                   read_rows(record.stream, copy.source, copy.source_pitches, copy));
  if (observer.wants_reads()) observer.on_read(record, bytes);
  if (!is_compared) return {};
  return compare(record, copy, copy.source, copy.source_pitches, bytes, observer);
}

Result<void> Player::copy_rows(StreamId stream, const Copy& copy, bool from_pageable) {
  Carried carried;
  if (from_pageable || is_host_memory(copy.source)) {
    ASSIGN_OR_RETURN(carried, carried_by(copy));
  }
  return each_row(copy.counts, [&](const Row& row) {
    const std::uint64_t row_bytes = copy.row_bytes();
    return copy_row(stream, one_row_of(copy, row), from_pageable,
                    {row_of(carried.bytes, row, row_bytes), row_of(carried.other, row, row_bytes)});
  });
}

/// A copy of one row. `carried`: what a source of the host's held.
Result<void> Player::copy_row(StreamId stream, const Copy& row, bool from_pageable,
                              const CarriedRow& carried) {
  if (from_pageable) return upload(stream, row.destination, row.size_bytes, carried);
  // The program had written the pinned source without any call. Where the copy leaves the source,
  // that is left for the backend to report, once.
  if (is_host_memory(row.source) && is_live(row.source, row.size_bytes)) {
    auto uploaded = upload(stream, row.source, row.size_bytes, carried);
    if (!uploaded) return uploaded;
  }
  return backend_.copy(stream, row.destination, row.source, row.size_bytes);
}

Result<void> Player::upload(StreamId stream, MemoryRef destination, std::uint64_t size_bytes,
                            const CarriedRow& carried) {
  if (carried.bytes.empty()) return backend_.forget(stream, destination, size_bytes);
  if (auto ok = backend_.write(stream, destination, carried.bytes); !ok) return ok;
  for (std::uint64_t start = 0; start < carried.other.size(); ++start) {
    std::uint64_t end = start;
    while (end < carried.other.size() && carried.other[end] != carried.bytes[end]) ++end;
    if (end == start) continue;
    const MemoryRef either{destination.allocation, destination.offset_bytes + start};
    if (auto ok = backend_.forget(stream, either, end - start); !ok) return ok;
    start = end;
  }
  return {};
}

Result<Player::Carried> Player::carried_by(const Copy& copy) {
  const CompletedCopy& completed = copy.completed;
  const bool has_changed = !completed.source.empty() && completed.source != copy.content;
  const bool was_completed = has_changed && completed.copied == CopiedBytes::kCompleted;
  Carried carried;
  ASSIGN_OR_RETURN(carried.bytes,
                   content(was_completed ? completed.source : copy.content, copy.size_bytes));
  if (has_changed && completed.copied == CopiedBytes::kUnknown && !carried.bytes.empty()) {
    ASSIGN_OR_RETURN(carried.other, content(completed.source, copy.size_bytes));
  }
  return carried;
}

/// Empty where it was not kept.
Result<Bytes> Player::content(const std::string& sha256, std::uint64_t size_bytes) {
  if (sha256.empty()) return Bytes();
  ASSIGN_OR_RETURN(Bytes bytes, contents_(sha256));
  if (bytes.size() != size_bytes) {
    return Error{ErrorCode::kCorrupt, concat("content ", sha256, " holds ", bytes.size(),
                                             " bytes, the copy has ", size_bytes)};
  }
  return bytes;
}

Result<void> Player::host_write(const HostWrite& write) {
  const MemoryRef place = recording_.in_root(write.place);
  if (!is_live(place, write.size_bytes)) return {};
  ASSIGN_OR_RETURN(const Bytes bytes, content(write.content, write.size_bytes));
  return upload({}, place, write.size_bytes, {bytes, {}});
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
