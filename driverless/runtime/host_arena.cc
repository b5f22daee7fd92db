// SPDX-License-Identifier: MIT
#include "driverless/runtime/host_arena.h"

#include <algorithm>
#include <utility>

namespace compass {
namespace {

// Far from where Linux puts programs, libraries and heaps, and from the agent's own addresses.
constexpr std::uint64_t kHint = 0x0000'2000'0000'0000;
constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 28;

std::uint64_t round_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

std::uint64_t gap_behind(std::uint64_t size_bytes) {
  return size_bytes >= HostArena::kPageBytes ? HostArena::kLargeGapBytes : HostArena::kGapBytes;
}

std::uint64_t number_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
std::byte* pointer_to(std::uint64_t address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): the range's
}

}  // namespace

Result<HostArena> HostArena::reserve(HostStorage& storage, std::uint64_t size_bytes) {
  for (std::uint64_t size = size_bytes; size >= std::min(kLeastBytes, size_bytes); size /= 2) {
    const std::byte* const range = storage.reserve(size, pointer_to(kHint));
    if (range == nullptr) continue;
    return HostArena(storage, number_of(range), number_of(range) + size);
  }
  return Error{ErrorCode::kSystem,
               concat("the system refuses a range of ", kLeastBytes, " bytes of addresses")};
}

HostArena::HostArena(HostArena&& other) noexcept
    : storage_(other.storage_),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0)),
      next_(std::exchange(other.next_, 0)),
      live_(std::move(other.live_)) {}

HostArena::~HostArena() {
  if (begin_ != end_) storage_.release({pointer_to(begin_), end_ - begin_});
}

std::byte* HostArena::allocate(std::uint64_t size_bytes) {
  if (size_bytes > end_ - begin_) return nullptr;
  // What is as large as a page has its pages for itself, so that all of them can be given back.
  const std::uint64_t alignment = size_bytes >= kPageBytes ? kPageBytes : kAlignment;
  const std::uint64_t taken_bytes = round_up(size_bytes, alignment);
  std::uint64_t start = round_up(next_, alignment);
  if (start <= end_ && taken_bytes <= end_ - start) {
    next_ = start + taken_bytes + gap_behind(taken_bytes);
  } else {
    start = find_gap(taken_bytes, alignment);
    if (start == 0) return nullptr;
  }
  live_.emplace(start, start + taken_bytes);
  return pointer_to(start);
}

std::uint64_t HostArena::find_gap(std::uint64_t size_bytes, std::uint64_t alignment) const {
  std::uint64_t start = round_up(begin_, alignment);
  for (const auto& [begin, end] : live_) {
    if (start + size_bytes + gap_behind(size_bytes) <= begin) return start;
    start = round_up(end + gap_behind(end - begin), alignment);
  }
  return start <= end_ && size_bytes <= end_ - start ? start : 0;
}

void HostArena::release(std::byte* start) {
  const auto at = live_.find(number_of(start));
  if (at == live_.end()) return;
  storage_.discard({start, at->second - at->first});
  live_.erase(at);
}

bool HostArena::covers(const void* address) const {
  return number_of(address) - begin_ < end_ - begin_;
}

}  // namespace compass
