// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "capture/call_sites.h"
#include "capture/fork_mark.h"
#include "capture/tracker/allocations.h"
#include "capture/tracker/executables.h"
#include "capture/tracker/graphs.h"
#include "capture/tracker/host_mirror.h"
#include "capture/tracker/launches.h"
#include "capture/tracker/pending_copies.h"
#include "capture/tracker/registrations.h"
#include "ir/contents.h"
#include "ir/journal/file.h"

namespace compass::capture {

/// The recording of this process: its journal and what must be known to write it.
///
/// The journal's folder is COMPASS_JOURNAL_DIR as it was when the process started. The file appears
/// with the first HIP call or annotation; what was registered before is remembered and written
/// first, so that a process which does neither leaves no file. A fork()ed child starts anew with
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

  /// False where nothing can be recorded.
  bool is_usable() const { return usable_; }

  /// A HIP call was made: from here on there is a journal.
  void saw_call();
  /// Something happened, or is about to be asked for. Allocations and handles that it made are
  /// tracked. The entry's number in the journal; 0 where it could not be written.
  ///
  /// Where its stream is captured it becomes a node. kOfNode: it is one that no capture made.
  enum class Work : std::uint8_t { kOfStream, kOfNode };
  std::uint64_t append(journal::Body body, Work work = Work::kOfStream);
  /// The same for a copy. Its sides that are the host's, as far as contents are kept: a wait for
  /// the copy, or a launch of the node, is to look at them. `call` numbers the call that asks for
  /// it.
  struct HostSides {
    std::optional<HostRows> source;
    std::optional<HostRows> destination;
  };
  std::uint64_t append_copy(journal::Copy copy, const HostSides& host, std::uint64_t call,
                            Work work);
  /// The same for the launch of a graph, with what its nodes are about to copy from the host.
  std::uint64_t append_graph_launch(const journal::LaunchGraph& launch, std::uint64_t call);
  /// What that entry asked for has failed.
  void note_failure(std::uint64_t entry, int status);

  /// A launch that the runtime is about to be asked for.
  struct LaunchCall {
    std::uint64_t host_function = 0;
    std::uint64_t stream = 0;
    std::array<std::uint32_t, 3> grid_workgroups{};
    std::array<std::uint32_t, 3> workgroup_workitems{};
    std::uint32_t dynamic_lds_bytes = 0;
    void* const* arguments = nullptr;
    ByteView packed;  ///< where there are no `arguments`: they, at their offsets
    bool is_cooperative = false;
    Work work = Work::kOfStream;  ///< as for append()
  };
  struct AppendedLaunch {
    std::uint64_t entry = 0;
    std::string loss;  ///< why it could not be recorded, if that is to be said
  };
  AppendedLaunch append_launch(const LaunchCall& call);
  /// An annotation: from here on there is a journal.
  void annotate(journal::Body body);

  /// The end of something that the runtime is about to be asked for: recorded if its beginning was
  /// seen, else the entry is 0. keep_… takes it back should the runtime refuse.
  struct EndedAllocation {
    std::uint64_t entry = 0;
    Allocations::Live allocation;
  };
  EndedAllocation end_allocation(const journal::Free& free);
  /// The runtime has ended all device memory there was.
  void end_device_memory();
  std::uint64_t end_stream(std::uint64_t stream);
  std::uint64_t end_event(std::uint64_t event);
  void keep_allocation(const EndedAllocation& ended, int status);
  void keep_stream(std::uint64_t stream, std::uint64_t entry, int status);
  void keep_event(std::uint64_t event, std::uint64_t entry, int status);

  /// `find` gives the number of the capture that a stream is part of, 0 where it is in none. Null:
  /// nothing is captured.
  using FindCapture = std::uint64_t (*)(std::uint64_t stream);
  void find_captures_by(FindCapture find) { find_capture_ = find; }

  // Of the nodes of graphs: capture/tracker/graphs.h.

  std::uint64_t lasting_node_entry(std::uint64_t node);
  void set_node_entry(std::uint64_t node, std::uint64_t entry, bool lasts);
  std::uint64_t node_entry(std::uint64_t node);
  void end_capture(std::uint64_t capture, std::uint64_t graph, std::span<const Graphs::Node> nodes);
  void forget_node(std::uint64_t node);
  void forget_graph(std::uint64_t graph);

  /// What a runtime that sees what it runs has to say: ir/live/live.h.
  /// `call` numbers the call of the program in which it was carried out; 0: it has no number.
  void note_ran(std::uint64_t entry, std::uint64_t call);
  std::uint64_t append_evidence(ByteView encoded_entry);

  /// The runtime refused to free memory that is not live: recorded if it once was.
  void refused_free(const journal::Free& free, int status);

  void add_fat_binary(std::uint64_t handle, const std::byte* start);
  void add_function(Registrations::Function function);
  void remove_fat_binary(std::uint64_t handle);

  /// Code that the program loads itself. Unlike a fat binary, its bytes may be gone any time after.
  void add_module(std::uint64_t handle, const std::byte* image);
  void add_module(std::uint64_t handle, Bytes file);
  /// `function` is another name of a kernel that is known.
  void add_function_of(std::uint64_t known_function, std::uint64_t function);
  void add_variable(Registrations::Variable variable);
  std::optional<Registrations::Variable> find_variable(std::uint64_t host_variable);
  /// The program learned, or used, where a variable of its code is.
  void note_global(journal::Global global);
  struct EndedModule {
    std::uint64_t entry = 0;
    std::optional<Registrations::FatBinary> module = std::nullopt;
  };
  EndedModule end_module(std::uint64_t handle);
  void keep_module(EndedModule ended, int status);

  /// True for the first caller, who must then append what the runtime says of its device.
  bool take_device_question() {
    return device_unasked_.load(std::memory_order_relaxed) && device_unasked_.exchange(false);
  }

  bool is_device_memory(std::uint64_t address);

  /// One line on standard error, the first time in a process only.
  static void say_once(std::string_view text);

  /// Whether what the stream is given becomes a node.
  bool is_captured(std::uint64_t stream) const;

  /// A wait of the host, about to begin: the pending copies that it waits for. Once it has ended,
  /// complete() keeps what their memory holds; `call` numbers the call that waited.
  struct Wait {
    journal::SyncScope scope = journal::SyncScope::kDevice;
    std::uint64_t handle = 0;
  };
  std::vector<PendingCopies::Id> copies_before(const Wait& wait);
  void complete(std::span<const PendingCopies::Id> copies, std::uint64_t call);
  /// The device is about to read memory of the host's that lies there: keeps what changed in it.
  void keep_host_memory(std::span<const std::uint64_t> addresses);
  /// A number for a call of the program in which a runtime may carry out copies.
  std::uint64_t next_call() { return ++last_call_; }

  /// Which contents are kept: what COMPASS_CONTENTS said when the process started.
  ContentsMode contents() const { return contents_; }

  /// Something could not be recorded. Said once on standard error, and in the journal once a cause.
  void lose(std::string_view cause) noexcept;

  /// The process ends in order. Nothing is recorded after it.
  void end();
  /// The same where it ends at once, by _exit(), maybe in a signal handler: takes no memory, and
  /// frees none. A child of vfork() is not the process.
  void end_at_once();

  /// Before the first call that has a call site.
  void prepare_call_sites();

  void before_fork();
  void after_fork_in_parent();
  void after_fork_in_child();

 private:
  enum class State : std::uint8_t { kBeforeFirstCall, kRecording, kOver };
  class Lock;

  static constexpr std::uint64_t kNoCapture = 0;
  static constexpr std::uint64_t kByHand = ~std::uint64_t{0};

  Recorder();
  void lose_without_memory() noexcept;
  /// The number of the capture in which it becomes a node, or kByHand. Calls the runtime.
  std::uint64_t capture_for(std::uint64_t stream, Work work) const;
  std::uint64_t capture_for(const journal::Body& body, Work work) const;
  void complete(const PendingCopies::Copy& copy, std::uint64_t call);
  void forget_copies_of(std::uint64_t entry);
  bool keeps_inputs() const;
  std::vector<std::uint64_t> reads_of(std::uint64_t executable);
  void keep_inputs_of(const LaunchCall& call);
  void append_node_source(journal::Doer doer, std::uint64_t stream, const HostRows& source,
                          std::uint64_t call);

  /// The number of the place in the program that asks for it; 0: none is recorded. Not with the
  /// mutex held: it may wait for the dynamic linker.
  std::uint32_t call_site_of(const journal::Body& body);

  // All below: with the mutex held.
  void write_call_site(std::uint32_t number);  ///< of the entry that is written next
  void start_anew();
  bool recording();
  void open();
  void write_beginning();
  std::uint64_t write(journal::Body body, std::uint64_t capture = kNoCapture);
  static Result<void> pack(const LaunchCall& call, const KernargLayout& layout,
                           std::span<std::byte> kernarg);
  Result<std::uint64_t> write_launch(const LaunchCall& call, const KernargLayout& layout,
                                     std::uint64_t capture);
  std::uint64_t give_up_contents(journal::Body& body);
  void forget_globals(std::uint64_t fat_binary);
  void write_fat_binary(const Registrations::FatBinary& fat_binary);
  void track(const journal::Body& body);
  void order(const journal::Body& body);
  std::vector<std::uint64_t> host_memory_in(ByteView kernarg) const;
  void write_changes(const Allocations::Live& memory, bool is_read, ByteView bytes);
  void order_launch(std::uint64_t stream);
  void add_pending(std::uint64_t stream, const PendingCopies::Copy& copy);
  void note_loss(std::string_view cause);
  void stop(std::string_view cause);
  void stop_at_failure();
  void leave_mark(std::string_view cause) const;
  journal::Entry entry(journal::Body body);

  const std::string folder_;
  const std::string contents_name_;
  const ContentsMode contents_;
  std::uint64_t buffer_bytes_ = journal::kDefaultBufferBytes;
  std::mutex mutex_;
  std::atomic<bool>
      usable_;  ///< false: no folder, or a fork at a moment that left the state unknown
  std::atomic<bool> device_unasked_{true};
  std::atomic<FindCapture> find_capture_{nullptr};

  ForkMark fork_mark_;
  std::uint64_t started_ns_;
  std::uint64_t generation_ = 1;  ///< which recording thread numbers belong to; grows with forks
  State state_ = State::kBeforeFirstCall;
  std::atomic<bool> saw_call_{false};
  bool by_mark_ = false;  ///< an annotation made the journal
  std::optional<journal::Writer> writer_;
  bool is_served_ = false;  ///< by a thread, or none could be made
  std::uint32_t threads_ = 0;
  std::vector<journal::Entry> kept_;  ///< causes from before the journal
  std::vector<std::string> causes_;
  std::string architecture_;
  Allocations allocations_;
  std::map<std::uint64_t, std::uint64_t> globals_;  ///< fat binary by address, of those recorded
  Registrations registrations_;
  Launches launches_;
  CallSites call_sites_;
  std::unordered_set<std::uint32_t> written_call_sites_;
  Graphs graphs_;
  std::atomic<bool> sees_host_memory_{false};
  HostMirror mirror_;
  Executables executables_;
  PendingCopies pending_;
  std::atomic<bool> has_pending_{false};
  std::atomic<std::uint64_t> last_call_{0};
  Bytes launch_;  ///< reused from launch to launch
  std::unordered_set<std::uint64_t> streams_;
  std::unordered_set<std::uint64_t> events_;
};

}  // namespace compass::capture
