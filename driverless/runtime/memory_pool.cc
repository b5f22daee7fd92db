// SPDX-License-Identifier: MIT
#include "driverless/runtime/memory_pool.h"

#include <algorithm>
#include <cstring>

namespace compass {
namespace {

template <class Value>
Value load(const void* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class Value>
hip::Error store(void* to, Value value) {
  std::memcpy(to, &value, sizeof value);
  return hip::kSuccess;
}

/// A high watermark can be set back to what it is of; HIP lets a program say only 0.
hip::Error reset(std::uint64_t& high_bytes, std::uint64_t current_bytes, const void* value) {
  if (load<std::uint64_t>(value) != 0) return hip::kErrorInvalidValue;
  high_bytes = current_bytes;
  return hip::kSuccess;
}

}  // namespace

bool MemoryPool::has_room_for(std::uint64_t size_bytes) const {
  return most_bytes_ == 0 ||
         (used_bytes_ <= most_bytes_ && size_bytes <= most_bytes_ - used_bytes_);
}

std::uint64_t MemoryPool::growth_for(std::uint64_t size_bytes) const {
  const std::uint64_t unused_bytes = reserved_bytes_ - used_bytes_;
  return size_bytes > unused_bytes ? size_bytes - unused_bytes : 0;
}

void MemoryPool::begin_use(std::uint64_t size_bytes) {
  reserved_bytes_ += growth_for(size_bytes);
  used_bytes_ += size_bytes;
  reserved_high_bytes_ = std::max(reserved_high_bytes_, reserved_bytes_);
  used_high_bytes_ = std::max(used_high_bytes_, used_bytes_);
}

std::uint64_t MemoryPool::trim_to(std::uint64_t least_bytes) {
  const std::uint64_t kept_bytes = std::max(used_bytes_, std::min(reserved_bytes_, least_bytes));
  const std::uint64_t given_bytes = reserved_bytes_ - kept_bytes;
  reserved_bytes_ = kept_bytes;
  return given_bytes;
}

const int* MemoryPool::reuse_switch(hip::MemPoolAttribute attribute) const {
  switch (attribute) {
    case hip::kMemPoolReuseFollowEventDependencies:
      return &follows_event_dependencies_;
    case hip::kMemPoolReuseAllowOpportunistic:
      return &allows_opportunistic_;
    case hip::kMemPoolReuseAllowInternalDependencies:
      return &allows_internal_dependencies_;
    default:
      return nullptr;
  }
}

hip::Error MemoryPool::set(hip::MemPoolAttribute attribute, const void* value) {
  if (const int* const reuse = reuse_switch(attribute)) {
    *const_cast<int*>(reuse) = load<int>(value);
    return hip::kSuccess;
  }
  switch (attribute) {
    case hip::kMemPoolReleaseThreshold:
      release_threshold_bytes_ = load<std::uint64_t>(value);
      return hip::kSuccess;
    case hip::kMemPoolReservedHigh:
      return reset(reserved_high_bytes_, reserved_bytes_, value);
    case hip::kMemPoolUsedHigh:
      return reset(used_high_bytes_, used_bytes_, value);
    default:
      return hip::kErrorInvalidValue;
  }
}

hip::Error MemoryPool::get(hip::MemPoolAttribute attribute, void* value) const {
  if (const int* const reuse = reuse_switch(attribute)) return store(value, *reuse);
  switch (attribute) {
    case hip::kMemPoolReleaseThreshold:
      return store(value, release_threshold_bytes_);
    case hip::kMemPoolReservedCurrent:
      return store(value, reserved_bytes_);
    case hip::kMemPoolReservedHigh:
      return store(value, reserved_high_bytes_);
    case hip::kMemPoolUsedCurrent:
      return store(value, used_bytes_);
    case hip::kMemPoolUsedHigh:
      return store(value, used_high_bytes_);
    default:
      return hip::kErrorInvalidValue;
  }
}

hip::MemAccessFlags MemoryPool::access_of(int device_ordinal) const {
  if (device_ordinal == device_ordinal_) return hip::kMemAccessReadWrite;
  const auto at = access_.find(device_ordinal);
  return at == access_.end() ? hip::kMemAccessNone : at->second;
}

}  // namespace compass
