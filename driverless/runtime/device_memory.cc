// SPDX-License-Identifier: MIT
#include "driverless/runtime/device_memory.h"

#include <cstring>
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

/// `to` becomes `pattern`, repeated; its size is a multiple of the pattern's.
void repeat(std::span<std::byte> to, Pattern pattern) {
  if (pattern.value == 0) {
    HostArena::clear(to);
  } else if (pattern.size_bytes == 1) {
    std::memset(to.data(), static_cast<int>(pattern.value), to.size());
  } else {
    for (std::size_t i = 0; i < to.size(); i += pattern.size_bytes) {
      std::memcpy(to.data() + i, &pattern.value, pattern.size_bytes);
    }
  }
}

void* row_at(const Pitched& place, std::uint64_t slice, std::uint64_t row) {
  return static_cast<std::byte*>(place.pointer) + slice * place.slice_pitch_bytes +
         row * place.row_pitch_bytes;
}

/// Calls `visit(slice, row, size_bytes)` for each row; a linear box is one.
template <class Visit>
void for_each_row(const Box& box, Visit visit) {
  if (box.width_bytes == 0) return;
  for (std::uint64_t slice = 0; slice < box.depth; ++slice) {
    for (std::uint64_t row = 0; row < box.height; ++row) visit(slice, row, box.width_bytes);
  }
}

}  // namespace

HostArena* DeviceMemory::arena() {
  if (arena_) return &*arena_;
  Result<HostArena> reserved = HostArena::reserve();
  if (!reserved) {
    notice_once(reserved.error().message);
    return nullptr;
  }
  arena_.emplace(*std::move(reserved));
  return &*arena_;
}

hip::Error DeviceMemory::allocate(RegionKind kind, std::uint64_t size_bytes, void** pointer) {
  *pointer = nullptr;
  if (size_bytes == 0) return hip::kSuccess;
  HostArena* const range = arena();
  const bool is_watched = kind == RegionKind::kPinnedHost && watched_ != nullptr;
  const std::uint64_t taken_bytes = is_watched ? whole_pages(size_bytes) : size_bytes;
  std::byte* const start = range == nullptr ? nullptr : range->allocate(taken_bytes);
  if (start == nullptr) return hip::kErrorOutOfMemory;
  std::byte* host = start;
  if (is_watched) {
    const Result<std::byte*> view = watched_->add(start, taken_bytes);
    if (!view) notice_once(view.error().message);
    if (view) host = *view;
  }
  const DeviceAddress base = device_address(start);
  const auto mapped = memory_.map({.base = base,
                                   .size_bytes = size_bytes,
                                   .host = host,
                                   .kind = kind,
                                   .id = AllocationId{++allocations_},
                                   .generation = ++generations_[base.value]});
  if (!mapped) {
    notice_once(mapped.error().message);
    range->release(start);
    return hip::kErrorOutOfMemory;
  }
  *pointer = start;
  return hip::kSuccess;
}

const Region* DeviceMemory::starting_at(const void* pointer) const {
  const Region* const region = memory_.find(device_address(pointer));
  return region != nullptr && region->base == device_address(pointer) && region->id ? region
                                                                                    : nullptr;
}

hip::Error DeviceMemory::free(RegionKind kind, void* pointer) {
  const Region* const region = starting_at(pointer);
  if (region == nullptr || region->kind != kind) return hip::kErrorInvalidValue;
  if (!memory_.unmap(region->base)) return hip::kErrorInvalidValue;
  auto* const start = static_cast<std::byte*>(pointer);
  if (watched_ != nullptr && kind == RegionKind::kPinnedHost) watched_->remove(start);
  arena_->release(start);
  return hip::kSuccess;
}

void* DeviceMemory::storage(const void* pointer, std::uint64_t size_bytes) const {
  return memory_.host(device_address(pointer), size_bytes);
}

bool DeviceMemory::is_pageable(const void* pointer) const {
  return locate(pointer, 1).place == Place::kHost;
}

DeviceMemory::Located DeviceMemory::locate(const void* address, std::uint64_t size_bytes) const {
  if (address == nullptr) return {};
  if (std::byte* const host = memory_.host(device_address(address), size_bytes)) {
    return {Place::kLive, host};
  }
  const bool ours =
      memory_.find(device_address(address)) != nullptr || (arena_ && arena_->covers(address));
  if (ours) return {};
  return {Place::kHost, static_cast<std::byte*>(const_cast<void*>(address))};
}

hip::Error DeviceMemory::check(const CopyOperation& copy) const {
  if (copy.kind > hip::kMemcpyDefault) return hip::kErrorInvalidMemcpyDirection;
  const auto to_bytes = span_bytes(copy.to, copy.box);
  const auto from_bytes = span_bytes(copy.from, copy.box);
  if (!to_bytes || !from_bytes) return hip::kErrorInvalidPitchValue;
  if (*to_bytes == 0) return hip::kSuccess;
  const Place to = locate(copy.to.pointer, *to_bytes).place;
  const Place from = locate(copy.from.pointer, *from_bytes).place;
  const bool to_device =
      copy.kind == hip::kMemcpyHostToDevice || copy.kind == hip::kMemcpyDeviceToDevice;
  const bool from_device =
      copy.kind == hip::kMemcpyDeviceToHost || copy.kind == hip::kMemcpyDeviceToDevice;
  const bool wrong = to == Place::kInvalid || from == Place::kInvalid ||
                     (to_device && to != Place::kLive) || (from_device && from != Place::kLive);
  return wrong ? hip::kErrorInvalidValue : hip::kSuccess;
}

hip::Error DeviceMemory::check(const FillOperation& fill) const {
  const auto size_bytes = span_bytes(fill.to, fill.box);
  if (!size_bytes) return hip::kErrorInvalidPitchValue;
  if (*size_bytes == 0) return hip::kSuccess;
  const bool live = locate(fill.to.pointer, *size_bytes).place == Place::kLive;
  return live ? hip::kSuccess : hip::kErrorInvalidValue;
}

void DeviceMemory::run(const CopyOperation& copy, std::uint32_t writer) {
  const std::byte* const staged = copy.staged == nullptr ? nullptr : copy.staged->data();
  for_each_row(copy.box, [&](std::uint64_t slice, std::uint64_t row, std::uint64_t size_bytes) {
    void* const to = row_at(copy.to, slice, row);
    const void* const from = row_at(copy.from, slice, row);
    const Located target = locate(to, size_bytes);
    const Located source = locate(from, size_bytes);
    if (target.host == nullptr || (source.host == nullptr && staged == nullptr)) return;
    const std::byte* const bytes =
        staged == nullptr ? source.host
                          : staged + (static_cast<const std::byte*>(from) -
                                      static_cast<const std::byte*>(copy.from.pointer));
    std::memmove(target.host, bytes, size_bytes);
    memory_.note_copy(device_address(to), device_address(from), size_bytes, writer);
  });
}

void DeviceMemory::run(const FillOperation& fill, std::uint32_t writer) {
  for_each_row(fill.box, [&](std::uint64_t slice, std::uint64_t row, std::uint64_t size_bytes) {
    void* const to = row_at(fill.to, slice, row);
    const Located target = locate(to, size_bytes);
    if (target.place != Place::kLive) return;
    repeat({target.host, size_bytes}, fill.pattern);
    memory_.note_write(device_address(to), size_bytes, ByteState::kKnown, writer);
  });
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
