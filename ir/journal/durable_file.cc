// SPDX-License-Identifier: MIT
#include "ir/journal/durable_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace compass::journal {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kSmallestStep = 64 << 10;
constexpr std::uint64_t kLargestStep = 8 << 20;

}  // namespace

Result<DurableFile> DurableFile::create(const char* path) {
  ASSIGN_OR_RETURN(OwnFile file, OwnFile::create(path));
  return DurableFile(std::move(file));
}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : file_(std::move(other.file_)),
      size_bytes_(other.size_bytes_),
      window_(std::exchange(other.window_, {})),
      maps_(other.maps_) {}

bool DurableFile::put(std::uint64_t offset, ByteView bytes) {
  const std::uint64_t end = offset + bytes.size();
  if (offset < window_.begin || end > window_.end) {
    if (!grow(end)) return false;
    if (!maps_ || !show(offset, end)) return file_.write(offset, bytes);
  }
  std::memcpy(window_.at(offset), bytes.data(), bytes.size());
  return true;
}

void DurableFile::end_at(std::uint64_t size_bytes) {
  std::exchange(window_, {}).unmap();
  // The rest would be zeros, which readers take for what was never stored.
  file_.truncate(size_bytes);
}

/// Makes the file at least `end` long, and longer: the next growth is to be far away.
bool DurableFile::grow(std::uint64_t end) {
  if (end <= size_bytes_) return true;
  if (!file_.restore()) return false;
  const std::uint64_t step = std::clamp(size_bytes_, kSmallestStep, kLargestStep);
  const std::uint64_t far = std::max(size_bytes_ + step, (end + kPageBytes - 1) & -kPageBytes);
  for (const std::uint64_t size : {far, end}) {  // there may be room for what is needed
    errno = file_.reserve(size_bytes_, size, OwnFile::Emulation::kByZeros);
    if (errno != 0) continue;
    size_bytes_ = size;
    return true;
  }
  return false;
}

/// Moves the window onto what was asked for and all that follows, or stretches it back.
bool DurableFile::show(std::uint64_t begin, std::uint64_t end) {
  const bool is_before = window_.bytes != nullptr && begin < window_.begin && end <= window_.end;
  const std::uint64_t to = is_before ? window_.end : size_bytes_;
  std::exchange(window_, {}).unmap();
  window_ = file_.map(begin & -kPageBytes, to);
  maps_ = window_.bytes != nullptr || !file_.is_open();
  return window_.bytes != nullptr;
}

}  // namespace compass::journal
