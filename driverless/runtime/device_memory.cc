// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_memory.h"

#include <algorithm>
#include <utility>

#include "driverless/agent.h"
#include "driverless/runtime/notice.h"

namespace compass {
namespace {

DeviceAddress device_address(const void* pointer) {
  return {reinterpret_cast<std::uint64_t>(pointer)};
}

std::uint64_t whole_pages(std::uint64_t size_bytes) {
  return (size_bytes + HostArena::kPageBytes - 1) & ~(HostArena::kPageBytes - 1);
}

void* row_at(const Pitched& place, std::uint64_t slice, std::uint64_t row) {
  return static_cast<std::byte*>(place.pointer) + slice * place.slice_pitch_bytes +
         row * place.row_pitch_bytes;
}

/// Calls `visit(slice, row, size_bytes)` for each row; a linear box is one.
template <class Visit>
void for_each_row(const Box& box, Visit visit) {
  if (box.width_bytes == 0 || box.height == 0) return;  // however many slices
  for (std::uint64_t slice = 0; slice < box.depth; ++slice) {
    for (std::uint64_t row = 0; row < box.height; ++row) visit(slice, row, box.width_bytes);
  }
}

}  // namespace

HostArena* DeviceMemory::arena() {
  if (arena_) return &*arena_;
  Result<HostArena> reserved = HostArena::reserve(storage_);
  if (!reserved) {
    notice_once(reserved.error().message);
    return nullptr;
  }
  arena_.emplace(*std::move(reserved));
  return &*arena_;
}

hip::Error DeviceMemory::allocate(RegionKind kind, std::uint64_t size_bytes, void** pointer,
                                  AllocationOrigin origin) {
  *pointer = nullptr;
  if (size_bytes == 0) return hip::kSuccess;
  const bool is_watched = kind != RegionKind::kDevice && watched_ != nullptr;
  const std::uint64_t taken_bytes = is_watched ? whole_pages(size_bytes) : size_bytes;
  void* const start = reserve(taken_bytes);
  if (start == nullptr) return hip::kErrorOutOfMemory;
  auto* host = static_cast<std::byte*>(start);
  if (is_watched) {
    const Result<std::byte*> view = watched_->add(host, taken_bytes);
    if (!view) notice_once(view.error().message);
    if (view) host = *view;
  }
  const Region region{.base = device_address(start),
                      .size_bytes = size_bytes,
                      .host = host,
                      .kind = kind,
                      .id = {}};
  if (const hip::Error error = map(region, std::move(origin)); error != hip::kSuccess) {
    release(start);
    return hip::kErrorOutOfMemory;
  }
  *pointer = start;
  return hip::kSuccess;
}

hip::Error DeviceMemory::map(Region region, AllocationOrigin origin) {
  region.generation = ++generations_[region.base.value];
  allocated_.push_back({region.base, region.generation});
  region.id = AllocationId{static_cast<std::uint32_t>(allocated_.size())};
  const auto mapped = memory_.map(region);
  if (!mapped) {  // no allocation, also not for who counts them
    --generations_[region.base.value];
    allocated_.pop_back();
    return hip::kErrorAlreadyMapped;
  }
  origins_.emplace(region.id, std::move(origin));
  return hip::kSuccess;
}

void* DeviceMemory::reserve(std::uint64_t size_bytes) {
  HostArena* const range = arena();
  return range == nullptr ? nullptr : range->allocate(size_bytes);
}

void DeviceMemory::release(void* start) {
  if (arena_) arena_->release(static_cast<std::byte*>(start));
}

void* DeviceMemory::reserve_for_graph(std::uint64_t size_bytes) {
  void* const start = reserve(size_bytes);
  if (start != nullptr) {
    const std::uint64_t begin = device_address(start).value;
    graph_ranges_[begin] = begin + size_bytes;
  }
  return start;
}

void DeviceMemory::release_from_graph(void* start) {
  graph_ranges_.erase(device_address(start).value);
  release(start);
}

bool DeviceMemory::is_in_graph(const void* address, std::uint64_t size_bytes) const {
  const std::uint64_t begin = device_address(address).value;
  const auto after = graph_ranges_.upper_bound(begin);
  return after != graph_ranges_.begin() && size_bytes <= std::prev(after)->second - begin &&
         begin < std::prev(after)->second;
}

bool DeviceMemory::is_for_graph(const Operation& operation) const {
  if (graph_ranges_.empty()) return false;
  if (const auto* const fill = std::get_if<FillOperation>(&operation)) {
    return place_of(fill->to, fill->box) == Place::kGraph;
  }
  const auto* const copy = std::get_if<CopyOperation>(&operation);
  return copy != nullptr && (place_of(copy->to, copy->box) == Place::kGraph ||
                             place_of(copy->from, copy->box) == Place::kGraph);
}

/// Whether or not its end has begun.
LiveAllocation DeviceMemory::any_with(const void* pointer) const {
  const Region* const region = memory_.find(device_address(pointer));
  const auto origin = region == nullptr ? origins_.end() : origins_.find(region->id);
  return origin == origins_.end() ? LiveAllocation{} : LiveAllocation{region, &origin->second};
}

LiveAllocation DeviceMemory::find(const void* pointer) const {
  const LiveAllocation found = any_with(pointer);
  return found && ending_.contains(found.region->id) ? LiveAllocation{} : found;
}

LiveAllocation DeviceMemory::starting_at(const void* pointer) const {
  const LiveAllocation found = find(pointer);
  return found && found.region->base == device_address(pointer) ? found : LiveAllocation{};
}

LiveAllocation DeviceMemory::ending_at(const void* pointer) const {
  const LiveAllocation found = any_with(pointer);
  const bool is_ending =
      found && found.region->base == device_address(pointer) && ending_.contains(found.region->id);
  return is_ending ? found : LiveAllocation{};
}

std::vector<const void*> DeviceMemory::freeable_on(int device_ordinal) const {
  std::vector<const void*> starts;
  for (const auto& [address, generation] : generations_) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where an allocation started once
    const void* const start = reinterpret_cast<const void*>(address);
    const LiveAllocation found = starting_at(start);
    const bool is_on_device = found && found.origin->device_ordinal == device_ordinal &&
                              found.region->kind != RegionKind::kPinnedHost;
    if (is_on_device && found.origin->is_freeable()) starts.push_back(start);
  }
  return starts;
}

bool DeviceMemory::set_synchronizes(const void* pointer, bool synchronizes) {
  const LiveAllocation found = find(pointer);
  if (found) origins_.at(found.region->id).synchronizes = synchronizes;
  return static_cast<bool>(found);
}

void DeviceMemory::begin_end(const void* pointer) {
  if (const LiveAllocation found = starting_at(pointer)) ending_.insert(found.region->id);
}

hip::Error DeviceMemory::end(const void* pointer) {
  const LiveAllocation found = any_with(pointer);
  if (!found || found.region->base != device_address(pointer)) return hip::kErrorInvalidValue;
  const bool is_stored_here = found.origin->is_freeable();
  const std::shared_ptr<const void> addresses = found.origin->addresses;
  ending_.erase(found.region->id);
  origins_.erase(found.region->id);
  const bool is_watched = watched_ != nullptr && found.region->kind != RegionKind::kDevice;
  const Result<Region> ended = memory_.unmap(found.region->base);
  CHECK(ended.has_value());
  if (!is_stored_here) return hip::kSuccess;
  auto* const start = static_cast<std::byte*>(const_cast<void*>(pointer));
  if (addresses != nullptr) {
    storage_.discard({start, ended->size_bytes});
    return hip::kSuccess;
  }
  if (is_watched) watched_->remove(start);
  release(start);
  return hip::kSuccess;
}

void* DeviceMemory::storage(const void* pointer, std::uint64_t size_bytes) const {
  return memory_.host(device_address(pointer), size_bytes);
}

const DeviceMemory::Allocated* DeviceMemory::allocated(AllocationId id) const {
  return id.value == 0 || id.value > allocated_.size() ? nullptr : &allocated_[id.value - 1];
}

std::uint32_t DeviceMemory::writer(AllocationId id, std::uint64_t offset_bytes) const {
  const Allocated* const made = allocated(id);
  const Region* const region = made == nullptr ? nullptr : memory_.find(made->base);
  const bool is_live = region != nullptr && region->id == id && region->shadow != nullptr;
  return is_live && offset_bytes < region->size_bytes ? region->shadow->writer(offset_bytes) : 0;
}

FaultyTransfer DeviceMemory::fault_of(AccessKind access, const void* address,
                                      std::uint64_t size_bytes) const {
  const bool was_freed = memory_.find(device_address(address)) == nullptr &&
                         memory_.freed(device_address(address)) != nullptr;
  return {was_freed ? FaultKind::kUseAfterFree : FaultKind::kOutOfBounds, access, address,
          size_bytes};
}

bool DeviceMemory::is_pageable(const void* pointer) const {
  return locate(pointer, 1).place == Place::kHost;
}

DeviceMemory::Located DeviceMemory::locate(const void* address, std::uint64_t size_bytes) const {
  if (address == nullptr) return {};
  const DeviceAddress start = device_address(address);
  if (const Region* const region = memory_.find(start)) {
    const std::uint64_t offset = start.value - region->base.value;
    return {Place::kLive, region->host + offset, std::min(size_bytes, region->size_bytes - offset),
            region};
  }
  if (arena_ && arena_->covers(address)) return {};
  return {Place::kHost, static_cast<std::byte*>(const_cast<void*>(address)), size_bytes};
}

bool DeviceMemory::is_mapped(const Region& region) const {
  const auto origin = origins_.find(region.id);
  return origin != origins_.end() && origin->second.source == AllocationOrigin::Source::kMapped;
}

/// Only what a program mapped side by side counts as one.
DeviceMemory::Place DeviceMemory::place_of(const void* address, std::uint64_t size_bytes) const {
  const auto* next = static_cast<const std::byte*>(address);
  Located part = locate(next, size_bytes);
  if (part.place == Place::kInvalid && is_in_graph(address, size_bytes)) return Place::kGraph;
  if (part.place != Place::kLive) return part.place;
  for (;;) {
    if (ending_.contains(part.region->id)) return Place::kInvalid;
    size_bytes -= part.size_bytes;
    next += part.size_bytes;
    if (size_bytes == 0) return Place::kLive;
    if (!is_mapped(*part.region)) return Place::kInvalid;
    part = locate(next, size_bytes);
    if (part.place != Place::kLive || !is_mapped(*part.region)) return Place::kInvalid;
  }
}

DeviceMemory::Place DeviceMemory::place_of(const Pitched& place, const Box& box) const {
  return place_of(place.pointer, span_bytes(place, box).value_or(0));
}

hip::Error DeviceMemory::check(const CopyOperation& copy) const {
  if (copy.kind > hip::kMemcpyDefault) return hip::kErrorInvalidMemcpyDirection;
  const auto to_bytes = span_bytes(copy.to, copy.box);
  const auto from_bytes = span_bytes(copy.from, copy.box);
  if (!to_bytes || !from_bytes) return hip::kErrorInvalidPitchValue;
  if (*to_bytes == 0) return hip::kSuccess;
  const Place to = place_of(copy.to.pointer, *to_bytes);
  const Place from = place_of(copy.from.pointer, *from_bytes);
  const bool to_device =
      copy.kind == hip::kMemcpyHostToDevice || copy.kind == hip::kMemcpyDeviceToDevice;
  const bool from_device =
      copy.kind == hip::kMemcpyDeviceToHost || copy.kind == hip::kMemcpyDeviceToDevice;
  const bool wrong = to == Place::kInvalid || from == Place::kInvalid ||
                     (to_device && to == Place::kHost) || (from_device && from == Place::kHost);
  return wrong ? hip::kErrorInvalidValue : hip::kSuccess;
}

hip::Error DeviceMemory::check(const FillOperation& fill) const {
  const auto size_bytes = span_bytes(fill.to, fill.box);
  if (!size_bytes) return hip::kErrorInvalidPitchValue;
  if (*size_bytes == 0) return hip::kSuccess;
  const Place to = place_of(fill.to.pointer, *size_bytes);
  return to == Place::kLive || to == Place::kGraph ? hip::kSuccess : hip::kErrorInvalidValue;
}

std::optional<FaultyTransfer> DeviceMemory::run(const CopyOperation& copy, std::uint32_t writer) {
  std::optional<FaultyTransfer> fault;
  for_each_row(copy.box, [&](std::uint64_t slice, std::uint64_t row, std::uint64_t size_bytes) {
    const void* const from = row_at(copy.from, slice, row);
    const auto offset =
        static_cast<const std::byte*>(from) - static_cast<const std::byte*>(copy.from.pointer);
    const auto of_row = copy_row(row_at(copy.to, slice, row), from,
                                 copy.staged == nullptr ? nullptr : copy.staged->data() + offset,
                                 size_bytes, writer);
    if (!fault) fault = of_row;
  });
  return fault;
}

std::optional<FaultyTransfer> DeviceMemory::copy_row(void* to, const void* from,
                                                     const std::byte* staged,
                                                     std::uint64_t size_bytes,
                                                     std::uint32_t writer) {
  for (std::uint64_t done = 0; done < size_bytes;) {
    void* const part_to = static_cast<std::byte*>(to) + done;
    const void* const part_from = static_cast<const std::byte*>(from) + done;
    const Located target = locate(part_to, size_bytes - done);
    const Located source = locate(part_from, size_bytes - done);
    if (target.host == nullptr) return fault_of(AccessKind::kStore, part_to, size_bytes - done);
    if (source.host == nullptr && staged == nullptr) {
      return fault_of(AccessKind::kLoad, part_from, size_bytes - done);
    }
    const std::uint64_t part_bytes =
        staged == nullptr ? std::min(target.size_bytes, source.size_bytes) : target.size_bytes;
    storage_.copy({target.host, part_bytes},
                  {staged == nullptr ? source.host : staged + done, part_bytes});
    memory_.note_copy(device_address(part_to), device_address(part_from), part_bytes, writer);
    done += part_bytes;
  }
  return std::nullopt;
}

std::optional<FaultyTransfer> DeviceMemory::run(const FillOperation& fill, std::uint32_t writer) {
  std::optional<FaultyTransfer> fault;
  for_each_row(fill.box, [&](std::uint64_t slice, std::uint64_t row, std::uint64_t size_bytes) {
    for (std::uint64_t done = 0; done < size_bytes;) {
      void* const part = static_cast<std::byte*>(row_at(fill.to, slice, row)) + done;
      const Located target = locate(part, size_bytes - done);
      if (target.place != Place::kLive) {
        if (!fault) fault = fault_of(AccessKind::kStore, part, size_bytes - done);
        return;
      }
      storage_.fill({target.host, target.size_bytes}, fill.pattern.value, fill.pattern.size_bytes);
      memory_.note_write(device_address(part), target.size_bytes, ByteState::kKnown, writer);
      done += target.size_bytes;
    }
  });
  return fault;
}

std::optional<std::uint64_t> span_bytes(const Pitched& place, const Box& box) {
  if (box.width_bytes == 0 || box.height == 0 || box.depth == 0) return 0;
  if (box.height > 1 && place.row_pitch_bytes < box.width_bytes) return std::nullopt;
  std::uint64_t slice_bytes = 0;
  std::uint64_t slices_bytes = 0;
  std::uint64_t total_bytes = 0;
  if (__builtin_mul_overflow(box.height - 1, place.row_pitch_bytes, &slice_bytes) ||
      __builtin_add_overflow(slice_bytes, box.width_bytes, &slice_bytes)) {
    return std::nullopt;
  }
  if (box.depth > 1 && place.slice_pitch_bytes < slice_bytes) return std::nullopt;
  if (__builtin_mul_overflow(box.depth - 1, place.slice_pitch_bytes, &slices_bytes) ||
      __builtin_add_overflow(slices_bytes, slice_bytes, &total_bytes)) {
    return std::nullopt;
  }
  return total_bytes;
}

}  // namespace compass
