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
  MemoryRef destination;
  std::uint64_t size_bytes = 0;
  if (const auto* copy = std::get_if<Copy>(&record.body)) {
    destination = copy->destination;
    size_bytes = copy->size_bytes;
  } else if (const auto* fill = std::get_if<Fill>(&record.body)) {
    destination = fill->destination;
    size_bytes = fill->size_bytes;
  }
  if (!destination.allocation || !is_live(destination, size_bytes)) return {};
  return backend_.forget(record.stream, destination, size_bytes);
}

void Player::note_captured(const Record& record) {
  const auto* const made = std::get_if<Allocate>(&record.body);
  if (made == nullptr) return;
  graph_memory_.insert(made->allocation);
  unmade_.insert(made->allocation);
}

Result<void> Player::play_graph(const Record& record, const LaunchGraph& launch,
                                PlayObserver& observer) {
  for (const std::uint64_t sequence : replays_.nodes_of(launch.executable)) {
    const Record& node = recording_.records[sequence - 1];
    if (std::holds_alternative<Free>(node.body)) continue;
    const auto* const made = std::get_if<Allocate>(&node.body);
    if (made != nullptr && unmade_.erase(made->allocation) == 0) continue;
    observer.on_node(record, node);
    RecordBody body = node.body;
    if (auto* const copy = std::get_if<Copy>(&body)) copy->content.clear();
    auto played = play_body(record, body, observer);
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
            return backend_.allocate(recording_.allocation(body.allocation));
          },
          [&](const Free& body) {
            if (graph_memory_.contains(body.allocation)) return Result<void>();
            freed_.insert(body.allocation);
            return backend_.free(body.allocation);
          },
          [&](const Copy& body) { return copy(record, body, observer); },
          [&](const Fill& body) -> Result<void> {
            auto filled = backend_.fill(stream, body.destination, body.value, body.value_bytes,
                                        body.size_bytes);
            if (!filled || body.wait == HostWait::kAsync) return filled;
            return backend_.synchronize_stream(stream);
          },
          [&](const LaunchKernel& body) {
            return backend_.dispatch(stream, recording_.launch(body.launch), record.sequence);
          },
          [&](const LaunchGraph& body) { return play_graph(record, body, observer); },
          [&](const RecordEvent& body) { return backend_.record_event(stream, body.event); },
          [&](const WaitEvent& body) { return backend_.wait_event(stream, body.event); },
          [&](const Synchronize& body) { return wait(record, body); },
          [&](const LoadCodeObject& body) { return load(body.code_object); },
          [&](const UnloadCodeObject& body) { return backend_.unload(body.code_object); },
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
  const bool from_host = from_pageable || is_pinned(copy.source);
  if (from_host && to_pageable) return {};
  if (to_pageable && !observer.wants_reads()) {
    return backend_.read_unused(record.stream, copy.source, copy.size_bytes);
  }
  if (to_pageable) {  // a read waits by itself: its bytes are there
    ASSIGN_OR_RETURN(const Bytes bytes, backend_.read(record.stream, copy.source, copy.size_bytes));
    observer.on_read(record, bytes);
    return {};
  }
  Result<void> copied;
  if (from_pageable) {
    copied = upload(record.stream, copy, copy.destination);
  } else {
    // The program had written the pinned source without any call. Where the copy leaves the source,
    // that is left for the backend to report, once.
    if (from_host && is_live(copy.source, copy.size_bytes)) {
      copied = upload(record.stream, copy, copy.source);
    }
    if (copied) {
      copied = backend_.copy(record.stream, copy.destination, copy.source, copy.size_bytes);
    }
  }
  if (!copied || copy.wait == HostWait::kAsync) return copied;
  return backend_.synchronize_stream(record.stream);
}

/// Puts what the host's source held at enqueue to `destination`.
Result<void> Player::upload(StreamId stream, const Copy& copy, MemoryRef destination) {
  if (copy.content.empty()) return backend_.forget(stream, destination, copy.size_bytes);
  ASSIGN_OR_RETURN(const Bytes bytes, contents_(copy.content));
  if (bytes.size() != copy.size_bytes) {
    return Error{ErrorCode::kCorrupt, concat("content ", copy.content, " holds ", bytes.size(),
                                             " bytes, the copy has ", copy.size_bytes)};
  }
  return backend_.write(stream, destination, bytes);
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

bool Player::is_pinned(MemoryRef place) const {
  return place.allocation &&
         recording_.allocation(place.allocation).kind == AllocationKind::kPinnedHost;
}

bool Player::is_live(MemoryRef place, std::uint64_t size_bytes) const {
  const std::uint64_t bytes = recording_.allocation(place.allocation).size_bytes;
  return !freed_.contains(place.allocation) && !unmade_.contains(place.allocation) &&
         place.offset_bytes <= bytes && size_bytes <= bytes - place.offset_bytes;
}

}  // namespace compass::replay
