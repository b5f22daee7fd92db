// SPDX-License-Identifier: MIT
#include "ir/journal/append_file.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

namespace compass::journal {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kLargestSegment = 8 << 20;
constexpr std::uint64_t kWordBytes = sizeof(std::uint32_t);

/// All of the word or nothing, after what was stored before: whoever reads the file after a kill
/// goes by that.
void publish(std::byte* place, std::uint32_t word) {
  std::atomic_ref(*reinterpret_cast<std::uint32_t*>(place)).store(word, std::memory_order_release);
}

long futex(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return ::syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

}  // namespace

Result<std::shared_ptr<AppendFile>> AppendFile::create(const char* path,
                                                       std::uint64_t buffer_bytes) {
  ASSIGN_OR_RETURN(OwnFile file, OwnFile::create(path));
  return std::shared_ptr<AppendFile>(new AppendFile(std::move(file), buffer_bytes));
}

AppendFile::AppendFile(OwnFile file, std::uint64_t buffer_bytes)
    : file_(std::move(file)),
      buffer_bytes_(std::clamp(buffer_bytes, kLeastBufferBytes, kMostBufferBytes)) {}

AppendFile::~AppendFile() {
  current_.unmap();
  for (Mapping& segment : std::span(ready_).first(ready_count_)) segment.unmap();
  for (Mapping& segment : full_) segment.unmap();
}

void AppendFile::take(std::uint64_t size_bytes, std::uint32_t first_word) {
  publish(current_.at(size_bytes_), first_word);
  size_bytes_ += size_bytes;
}

bool AppendFile::append(std::uint32_t first_word, ByteView rest) {
  const std::uint64_t before = size_bytes_;
  if (maps_ && append_by_store(first_word, rest)) return true;
  size_bytes_ = before;
  if (!maps_ && append_by_write(first_word, rest)) return true;
  const int cause = errno;
  end();  // with what is there of these bytes
  errno = cause;
  return false;
}

bool AppendFile::append_by_store(std::uint32_t first_word, ByteView rest) {
  if (room().empty()) {
    const Mapping left = current_;
    if (!advance(rest.size() + kWordBytes)) return false;
    retire(left);
  }
  const Mapping first = current_;
  std::byte* const place = room().data();
  size_bytes_ += kWordBytes;
  while (!rest.empty()) {
    if (room().empty()) {
      const Mapping left = current_;
      if (!advance(rest.size())) return false;
      if (left.begin != first.begin) retire(left);
    }
    const std::size_t part = std::min(room().size(), rest.size());
    std::memcpy(room().data(), rest.data(), part);
    size_bytes_ += part;
    rest = rest.subspan(part);
  }
  publish(place, first_word);
  if (current_.begin != first.begin) retire(first);
  return true;
}

bool AppendFile::append_by_write(std::uint32_t first_word, ByteView rest) {
  if (!file_.restore() || !file_.write(size_bytes_ + kWordBytes, rest) ||
      !file_.write(size_bytes_, std::as_bytes(std::span(&first_word, 1)))) {
    return false;
  }
  size_bytes_ += kWordBytes + rest.size();
  return true;
}

bool AppendFile::has_room_for_contents(std::uint64_t size_bytes) {
  if (!served_.load(std::memory_order_relaxed)) return true;  // whoever appends does all
  const std::lock_guard lock(mutex_);
  const std::uint64_t unwritten = held_bytes_ - ready_bytes_ - room().size();
  const std::uint64_t eighth = buffer_bytes_ / 8;
  return unwritten <= eighth || unwritten + size_bytes <= buffer_bytes_ - eighth;
}

void AppendFile::end() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake();
  // The rest would be zeros, which readers take for what was never stored.
  if (file_.restore()) file_.truncate(size_bytes_);
}

void AppendFile::abandon() { file_.close(); }

/// Small files stay small: each segment is as long as all before it, up to a bound.
std::uint64_t AppendFile::segment_bytes() const {
  const std::uint64_t most =
      std::clamp((buffer_bytes_ / 16) & -kPageBytes, kSmallestSegment, kLargestSegment);
  return std::clamp<std::uint64_t>(reserved_bytes_, kSmallestSegment, most);
}

/// Goes on to the next segment. False, with errno, where there is none.
bool AppendFile::advance(std::uint64_t needed_bytes) {
  Mapping next = take_ready();
  while (next.bytes == nullptr) {
    while (is_full() && write_back_oldest()) {
    }
    Mapping made = make_segment(needed_bytes);
    if (adopt(made, Use::kNow)) {
      next = made;
    } else {  // perhaps the second thread has one by now
      const int cause = errno;
      const bool failed = made.bytes == nullptr;
      made.unmap();
      next = take_ready();
      errno = cause;
      if (failed && next.bytes == nullptr) return false;
    }
  }
  current_ = next;
  wake();
  return true;
}

Mapping AppendFile::take_ready() {
  const std::lock_guard lock(mutex_);
  if (ready_count_ == 0) return {};
  const Mapping segment = ready_[0];
  std::copy(ready_.begin() + 1, ready_.begin() + ready_count_, ready_.begin());
  --ready_count_;
  ready_bytes_ -= segment.size_bytes();
  return segment;
}

/// A segment behind the last one, as large as can be. Without bytes, and with errno, where the file
/// cannot get longer.
Mapping AppendFile::make_segment(std::uint64_t needed_bytes) {
  if (!file_.restore()) return {};
  const std::uint64_t begin = reserved_bytes_;
  const std::uint64_t least = std::min(needed_bytes, segment_bytes());
  for (std::uint64_t size = segment_bytes();; size = std::max(least, (size / 4) & -kWordBytes)) {
    int failure = file_.reserve(begin, begin + size, OwnFile::Emulation::kOrFail);
    if (failure == EOPNOTSUPP) {
      failure = file_.reserve(begin, begin + size, OwnFile::Emulation::kByZeros);
    }
    errno = failure;
    if (failure == 0) {
      const Mapping made = file_.map(begin, begin + size);
      maps_ = made.bytes != nullptr;
      return made;
    }
    if (size == least) return {};
  }
}

/// The segment is the next, of the file or (kNow) of the callers. False where another is.
bool AppendFile::adopt(const Mapping& segment, Use use) {
  const std::lock_guard lock(mutex_);
  if (over_ || segment.bytes == nullptr || segment.begin != reserved_bytes_) return false;
  if (use == Use::kNow && ready_count_ != 0) return false;
  reserved_bytes_ = segment.end;
  held_bytes_ += segment.size_bytes();
  if (use == Use::kNow) return true;
  ready_bytes_ += segment.size_bytes();
  ready_[ready_count_++] = segment;
  return true;
}

/// Nothing is stored to the segment any more.
void AppendFile::retire(const Mapping& segment) {
  if (segment.bytes == nullptr) return;
  const std::lock_guard lock(mutex_);
  full_.push_back(segment);
}

bool AppendFile::is_full() {
  const std::lock_guard lock(mutex_);
  return held_bytes_ + segment_bytes() > buffer_bytes_;
}

AppendFile::Work AppendFile::work() {
  seen_calls_ = calls_;
  bool is_behind = false;
  {
    const std::lock_guard lock(mutex_);
    if (over_) return Work::kOver;
    is_behind = held_bytes_ - ready_bytes_ > buffer_bytes_ / 2;
  }
  if (prepare() || unmap_one()) return Work::kDone;
  // Not before: what is deleted soon need never get to the disk.
  return is_behind && write_back_oldest() ? Work::kDone : Work::kNone;
}

void AppendFile::wait_for_work(std::chrono::nanoseconds longest) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec timeout{seconds.count(), (longest - seconds).count()};
  futex(calls_, FUTEX_WAIT, seen_calls_, &timeout);
}

void AppendFile::wake() {
  if (!served_.load(std::memory_order_relaxed)) return;
  ++calls_;
  futex(calls_, FUTEX_WAKE, 1, nullptr);
}

/// Makes a segment ready. False where there are enough, or none can be made.
bool AppendFile::prepare() {
  std::uint64_t begin = 0, end = 0;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t wanted = std::min<std::uint64_t>(buffer_bytes_ / 4, reserved_bytes_);
    const bool has_enough = ready_bytes_ >= wanted || ready_count_ == ready_.size();
    if (has_enough || held_bytes_ + segment_bytes() > buffer_bytes_) return false;
    begin = reserved_bytes_;
    end = begin + segment_bytes();
  }
  if (file_.reserve(begin, end, OwnFile::Emulation::kOrFail) != 0) return false;
  Mapping made = file_.map(begin, end);
  if (made.bytes == nullptr) return false;
  made.prefault();
  if (!adopt(made, Use::kLater)) made.unmap();  // a caller could not wait, or all is over
  return true;
}

bool AppendFile::unmap_one() {
  Mapping segment;
  {
    const std::lock_guard lock(mutex_);
    const auto mapped = std::find_if(full_.begin(), full_.end(),
                                     [](const Mapping& each) { return each.bytes != nullptr; });
    if (mapped == full_.end()) return false;
    segment = std::exchange(*mapped, {nullptr, mapped->begin, mapped->end});
  }
  segment.unmap();
  return true;
}

bool AppendFile::write_back_oldest() {
  Mapping segment;
  {
    const std::lock_guard lock(mutex_);
    if (full_.empty()) return false;
    segment = full_.front();
    full_.erase(full_.begin());
  }
  segment.unmap();
  file_.write_back(segment.begin, segment.end);
  const std::lock_guard lock(mutex_);
  held_bytes_ -= segment.size_bytes();
  return true;
}

}  // namespace compass::journal
