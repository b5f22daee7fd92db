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
  if (pointer == nullptr) return hip::kErrorInvalidValue;
  *pointer = nullptr;
  if (size_bytes == 0) return hip::kSuccess;
  if (kind == RegionKind::kDevice && size_bytes > free_bytes()) return hip::kErrorOutOfMemory;
  HostArena* const range = arena();
  std::byte* const start = range == nullptr ? nullptr : range->allocate(size_bytes);
  if (start == nullptr) return hip::kErrorOutOfMemory;
  const DeviceAddress base = device_address(start);
  const auto mapped = memory_.map({.base = base,
                                   .size_bytes = size_bytes,
                                   .host = start,
                                   .kind = kind,
                                   .id = AllocationId{++allocations_},
                                   .generation = ++generations_[base.value]});
  if (!mapped) {
    notice_once(mapped.error().message);
    range->release(start);
    return hip::kErrorOutOfMemory;
  }
  if (kind == RegionKind::kDevice) used_bytes_ += size_bytes;
  *pointer = start;
  return hip::kSuccess;
}

hip::Error DeviceMemory::free(RegionKind kind, void* pointer) {
  if (pointer == nullptr) return hip::kSuccess;
  const DeviceAddress base = device_address(pointer);
  const Region* region = memory_.find(base);
  if (region == nullptr || region->base != base || region->kind != kind) {
    return hip::kErrorInvalidValue;
  }
  const Result<Region> ended = memory_.unmap(base);
  if (!ended) return hip::kErrorInvalidValue;
  if (kind == RegionKind::kDevice) used_bytes_ -= ended->size_bytes;
  arena_->release(ended->host);
  return hip::kSuccess;
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

hip::Error DeviceMemory::copy(void* to, const void* from, std::uint64_t size_bytes,
                              hip::MemcpyKind kind) {
  if (kind > hip::kMemcpyDefault) return hip::kErrorInvalidMemcpyDirection;
  if (size_bytes == 0) return hip::kSuccess;
  const Located target = locate(to, size_bytes);
  const Located source = locate(from, size_bytes);
  const bool to_device = kind == hip::kMemcpyHostToDevice || kind == hip::kMemcpyDeviceToDevice;
  const bool from_device = kind == hip::kMemcpyDeviceToHost || kind == hip::kMemcpyDeviceToDevice;
  if (target.place == Place::kInvalid || source.place == Place::kInvalid ||
      (to_device && target.place != Place::kLive) ||
      (from_device && source.place != Place::kLive)) {
    return hip::kErrorInvalidValue;
  }
  std::memmove(target.host, source.host, size_bytes);
  memory_.note_copy(device_address(to), device_address(from), size_bytes, 0);
  return hip::kSuccess;
}

hip::Error DeviceMemory::fill(void* to, Pattern pattern, std::uint64_t count) {
  if (count == 0) return hip::kSuccess;
  if (count > ~std::uint64_t{0} / pattern.size_bytes) return hip::kErrorInvalidValue;
  const std::uint64_t size_bytes = count * pattern.size_bytes;
  const Located target = locate(to, size_bytes);
  if (target.place != Place::kLive) return hip::kErrorInvalidValue;
  repeat({target.host, size_bytes}, pattern);
  memory_.note_write(device_address(to), size_bytes, ByteState::kKnown, 0);
  return hip::kSuccess;
}

}  // namespace compass
