// SPDX-License-Identifier: MIT
#include "driverless/host_storage.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace compass {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
/// Below this, storing is cheaper than mapping.
constexpr std::uint64_t kLeastMappedBytes = kMiB / 4;
constexpr std::uint64_t kLeastSharedFillBytes = 256 * kMiB;
/// A process may have some 65000 mappings: many fills of a whole device stay below that.
constexpr std::uint64_t kMostPatternBytes = 32 * kMiB;
constexpr std::uint64_t kLeastPatternBytes = 8 * kMiB;

/// A range, cut where pages begin and end.
struct Pages {
  std::span<std::byte> head, whole, tail;
};

Pages pages_of(std::span<std::byte> bytes) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uint64_t head = std::min<std::uint64_t>((page - address % page) % page, bytes.size());
  const std::uint64_t whole = (bytes.size() - head) / page * page;
  return {bytes.first(head), bytes.subspan(head, whole), bytes.subspan(head + whole)};
}

/// What a fill repeats; byte n of it is at(n).
struct Pattern {
  std::uint32_t value;
  std::uint32_t value_bytes;

  std::byte at(std::uint64_t n) const {
    return static_cast<std::byte>(value >> (8 * (n % value_bytes)));
  }
  /// `bytes` are those from byte `start` of the fill on.
  void store(std::span<std::byte> bytes, std::uint64_t start) const {
    for (std::uint64_t n = 0; n < bytes.size(); ++n) bytes[n] = at(start + n);
  }
};

/// Maps one copy of the pattern again and again; it is copied where something is stored. False, and
/// any part of it done, where the system refuses.
bool share_pattern(std::span<std::byte> pages, const Pattern& pattern, std::uint64_t start,
                   std::uint64_t pattern_bytes) {
  const int file = ::memfd_create("compass-fill", MFD_CLOEXEC);
  if (file < 0) return false;
  bool shared = ::ftruncate(file, static_cast<off_t>(pattern_bytes)) == 0;
  if (shared) {
    void* once = ::mmap(nullptr, pattern_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    shared = once != MAP_FAILED;
    if (shared) {
      pattern.store({static_cast<std::byte*>(once), pattern_bytes}, start);
      ::munmap(once, pattern_bytes);
    }
  }
  while (shared && !pages.empty()) {
    const std::uint64_t count = std::min<std::uint64_t>(pattern_bytes, pages.size());
    shared = ::mmap(pages.data(), count, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
    pages = pages.subspan(count);
  }
  ::close(file);
  return shared;
}

bool is_zero(std::span<const std::byte> bytes) {
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

std::byte* reserve_storage(std::uint64_t size_bytes) {
  void* storage = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return storage == MAP_FAILED ? nullptr : static_cast<std::byte*>(storage);
}

void zero_storage(std::span<std::byte> bytes) {
  if (bytes.empty()) return;
  const Pages pages = pages_of(bytes);
  // Mapped anew rather than given back: pages that share a pattern would show it again.
  if (pages.whole.size() < kLeastMappedBytes ||
      ::mmap(pages.whole.data(), pages.whole.size(), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    std::memset(bytes.data(), 0, bytes.size());
    return;
  }
  std::fill(pages.head.begin(), pages.head.end(), std::byte{0});
  std::fill(pages.tail.begin(), pages.tail.end(), std::byte{0});
}

void fill_storage(std::span<std::byte> bytes, std::uint32_t value, std::uint32_t value_bytes) {
  if (value == 0) return zero_storage(bytes);
  const Pattern pattern{value, value_bytes};
  const Pages pages = pages_of(bytes);
  const std::uint64_t start = pages.head.size();
  if (pages.whole.size() < kLeastSharedFillBytes ||
      !share_pattern(pages.whole, pattern, start,
                     std::clamp(pages.whole.size() / 32 / kMiB * kMiB, kLeastPatternBytes,
                                kMostPatternBytes))) {
    return pattern.store(bytes, 0);
  }
  pattern.store(pages.head, 0);
  pattern.store(pages.tail, start + pages.whole.size());
}

void copy_storage(std::span<std::byte> to, std::span<const std::byte> from) {
  if (to.empty()) return;
  constexpr std::uint64_t kPieceBytes = 2 * kMiB;
  const bool overlaps =
      to.data() < from.data() + from.size() && from.data() < to.data() + to.size();
  if (overlaps || to.size() < kPieceBytes) {
    std::memmove(to.data(), from.data(), to.size());
    return;
  }
  for (std::uint64_t at = 0; at < to.size(); at += kPieceBytes) {
    const std::uint64_t count = std::min<std::uint64_t>(kPieceBytes, to.size() - at);
    if (is_zero(from.subspan(at, count))) {
      zero_storage(to.subspan(at, count));
    } else {
      std::memcpy(to.data() + at, from.data() + at, count);
    }
  }
}

}  // namespace compass
