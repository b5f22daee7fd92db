// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "capture/tracker/allocations.h"
#include "capture/tracker/registrations.h"
#include "ir/journal/file.h"

namespace compass::capture {

/// The recording of this process: its journal and what must be known to write it.
///
/// The journal's folder is COMPASS_JOURNAL_DIR as it was when the process started. The file appears
/// with the first HIP call; what was registered or annotated before is remembered and written
/// first, so that a process which never calls HIP leaves no file. A fork()ed child starts anew with
/// the registrations that it inherited, never touching its parent's file.
///
/// Whatever fails here only ends the recording, in part or whole: lose() says so.
/// Threads: every member may be called from any; one mutex guards the state, and is never held
/// while the runtime is called.
class Recorder {
 public:
  /// Made at its first use, never destroyed: the program may call HIP until its very end.
  static Recorder& of_process();

  /// Runs `work(*this)`: keeps errno, thread cancellation and exhausted memory from reaching the
  /// program. Every use from a hook goes through here, lose() excepted.
  template <class Work>
  void guarded(Work work) noexcept {
    const int saved_errno = errno;
    int cancel_state = 0;
    ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    // The one place outside cli/main.cc that catches: an exception here would end the program.
    try {
      work(*this);
    } catch (const std::exception&) {
      lose_without_memory();
    }
    ::pthread_setcancelstate(cancel_state, nullptr);
    errno = saved_errno;
  }

  /// A HIP call was made: from here on there is a journal.
  void saw_call();
  /// Something happened. Allocations and handles that it made are tracked.
  void append(journal::Body body);
  /// The runtime refused something: `body` is what was asked for.
  void append_failed(journal::Body body, int status);
  /// What this thread appended last has failed.
  void note_failure(int status);
  /// A launch that the runtime is about to be asked for, whose arguments `arguments` points to.
  /// Absent where it is recorded, else why it is not.
  std::optional<std::string> append_launch(journal::Launch launch, void* const* arguments);
  /// An annotation: alone it makes no journal.
  void annotate(journal::Body body);

  /// The end of something that the runtime is about to be asked for: recorded if its beginning was
  /// seen. Absent if not, else what keep_… takes back should the runtime refuse.
  std::optional<Allocations::Live> end_allocation(std::uint64_t address);
  bool end_stream(std::uint64_t stream);
  bool end_event(std::uint64_t event);

  /// What this thread ended last has not ended after all.
  void keep_allocation(const Allocations::Live& allocation, int status);
  void keep_stream(std::uint64_t stream, int status);
  void keep_event(std::uint64_t event, int status);

  /// The runtime refused to free memory that is not live: recorded if it once was.
  void refused_free(std::uint64_t address, int status);

  void add_fat_binary(std::uint64_t handle, const std::byte* start);
  void add_function(Registrations::Function function);
  void remove_fat_binary(std::uint64_t handle);

  /// True for the first caller, who must then append what the runtime says of its device.
  bool take_device_question() { return device_unasked_.exchange(false); }

  bool is_device_memory(std::uint64_t address);

  /// Something could not be recorded. Said once on standard error, and in the journal once a cause.
  void lose(std::string_view cause) noexcept;

  /// The process ends in order. Nothing is recorded after it.
  void end();

  void before_fork();
  void after_fork_in_parent();
  void after_fork_in_child();

 private:
  enum class State : std::uint8_t { kBeforeFirstCall, kRecording, kOver };
  class Lock;

  Recorder();
  void lose_without_memory() noexcept;

  // All below: with the mutex held.
  void start_anew();
  bool recording();
  void open();
  void write_beginning();
  void write(journal::Body body);
  void write_or_keep(journal::Body body);
  void write_fat_binary(const Registrations::FatBinary& fat_binary);
  void track(const journal::Body& body);
  void note_loss(std::string_view cause);
  void stop(std::string_view cause);
  void stop_at_failure();
  void leave_mark(std::string_view cause) const;
  journal::Entry entry(journal::Body body);

  const std::string folder_;
  std::mutex mutex_;
  std::atomic<bool>
      usable_;  ///< false: no folder, or a fork at a moment that left the state unknown
  std::atomic<bool> device_unasked_{true};

  pid_t process_;
  std::uint64_t generation_ = 1;  ///< which recording thread numbers belong to; grows with forks
  State state_ = State::kBeforeFirstCall;
  std::optional<journal::Writer> writer_;
  std::uint32_t threads_ = 0;
  std::vector<journal::Entry> kept_;  ///< annotations and causes from before the first call
  std::vector<std::string> causes_;
  std::string architecture_;
  Allocations allocations_;
  Registrations registrations_;
  std::unordered_set<std::uint64_t> streams_;
  std::unordered_set<std::uint64_t> events_;
};

}  // namespace compass::capture
