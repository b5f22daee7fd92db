// SPDX-License-Identifier: MIT
#include "capture/tracker/host_mirror.h"

#include <algorithm>
#include <cstring>

namespace compass::capture {
namespace {

constexpr std::size_t kWordBytes = 4;
/// Looked at as one where nothing changed.
constexpr std::size_t kPieceBytes = 4096;

std::size_t word_end(std::size_t start, std::size_t size) {
  return std::min(start + kWordBytes, size);
}

}  // namespace

bool HostMirror::has_room(std::uint64_t address, std::uint64_t size_bytes) const {
  return kept_.contains(address) || size_bytes <= kMostBytes - std::min(size_bytes_, kMostBytes);
}

std::vector<HostMirror::Change> HostMirror::look(std::uint64_t address, ByteView now) {
  const auto [found, is_new] = kept_.try_emplace(address);
  Bytes& kept = found->second;
  if (is_new || kept.size() != now.size()) {
    size_bytes_ += now.size() - kept.size();
    kept.assign(now.begin(), now.end());
    return {{address, now}};
  }
  std::vector<Change> changes;
  const auto is_same = [&](std::size_t start, std::size_t end) {
    return std::memcmp(kept.data() + start, now.data() + start, end - start) == 0;
  };
  for (std::size_t start = 0; start < now.size();) {
    const std::size_t piece_end =
        std::min(start / kPieceBytes * kPieceBytes + kPieceBytes, now.size());
    if (is_same(start, piece_end)) {
      start = piece_end;
      continue;
    }
    while (is_same(start, word_end(start, now.size()))) start = word_end(start, now.size());
    std::size_t end = word_end(start, now.size());
    while (end < now.size() && !is_same(end, word_end(end, now.size()))) {
      end = word_end(end, now.size());
    }
    changes.push_back({address + start, now.subspan(start, end - start)});
    std::copy(now.begin() + static_cast<std::ptrdiff_t>(start),
              now.begin() + static_cast<std::ptrdiff_t>(end),
              kept.begin() + static_cast<std::ptrdiff_t>(start));
    start = end;
  }
  return changes;
}

void HostMirror::forget(std::uint64_t address) {
  const auto found = kept_.find(address);
  if (found == kept_.end()) return;
  size_bytes_ -= found->second.size();
  kept_.erase(found);
}

void HostMirror::clear() {
  kept_.clear();
  size_bytes_ = 0;
}

}  // namespace compass::capture
