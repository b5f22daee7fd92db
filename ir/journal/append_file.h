// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/journal/own_file.h"

namespace compass::journal {

/// A file that only grows, in which what was appended stays however the process ends.
///
/// Bytes are stored straight into mapped file space, segment after segment: no queue lies between a
/// caller and the file, and mostly no system call. A second thread, if there is one, makes segments
/// ready ahead of the callers and gives back those behind them. All that is mapped, or not on its
/// disk yet, is bounded by the *buffer*. Nobody ever waits for that thread: where a segment is
/// missing the caller makes it, and where the buffer is full it waits for the disk itself.
///
/// Threads: the members of each side are for one thread at a time; the sides run beside each other.
class AppendFile {
 public:
  static constexpr std::uint64_t kLeastBufferBytes = 1 << 20;
  static constexpr std::uint64_t kMostBufferBytes = std::uint64_t{1} << 40;

  /// Makes the file, mode 0600; fails if it exists. Within the limits above.
  static Result<std::shared_ptr<AppendFile>> create(const char* path, std::uint64_t buffer_bytes);
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  // Callers.

  /// The room behind the last byte that is there in one piece, perhaps none.
  std::span<std::byte> room() const {
    if (current_.bytes == nullptr) return {};
    return {current_.at(size_bytes_), current_.end - size_bytes_};
  }
  /// So many bytes of the room have been filled, a multiple of four, but for the first four: they
  /// become `first_word`, at once and after all else.
  void take(std::uint64_t size_bytes, std::uint32_t first_word);
  /// The same of bytes that need not fit into the room: `first_word` and `rest`. False, with errno,
  /// where the file cannot hold them: then nothing more may be appended.
  bool append(std::uint32_t first_word, ByteView rest);

  /// Whether as many bytes of contents can be appended without anybody waiting for the disk, and
  /// leave room for what has no contents.
  bool has_room_for_contents(std::uint64_t size_bytes);
  std::uint64_t size_bytes() const { return size_bytes_; }
  /// Whether there is work for a second thread.
  bool outgrew_first_segment() const { return reserved_bytes_ > kSmallestSegment; }

  /// Nothing is appended after it; the file ends where it does.
  void end();
  /// In a forked child: leaves the file to the parent.
  void abandon();

  // The second thread.

  /// Whether there is one: said before it starts, and taken back where it cannot.
  enum class Served : bool { kNo, kYes };
  void set_served(Served served) { served_ = served == Served::kYes; }
  enum class Work : std::uint8_t { kDone, kNone, kOver };
  /// Makes a segment ready, or gives one back.
  Work work();
  /// Until there may be work, or the time is over.
  void wait_for_work(std::chrono::nanoseconds longest) const;

 private:
  static constexpr std::uint64_t kSmallestSegment = 64 << 10;
  static constexpr std::size_t kMostReady = 8;

  AppendFile(OwnFile file, std::uint64_t buffer_bytes);
  std::uint64_t segment_bytes() const;
  bool append_by_store(std::uint32_t first_word, ByteView rest);
  bool append_by_write(std::uint32_t first_word, ByteView rest);
  bool advance(std::uint64_t needed_bytes);
  Mapping take_ready();
  Mapping make_segment(std::uint64_t needed_bytes);
  enum class Use : std::uint8_t { kNow, kLater };
  bool adopt(const Mapping& segment, Use use);
  void retire(const Mapping& segment);
  bool is_full();
  bool prepare();
  bool unmap_one();
  bool write_back_oldest();
  void wake();

  OwnFile file_;
  const std::uint64_t buffer_bytes_;
  std::uint64_t size_bytes_ = 0;
  Mapping current_;  ///< holds the last byte, or ends before the next
  bool maps_ = true;

  std::mutex mutex_;  ///< of all below, and never held in a system call
  std::array<Mapping, kMostReady> ready_;
  std::size_t ready_count_ = 0;
  std::uint64_t ready_bytes_ = 0;
  std::vector<Mapping> full_;  ///< behind, oldest first, until they are on the disk
  std::atomic<std::uint64_t> reserved_bytes_{0};  ///< where the last segment ends
  std::uint64_t held_bytes_ = 0;                  ///< of all segments that are not on the disk
  bool over_ = false;
  std::atomic<bool> served_{false};
  std::atomic<std::uint32_t> calls_{0};  ///< of wake()
  std::uint32_t seen_calls_ = 0;         ///< by the second thread
};

}  // namespace compass::journal
