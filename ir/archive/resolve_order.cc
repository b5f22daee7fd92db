// SPDX-License-Identifier: MIT
// What a resolver makes of streams, events, waits and steps: of what puts work in order.
#include <utility>

#include "ir/archive/resolver.h"
#include "ir/hip/abi.h"

namespace compass::archive {

/// A per-thread stream is another one in every thread.
std::pair<std::uint64_t, std::uint32_t> Resolver::stream_key(std::uint64_t handle) const {
  return {handle, handle == hip::kStreamPerThread ? thread_ : 0};
}

StreamId Resolver::add_stream(std::uint64_t handle, std::uint32_t flags) {
  const StreamId id{++stream_count_};
  streams_[stream_key(handle)] = id;
  push(id, CreateStream{flags});
  return id;
}

EventId Resolver::add_event(std::uint64_t handle, std::uint32_t flags) {
  const EventId id{++event_count_};
  events_[handle] = id;
  push({}, CreateEvent{id, flags});
  return id;
}

StreamId Resolver::stream(std::uint64_t handle) {
  if (handle == 0 || handle == hip::kStreamLegacy) return {};
  const auto found = streams_.find(stream_key(handle));
  return found == streams_.end() ? add_stream(handle, 0) : found->second;
}

EventId Resolver::event(std::uint64_t handle) {
  const auto found = events_.find(handle);
  return found == events_.end() ? add_event(handle, 0) : found->second;
}

void Resolver::on(const journal::CreateStream& create) { add_stream(create.stream, create.flags); }

void Resolver::on(const journal::DestroyStream& destroy) {
  const auto found = streams_.find(stream_key(destroy.stream));
  if (found == streams_.end()) return;
  const StreamId id = found->second;
  if (status_ == 0) streams_.erase(found);
  push(id, DestroyStream{}, status_);
}

void Resolver::on(const journal::CreateEvent& create) { add_event(create.event, create.flags); }

void Resolver::on(const journal::DestroyEvent& destroy) {
  const auto found = events_.find(destroy.event);
  if (found == events_.end()) return;
  const EventId id = found->second;
  if (status_ == 0) events_.erase(found);
  push({}, DestroyEvent{id}, status_);
}

void Resolver::on(const journal::RecordEvent& record) {
  if (status_ != 0) return;  // of a launch that was to be between two events
  const EventId id = event(record.event);
  push(stream(record.stream), RecordEvent{id});
}

void Resolver::on(const journal::WaitEvent& wait) {
  const EventId id = event(wait.event);
  push(stream(wait.stream), WaitEvent{id});
}

void Resolver::on(const journal::Synchronize& synchronize) {
  switch (synchronize.scope) {
    case journal::SyncScope::kDevice:
      return push({}, Synchronize{SyncScope::kDevice, {}});
    case journal::SyncScope::kStream:
      return push(stream(synchronize.handle), Synchronize{SyncScope::kStream, {}});
    case journal::SyncScope::kEvent:
      return push({}, Synchronize{SyncScope::kEvent, event(synchronize.handle)});
  }
}

void Resolver::on(const journal::BeginStep& begin) {
  if (threads_[thread_].step) on(journal::EndStep{});
  Step step;
  step.id = {static_cast<std::uint32_t>(recording_.steps.size() + 1)};
  step.kind = begin.kind;
  step.produces_output = begin.produces_output;
  step.deferred = begin.deferred;
  step.real_rows = begin.real_rows;
  step.padded_rows = begin.padded_rows;
  step.request_ids = begin.request_ids;
  step.positions = begin.positions;
  for (const std::uint8_t may_end : begin.may_end) step.may_end.push_back(may_end != 0);
  threads_[thread_].step = step.id;
  recording_.steps.push_back(std::move(step));
  push({}, BeginStep{});
}

void Resolver::on(const journal::EndStep&) {
  if (!threads_[thread_].step) return;
  push({}, EndStep{});
  threads_[thread_].step = {};
}

}  // namespace compass::archive
