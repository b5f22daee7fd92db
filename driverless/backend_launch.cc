// SPDX-License-Identifier: MIT
// What DriverlessBackend does with launches, and with unknown values in them.
#include <algorithm>
#include <utility>

#include "driverless/backend.h"

namespace compass {

/// What a launch has touched of one allocation.
struct DriverlessBackend::Touched {
  AllocationId allocation;
  TouchedExtents extents;
};

/// Between the agent and the observer while a launch runs.
class DriverlessBackend::Watch : public Observer {
 public:
  Watch(const DriverlessBackend& backend, const Launch& launch)
      : backend_(backend), launch_(launch) {}

  void on_dispatch(std::uint64_t record) override { backend_.observer_.on_dispatch(record); }
  void on_fault(const Fault& fault) override { backend_.observer_.on_fault(fault); }
  void on_tainted_decision(const TaintedDecision& decision) override {
    TaintedDecision explained = decision;
    backend_.explain(explained, launch_);
    rests_on_unknown_ = rests_on_unknown_ || !decision.undefined;
    backend_.observer_.on_tainted_decision(explained);
  }
  void on_watched_access(const WatchedAccess& store) override {
    backend_.observer_.on_watched_access(store);
  }
  void on_ended(std::uint64_t record, std::uint64_t wave_instructions) override {
    backend_.observer_.on_ended(record, wave_instructions);
  }
  void on_nonfinite(std::uint64_t record, AllocationId allocation,
                    std::uint64_t offset_bytes) override {
    backend_.observer_.on_nonfinite(record, allocation, offset_bytes);
  }
  void on_touched(std::uint64_t record, AllocationId allocation,
                  const TouchedExtents& extents) override {
    touched_.push_back({allocation, extents});
    backend_.observer_.on_touched(record, allocation, extents);
  }
  void on_stopped(std::uint64_t record, const std::string& cause) override {
    backend_.observer_.on_stopped(record, cause);
  }

  bool rests_on_unknown() const { return rests_on_unknown_; }
  const std::vector<Touched>& touched() const { return touched_; }

 private:
  const DriverlessBackend& backend_;
  const Launch& launch_;
  bool rests_on_unknown_ = false;
  std::vector<Touched> touched_;
};

void DriverlessBackend::reveal(MemoryRef place, ByteView bytes) {
  const Region* const region = live_region(place.allocation);
  if (region == nullptr || !region->contains(region->base + place.offset_bytes, bytes.size())) {
    return;
  }
  const std::uint64_t end = place.offset_bytes + bytes.size();
  for (std::uint64_t at = place.offset_bytes; at < end; ++at) {
    at = region->shadow->find(at, end - at, ByteState::kUnknown);
    if (at >= end) return;
    region->host[at] = bytes[at - place.offset_bytes];
    region->shadow->set_state(at, 1, ByteState::kKnown);
  }
}

Result<void> DriverlessBackend::dispatch(StreamId, const Launch& launch, std::uint64_t record) {
  record_ = record;
  const auto found = kernels_.find(launch.kernel);
  if (found == kernels_.end()) {
    return Error{ErrorCode::kCorrupt,
                 concat("kernel ", launch.kernel.value, " is launched before its code is loaded")};
  }
  const PlayedKernel& kernel = found->second;
  if (kernel.loaded == nullptr) {
    stop(launch, record, concat(kernel.metadata.canonical, ": ", kernel.cause));
    return {};
  }
  ASSIGN_OR_RETURN(const Bytes kernarg, explicit_kernarg(launch));
  Watch watch(*this, launch);
  Look* const look = observer_.look_at(record);
  const auto finished = agent_.dispatch({.kernel = kernel.loaded,
                                         .grid_workgroups = launch.grid_workgroups,
                                         .workgroup_workitems = launch.workgroup_workitems,
                                         .dynamic_lds_bytes = launch.dynamic_lds_bytes,
                                         .explicit_kernarg = kernarg,
                                         .is_cooperative = launch.is_cooperative,
                                         .record = record,
                                         .look = look,
                                         .poison = poison_,
                                         .checks_numbers = look == nullptr},
                                        watch);
  if (!finished) {
    stop(launch, record, concat(kernel.metadata.canonical, ": ", finished.error().message));
  } else if (!*finished || watch.rests_on_unknown()) {
    spread(launch, watch.touched(), record);
  } else {
    carry(watch.touched(), record);
  }
  return {};
}

/// Arguments that point into freed memory keep their address: dangling pointers stay dangling.
Result<Bytes> DriverlessBackend::explicit_kernarg(const Launch& launch) const {
  Bytes kernarg;
  for (const LaunchArgument& argument : launch.arguments) {
    std::uint64_t address = argument.memory.offset_bytes;
    ByteView value = argument.bytes;
    if (argument.is_pointer) {
      if (argument.memory.allocation) {
        ASSIGN_OR_RETURN(const Held* held, find(argument.memory.allocation));
        address += held->allocation.address.value;
      }
      value = std::as_bytes(std::span(&address, 1));
    }
    const std::uint64_t end = std::uint64_t{argument.offset_bytes} + value.size();
    if (kernarg.size() < end) kernarg.resize(end);
    std::copy(value.begin(), value.end(), kernarg.begin() + argument.offset_bytes);
  }
  return kernarg;
}

/// The live allocations that the arguments point into, also from inside by-value structures.
std::vector<AllocationId> DriverlessBackend::reach(const Launch& launch) const {
  std::vector<AllocationId> reached;
  const auto add = [&](AllocationId allocation) {
    if (live_region(allocation) != nullptr) reached.push_back(allocation);
  };
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.is_pointer) add(argument.memory.allocation);
    for (std::uint64_t at = 0; at + 8 <= argument.bytes.size(); at += 8) {
      const Region* region =
          agent_.memory().find({compass::load<std::uint64_t>(argument.bytes, at)});
      if (region != nullptr) add(region->id);
    }
  }
  return reached;
}

void DriverlessBackend::stop(const Launch& launch, std::uint64_t record, const std::string& why) {
  observer_.on_stopped(record, why);
  spread(launch, {}, record);
}

/// What the launch did is not what it did when it was recorded: all that it could have written, and
/// all that it has written here, is unknown.
void DriverlessBackend::spread(const Launch& launch, const std::vector<Touched>& touched,
                               std::uint64_t record) {
  const UnknownCause cause{UnknownCause::Kind::kUncheckedLaunch, record};
  for (const AllocationId allocation : reach(launch)) {
    note({allocation, 0}, held_.at(allocation).allocation.size_bytes, ByteState::kUnknown, cause);
  }
  for (const Touched& one : touched) {
    for (const Extent& extent : one.extents.writes) {
      note({one.allocation, extent.begin}, extent.end - extent.begin, ByteState::kUnknown, cause);
    }
  }
}

/// Unknown bytes that the launch has only moved or computed with stay unknown for their old reason.
void DriverlessBackend::carry(const std::vector<Touched>& touched, std::uint64_t record) {
  if (causes_.empty()) return;
  const UnknownCause cause = cause_of_reads(touched, record);
  if (cause == UnknownCause{}) return;
  causes_.try_emplace(record, cause);
  for (const Touched& one : touched) {
    if (!one.extents.writes.empty()) held_.at(one.allocation).cause = cause;
  }
}

/// Of the first unknown byte that the launch has read.
UnknownCause DriverlessBackend::cause_of_reads(const std::vector<Touched>& touched,
                                               std::uint64_t record) const {
  UnknownCause in_place;
  for (const Touched& one : touched) {
    const Region* region = live_region(one.allocation);
    if (region == nullptr) continue;
    for (const Extent& extent : one.extents.reads) {
      const std::uint64_t at =
          region->shadow->find(extent.begin, extent.end - extent.begin, ByteState::kUnknown);
      if (at == extent.end) continue;
      if (region->shadow->writer(at) != record) return cause_of(*region, at);
      in_place = held_.at(one.allocation).cause;  // it has overwritten what it read
    }
  }
  return in_place;
}

UnknownCause DriverlessBackend::cause_of(const Region& region, std::uint64_t offset_bytes) const {
  const auto found = causes_.find(region.shadow->writer(offset_bytes));
  return found == causes_.end() ? held_.at(region.id).cause : found->second;
}

void DriverlessBackend::explain(TaintedDecision& decision, const Launch& launch) const {
  const Region* region = decision.origin_space == AddressSpace::kGlobal && decision.has_origin
                             ? live_region(decision.origin_allocation)
                             : nullptr;
  if (region != nullptr && decision.origin_offset_bytes < region->size_bytes) {
    decision.origin_writer = region->shadow->writer(decision.origin_offset_bytes);
    if (!decision.undefined) decision.cause = cause_of(*region, decision.origin_offset_bytes);
  }
  if (decision.undefined || decision.cause != UnknownCause{}) return;
  for (const AllocationId allocation : reach(launch)) {  // it came through LDS, for instance
    decision.cause = held_.at(allocation).cause;
    if (decision.cause != UnknownCause{}) return;
  }
}

}  // namespace compass
