// SPDX-License-Identifier: MIT
#include "capture/tracker/pending_copies.h"

#include <algorithm>

namespace compass::capture {
namespace {

constexpr std::uint64_t kLegacy = 0;

void join(std::vector<std::uint64_t>& clock, const std::vector<std::uint64_t>& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

bool overlap(const HostRows& rows, std::uint64_t start, std::uint64_t end) {
  return rows.address < end && start < rows.end();
}

}  // namespace

void PendingCopies::clear() {
  copies_.clear();
  streams_.clear();
  events_.clear();
  places_ = 0;
}

void PendingCopies::add_stream(std::uint64_t stream, bool is_blocking) {
  if (is_blocking) {
    non_blocking_.erase(stream);
  } else {
    non_blocking_.insert(stream);
  }
}

void PendingCopies::forget_stream(std::uint64_t stream) {
  non_blocking_.erase(stream);
  streams_.erase(stream);  // the next of this handle is another one
}

PendingCopies::Stream& PendingCopies::stream_at(std::uint64_t stream) {
  const auto [found, is_new] = streams_.try_emplace(stream);
  if (is_new) found->second.place = places_++;
  return found->second;
}

/// What the stream is given now comes after what the legacy stream was given, or, where it is that
/// one, after what all blocking streams were.
void PendingCopies::order_by_legacy(std::uint64_t handle, Stream& stream) {
  if (handle != kLegacy) {
    const auto legacy = streams_.find(kLegacy);
    if (legacy != streams_.end() && is_blocking(handle)) join(stream.clock, legacy->second.clock);
    return;
  }
  for (const auto& [other, state] : streams_) {
    if (other != kLegacy && is_blocking(other)) join(stream.clock, state.clock);
  }
}

void PendingCopies::add_work(std::uint64_t stream) {
  const bool has_legacy = stream == kLegacy || streams_.contains(kLegacy);
  if (has_legacy) order_by_legacy(stream, stream_at(stream));
}

void PendingCopies::add_copy(std::uint64_t stream, const Copy& copy) {
  if (copies_.size() == kMost) copies_.erase(copies_.begin(), copies_.begin() + kMost / 2);
  if (copy.side == HostSide::kDestination) {
    for (Pending& pending : copies_) {
      pending.copy.is_overwritten |= overlap(pending.copy.host, copy.host.address, copy.host.end());
    }
  }
  Stream& state = stream_at(stream);
  order_by_legacy(stream, state);
  copies_.push_back({++last_id_, state.place, copy});
  if (state.clock.size() <= state.place) state.clock.resize(state.place + 1);
  state.clock[state.place] = last_id_;
}

void PendingCopies::record_event(std::uint64_t stream, std::uint64_t event) {
  Stream& state = stream_at(stream);
  order_by_legacy(stream, state);
  events_[event] = state.clock;
}

void PendingCopies::wait_event(std::uint64_t stream, std::uint64_t event) {
  Stream& state = stream_at(stream);
  order_by_legacy(stream, state);
  if (const auto found = events_.find(event); found != events_.end()) {
    join(state.clock, found->second);
  }
}

std::vector<PendingCopies::Id> PendingCopies::before(const Clock& clock) const {
  std::vector<Id> ids;
  for (const Pending& pending : copies_) {
    if (pending.stream < clock.size() && pending.id <= clock[pending.stream]) {
      ids.push_back(pending.id);
    }
  }
  return ids;
}

std::vector<PendingCopies::Id> PendingCopies::before_stream(std::uint64_t stream) {
  const auto found = streams_.find(stream);
  if (stream != kLegacy)
    return found == streams_.end() ? std::vector<Id>() : before(found->second.clock);
  Stream waited;
  if (found != streams_.end()) waited.clock = found->second.clock;
  order_by_legacy(stream, waited);
  return before(waited.clock);
}

std::vector<PendingCopies::Id> PendingCopies::before_event(std::uint64_t event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? std::vector<Id>() : before(found->second);
}

std::vector<PendingCopies::Id> PendingCopies::before_device() const {
  std::vector<Id> ids;
  for (const Pending& pending : copies_) ids.push_back(pending.id);
  return ids;
}

void PendingCopies::note_ran(std::uint64_t entry, std::uint64_t call) {
  auto at = std::lower_bound(copies_.begin(), copies_.end(), entry,
                             [](const Pending& pending, std::uint64_t wanted) {
                               return pending.copy.doer.entry < wanted;
                             });
  for (; at != copies_.end() && at->copy.doer.entry == entry; ++at) at->copy.ran_in = call;
}

template <class Remove>
void PendingCopies::remove_if(Remove remove) {
  std::erase_if(copies_, remove);
  if (copies_.empty()) clear();
}

void PendingCopies::forget_entry(std::uint64_t entry) {
  remove_if([=](const Pending& pending) { return pending.copy.doer.entry == entry; });
}

void PendingCopies::forget_memory(std::uint64_t address, std::uint64_t size_bytes) {
  remove_if([=](const Pending& pending) {
    return overlap(pending.copy.host, address, address + size_bytes);
  });
}

std::vector<PendingCopies::Copy> PendingCopies::take(std::span<const Id> ids) {
  std::vector<Copy> taken;
  remove_if([&](const Pending& pending) {
    if (!std::binary_search(ids.begin(), ids.end(), pending.id)) return false;
    taken.push_back(pending.copy);
    return true;
  });
  return taken;
}

}  // namespace compass::capture
