// SPDX-License-Identifier: MIT
#include "driverless/machine/host_storage.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "driverless/machine/page_map.h"
#include "ir/base/check.h"

namespace compass {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
/// Below this, storing is cheaper than mapping.
constexpr std::uint64_t kLeastZeroedBytes = kMiB / 4;
constexpr std::uint64_t kLeastSharedBytes = 16 * kMiB;
constexpr std::uint64_t kPieceBytes = 2 * kMiB;
// A process may have some 65000 mappings, and this is not alone in it: patterns take a third, and
// as much again for what lies between them.
constexpr std::uint64_t kLeastPatternBytes = 32 * kMiB;
constexpr std::uint64_t kMostPatternMappings = 8192;
constexpr std::size_t kMostExtents = 16384;

std::uint64_t number_of(const std::byte* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

/// A range, cut where pages begin and end.
struct Pages {
  std::span<std::byte> head, whole, tail;
};

Pages pages_of(std::span<std::byte> bytes) {
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t before = (page - number_of(bytes.data()) % page) % page;
  const std::uint64_t head = std::min<std::uint64_t>(before, bytes.size());
  const std::uint64_t whole = (bytes.size() - head) / page * page;
  return {bytes.first(head), bytes.subspan(head, whole), bytes.subspan(head + whole)};
}

/// Byte a % 4 of `word` at each address a.
void store_word(std::span<std::byte> bytes, std::uint32_t word) {
  word = std::rotr(word, static_cast<int>(8 * (number_of(bytes.data()) % 4)));
  std::size_t at = 0;
  for (; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
  std::memcpy(bytes.data() + at, &word, bytes.size() - at);
}

/// Zeros, at `start` whatever is there if `flags` say so. Null where the system refuses.
std::byte* map_zeros(std::byte* start, std::uint64_t size_bytes, int flags) {
  void* const mapped = ::mmap(start, size_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  // Neither may a core dump hold it all, nor a single touched byte cost a huge page.
  static_cast<void>(::madvise(mapped, size_bytes, MADV_DONTDUMP));
  static_cast<void>(::madvise(mapped, size_bytes, MADV_NOHUGEPAGE));
  return static_cast<std::byte*>(mapped);
}

bool is_zero(std::span<const std::byte> bytes) {
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

std::byte* HostStorage::reserve(std::uint64_t size_bytes, std::byte* hint) {
  std::byte* const start = map_zeros(hint, size_bytes, 0);
  if (start != nullptr) {
    untouched_.set({number_of(start), number_of(start) + size_bytes, 0});
  }
  return start;
}

void HostStorage::release(std::span<std::byte> bytes) {
  CHECK(::munmap(bytes.data(), bytes.size()) == 0);
  untouched_.erase(number_of(bytes.data()), number_of(bytes.data()) + bytes.size());
}

bool HostStorage::is_reserved(std::span<const std::byte> bytes) const {
  return untouched_.find(number_of(bytes.data())).has_value();
}

void HostStorage::zero(std::span<std::byte> bytes) { set_word(bytes, 0); }

void HostStorage::discard(std::span<std::byte> bytes) {
  if (!is_reserved(bytes)) return store_word(bytes, 0);
  const Pages pages = pages_of(bytes);
  store_word(pages.head, 0);
  zero_pages(pages.whole);
  store_word(pages.tail, 0);
}

void HostStorage::fill(std::span<std::byte> bytes, std::uint32_t value, std::uint32_t value_bytes) {
  if (value_bytes == 1) value = (value & 0xFF) * 0x0101'0101u;
  if (value_bytes == 2) value = (value & 0xFFFF) * 0x0001'0001u;
  set_word(bytes, std::rotl(value, static_cast<int>(8 * (number_of(bytes.data()) % 4))));
}

void HostStorage::set_word(std::span<std::byte> bytes, std::uint32_t word) {
  const Pages pages = pages_of(bytes);
  const std::uint64_t least_bytes = word == 0 ? kLeastZeroedBytes : kLeastSharedBytes;
  if (pages.whole.size() < least_bytes || !is_reserved(bytes)) return store_word(bytes, word);
  store_word(pages.head, word);
  if (word == 0) {
    zero_pages(pages.whole);
  } else {
    store_word(share_pattern(pages.whole, word), word);
  }
  store_word(pages.tail, word);
}

/// Gives the rest of `pages`, for which the system refuses.
std::span<std::byte> HostStorage::share_pattern(std::span<std::byte> pages, std::uint32_t word) {
  const std::uint64_t begin = number_of(pages.data()), end = begin + pages.size();
  const std::uint64_t all_bytes =
      untouched_.pattern_bytes() - untouched_.pattern_bytes_in(begin, end) + pages.size();
  const std::uint64_t mapped_bytes =
      std::max(kLeastPatternBytes, std::bit_ceil(all_bytes / kMostPatternMappings));
  const int file = untouched_.size() < kMostExtents
                       ? files_.find(word, std::min<std::uint64_t>(mapped_bytes, pages.size()))
                       : -1;
  while (file >= 0 && !pages.empty()) {
    const std::uint64_t count = std::min<std::uint64_t>(mapped_bytes, pages.size());
    if (::mmap(pages.data(), count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
               file, 0) == MAP_FAILED) {
      break;
    }
    untouched_.set({number_of(pages.data()), number_of(pages.data()) + count, word});
    pages = pages.subspan(count);
  }
  return pages;
}

void HostStorage::zero_pages(std::span<std::byte> pages) {
  if (pages.empty()) return;
  const std::uint64_t begin = number_of(pages.data()), end = begin + pages.size();
  // Pages that share a pattern would show it again if they were only given back.
  const bool given_back = untouched_.pattern_bytes_in(begin, end) == 0 &&
                          ::madvise(pages.data(), pages.size(), MADV_DONTNEED) == 0;
  if (!given_back && map_zeros(pages.data(), pages.size(), MAP_FIXED) == nullptr) {
    return store_word(pages, 0);
  }
  untouched_.set({begin, end, 0});
}

void HostStorage::copy(std::span<std::byte> to, std::span<const std::byte> from) {
  if (to.empty()) return;
  const bool overlaps =
      to.data() < from.data() + from.size() && from.data() < to.data() + to.size();
  if (overlaps || to.size() < kPieceBytes || !is_reserved(to)) {
    std::memmove(to.data(), from.data(), to.size());
  } else {
    copy_pieces(to, from);
  }
}

void HostStorage::copy_pieces(std::span<std::byte> to, std::span<const std::byte> from) {
  PageMap page_map;
  const auto rotation = static_cast<int>(8 * ((number_of(to.data()) - number_of(from.data())) % 4));
  // What repeats one word, and is still to be done.
  std::uint64_t run_begin = 0, run_end = 0;
  std::uint32_t run_word = 0;
  const auto finish_run = [&] {
    if (run_begin == run_end) return;
    set_word(to.subspan(run_begin, run_end - run_begin), std::rotl(run_word, rotation));
  };
  for (std::uint64_t at = 0; at < to.size(); at += kPieceBytes) {
    const std::uint64_t count = std::min<std::uint64_t>(kPieceBytes, to.size() - at);
    const auto word = uniform_word(from.subspan(at, count), page_map);
    if (!word || *word != run_word) {
      finish_run();
      run_begin = at;
      run_word = word.value_or(0);
    }
    if (!word) {
      std::memcpy(to.data() + at, from.data() + at, count);
      run_begin = at + count;
    }
    run_end = at + count;
  }
  finish_run();
}

/// What each word of `bytes` is, as far as that is easy to say.
std::optional<std::uint32_t> HostStorage::uniform_word(std::span<const std::byte> bytes,
                                                       PageMap& page_map) const {
  const std::uint64_t begin = number_of(bytes.data()), end = begin + bytes.size();
  const auto extent = untouched_.find(begin);
  if (extent && end <= extent->end && page_map.untouched(begin, end)) return extent->word;
  return is_zero(bytes) ? std::optional<std::uint32_t>(0) : std::nullopt;
}

}  // namespace compass
