// SPDX-License-Identifier: MIT
#include "capture/recorder.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "capture/journal_thread.h"
#include "capture/rank.h"
#include "capture/recorder_lock.h"

namespace compass::capture {
namespace {

/// This thread's number, in the recording of this generation.
struct ThreadNumber {
  std::uint64_t generation = 0;
  std::uint32_t number = 0;
};
constinit thread_local ThreadNumber own_number [[gnu::tls_model("initial-exec")]];

std::string environment(const char* name) {
  const char* value = ::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::uint64_t now_ns() {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * kSecond + static_cast<std::uint64_t>(now.tv_nsec);
}

std::string program_name() {
  char path[PATH_MAX];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0) return program_invocation_short_name;
  const std::string_view target(path, static_cast<std::size_t>(size));
  return std::string(target.substr(target.rfind('/') + 1));
}

}  // namespace

Recorder& Recorder::of_process() {
  static Recorder* const recorder = new Recorder;
  return *recorder;
}

Recorder::Recorder()
    : folder_(environment("COMPASS_JOURNAL_DIR")),
      contents_name_(environment(kContentsVariable)),
      contents_(contents_mode_of(contents_name_).value_or(ContentsMode::kIndex)),
      usable_(!folder_.empty()),
      started_ns_(now_ns()) {
  const std::string buffer = environment(journal::kBufferVariable);
  if (buffer.empty()) return;
  const Result<std::uint64_t> bytes = journal::parse_buffer(buffer);
  if (bytes) {
    buffer_bytes_ = *bytes;
  } else {
    say_once(concat(journal::kBufferVariable, ": ", bytes.error().message));
  }
}

void Recorder::say_once(std::string_view text) {
  static std::atomic<bool> said{false};
  if (said.exchange(true)) return;
  constexpr std::string_view kPrefix = "compass-capture: ";
  const auto part = [](std::string_view piece) {
    return iovec{const_cast<char*>(piece.data()), piece.size()};
  };
  const iovec line[] = {part(kPrefix), part(text), part("\n")};
  // Nobody is left to tell if standard error is closed.
  [[maybe_unused]] const ssize_t written = ::writev(STDERR_FILENO, line, 3);
}

void Recorder::saw_call() {
  if (saw_call_.load(std::memory_order_relaxed) || saw_call_.exchange(true)) return;
  if (folder_.empty()) say_once("COMPASS_JOURNAL_DIR is not set, nothing is recorded");
  const Lock lock(*this);
  if (lock && recording() && by_mark_) write(journal::CalledHip{});
}

std::uint64_t Recorder::append(journal::Body body, Work work) {
  const std::uint64_t capture = capture_for(body, work);
  const std::uint32_t call_site = call_site_of(body);
  const Lock lock(*this);
  if (!lock || !recording()) return 0;
  track(body);
  if (capture == kNoCapture) order(body);
  write_call_site(call_site);
  return write(std::move(body), capture);
}

void Recorder::note_failure(std::uint64_t entry, int status) {
  if (entry == 0) return;
  forget_copies_of(entry);
  append(journal::Failed{entry, status});
}

void Recorder::annotate(journal::Body body) {
  const Lock lock(*this);
  if (!lock) return;
  if (state_ == State::kBeforeFirstCall) by_mark_ = true;
  if (recording()) write(std::move(body));
}

Recorder::EndedAllocation Recorder::end_allocation(const journal::Free& free) {
  const std::uint64_t capture = capture_for(free, Work::kOfStream);
  const Lock lock(*this);
  if (!lock || !recording()) return {};
  if (capture != kNoCapture) return {write(free, capture), {}};  // it goes on living
  const std::optional<Allocations::Live> ended = allocations_.remove(free.address);
  if (!ended) return {};
  pending_.forget_memory(ended->address, ended->size_bytes);
  mirror_.forget(ended->address);
  return {write(free), *ended};
}

void Recorder::end_device_memory() {
  const Lock lock(*this);
  if (!lock || !recording()) return;
  for (const Allocations::Live& ended : allocations_.of_device()) {
    allocations_.remove(ended.address);
    write(journal::Free{ended.address});
  }
}

void Recorder::keep_allocation(const EndedAllocation& ended, int status) {
  const Lock lock(*this);
  if (!lock || !recording()) return;
  if (ended.allocation.address != 0) allocations_.add(ended.allocation);
  write(journal::Failed{ended.entry, status});
}

void Recorder::refused_free(const journal::Free& free, int status) {
  const Lock lock(*this);
  if (!lock || !recording() || !allocations_.has_ended(free.address)) return;
  const std::uint64_t entry = write(free);
  write(journal::Failed{entry, status});
}

std::uint64_t Recorder::end_stream(std::uint64_t stream) {
  const Lock lock(*this);
  if (!lock || !recording() || streams_.erase(stream) == 0) return 0;
  pending_.forget_stream(stream);
  return write(journal::DestroyStream{stream});
}

void Recorder::keep_stream(std::uint64_t stream, std::uint64_t entry, int status) {
  const Lock lock(*this);
  if (!lock || !recording()) return;
  streams_.insert(stream);
  write(journal::Failed{entry, status});
}

std::uint64_t Recorder::end_event(std::uint64_t event) {
  const Lock lock(*this);
  if (!lock || !recording() || events_.erase(event) == 0) return 0;
  return write(journal::DestroyEvent{event});
}

void Recorder::keep_event(std::uint64_t event, std::uint64_t entry, int status) {
  const Lock lock(*this);
  if (!lock || !recording()) return;
  events_.insert(event);
  write(journal::Failed{entry, status});
}

void Recorder::note_ran(std::uint64_t entry, std::uint64_t call) {
  const Lock lock(*this);
  if (!lock) return;
  pending_.note_ran(entry, call);
  if (writer_) writer_->note_ran(entry);
}

std::uint64_t Recorder::append_evidence(ByteView encoded_entry) {
  const Lock lock(*this);
  if (!lock || !writer_) return 0;
  const std::uint64_t entry = writer_->append_encoded(encoded_entry);
  if (entry == 0) stop_at_failure();
  return entry;
}

bool Recorder::is_device_memory(std::uint64_t address) {
  const Lock lock(*this);
  if (!lock) return false;
  const auto allocation = allocations_.find(address);
  return allocation && allocation->kind == journal::MemoryKind::kDevice;
}

void Recorder::lose(std::string_view cause) noexcept {
  guarded([cause](Recorder& recorder) {
    const Lock lock(recorder);
    if (lock) recorder.note_loss(cause);
  });
}

void Recorder::lose_without_memory() noexcept {
  const Lock lock(*this);
  if (lock) stop("out of memory, the recording ends here");
}

void Recorder::end() {
  const Lock lock(*this);
  if (!lock) return;
  if (state_ == State::kRecording) write(journal::End{});
  if (writer_) writer_->end();
  writer_.reset();
  state_ = State::kOver;
}

void Recorder::end_at_once() {
  if (fork_mark_.is_elsewhere()) return;
  const Lock lock(*this);
  if (!lock || state_ != State::kRecording) return;
  write(journal::End{});
  state_ = State::kOver;
}

void Recorder::before_fork() {
  if (holds_lock) return;
  mutex_.lock();
  call_sites_.before_fork();
}

void Recorder::after_fork_in_parent() {
  if (holds_lock) return;
  call_sites_.after_fork();
  mutex_.unlock();
}

void Recorder::after_fork_in_child() {
  // A signal handler forked while its thread was changing the state.
  if (holds_lock) {
    usable_ = false;
    return;
  }
  call_sites_.after_fork();
  start_anew();
  mutex_.unlock();
}

void Recorder::start_anew() {
  fork_mark_.set();
  started_ns_ = now_ns();
  saw_call_ = false;
  by_mark_ = false;
  ++generation_;
  state_ = State::kBeforeFirstCall;
  if (writer_) writer_->abandon();
  writer_.reset();
  is_served_ = false;
  threads_ = 0;
  kept_.clear();
  causes_.clear();
  architecture_.clear();
  allocations_.clear();
  globals_.clear();
  streams_.clear();
  events_.clear();
  launches_.clear();
  written_call_sites_.clear();
  graphs_.clear();
  executables_.clear();
  mirror_.clear();
  sees_host_memory_ = false;
  pending_.clear();
  has_pending_ = false;
  device_unasked_ = true;
}

bool Recorder::recording() {
  if (state_ == State::kBeforeFirstCall) open();
  return state_ == State::kRecording;
}

void Recorder::open() {
  // Numbers are taken where a program replaced itself by exec(), or where containers share a
  // folder.
  constexpr int kLargestNumber = 1000;
  for (int number = 0;; ++number) {
    const std::string path = concat(folder_, "/", ::getpid(), "-", number, ".journal");
    Result<journal::Writer> writer = journal::Writer::create(path.c_str(), buffer_bytes_);
    if (writer) {
      writer_.emplace(std::move(writer).value());
      break;
    }
    if (number == kLargestNumber || ::access(path.c_str(), F_OK) != 0) {
      return stop(concat("nothing is recorded: ", writer.error().message));
    }
  }
  state_ = State::kRecording;
  write_beginning();
}

void Recorder::write_beginning() {
  const Rank rank = rank_of_process();
  write(journal::Start{static_cast<std::uint32_t>(::getpid()),
                       static_cast<std::uint32_t>(::getppid()), started_ns_, program_name(),
                       contents_, by_mark_, rank.rank, rank.ranks});
  if (!contents_name_.empty() && !contents_mode_of(contents_name_)) {
    note_loss(concat(kContentsVariable, " is '", contents_name_,
                     "', expected none, index, inputs or all: index was taken"));
  }
  for (const auto& fat_binary : registrations_.fat_binaries()) {
    write_fat_binary(fat_binary);
    for (const auto& function : fat_binary.functions) {
      write(journal::Function{function.fat_binary, function.host_function, function.kernel});
    }
  }
  for (const journal::Entry& entry : std::exchange(kept_, {})) {
    if (writer_ && !writer_->append(entry)) stop_at_failure();
  }
}

std::uint64_t Recorder::write(journal::Body body, std::uint64_t capture) {
  if (!writer_) return 0;
  journal::Entry written = entry(std::move(body));
  written.captured = capture != kNoCapture;
  const std::uint64_t given_up = give_up_contents(written.body);
  const std::uint64_t number = writer_->append(written);
  if (number == 0) return stop_at_failure(), 0;
  executables_.take(number, written.body);
  if (written.captured && capture != kByHand) graphs_.add_captured(capture, number, written.body);
  if (given_up != 0) write(journal::ContentGivenUp{number, given_up});
  if (!is_served_ && writer_ && writer_->file()->outgrew_first_segment()) {
    is_served_ = true;
    serve_by_thread(writer_->file());
  }
  return number;
}

/// Where the disk is behind: a record is never dropped, but its contents are: what has fewer bytes
/// than it speaks of is unknown. How many bytes.
std::uint64_t Recorder::give_up_contents(journal::Body& body) {
  Bytes* content = nullptr;
  if (auto* const copy = std::get_if<journal::Copy>(&body)) content = &copy->content;
  if (auto* const completed = std::get_if<journal::Completed>(&body)) content = &completed->content;
  if (auto* const source = std::get_if<journal::NodeSource>(&body)) content = &source->content;
  if (auto* const write = std::get_if<journal::HostWrite>(&body)) content = &write->content;
  if (content == nullptr || content->empty()) return 0;
  if (writer_->has_room_for_contents(content->size())) return 0;
  return std::exchange(*content, {}).size();
}

void Recorder::stop_at_failure() {
  stop(concat("the journal cannot be written any further: ", std::strerror(writer_->failure())));
}

void Recorder::track(const journal::Body& body) {
  if (const auto* made = std::get_if<journal::Allocate>(&body)) {
    allocations_.add({made->address, made->size_bytes, made->kind});
    mirror_.forget(made->address);
    if (made->kind != journal::MemoryKind::kDevice) sees_host_memory_ = true;
  } else if (const auto* stream = std::get_if<journal::CreateStream>(&body)) {
    streams_.insert(stream->stream);
  } else if (const auto* event = std::get_if<journal::CreateEvent>(&body)) {
    events_.insert(event->event);
  } else if (const auto* device = std::get_if<journal::DeviceSeen>(&body)) {
    architecture_ = device->architecture;
  }
}

void Recorder::note_loss(std::string_view cause) {
  constexpr std::size_t kMostCauses = 64;
  const bool known = std::find(causes_.begin(), causes_.end(), cause) != causes_.end();
  if (known || causes_.size() == kMostCauses) return;
  causes_.emplace_back(cause);
  say_once(concat("the recording is incomplete: ", cause));
  if (state_ == State::kRecording) write(journal::Incomplete{std::string(cause)});
  if (state_ == State::kBeforeFirstCall) {
    kept_.push_back(entry(journal::Incomplete{std::string(cause)}));
  }
}

void Recorder::stop(std::string_view cause) {
  say_once(cause);
  leave_mark(cause);
  if (writer_) writer_->end();
  writer_.reset();
  state_ = State::kOver;
}

/// Tells whoever seals the journal why it ends, by a link: one can be made where no file can be
/// written. Takes no memory.
void Recorder::leave_mark(std::string_view cause) const {
  char path[PATH_MAX];
  char text[256];
  std::snprintf(path, sizeof path, "%s/%d.stopped", folder_.c_str(), static_cast<int>(::getpid()));
  std::snprintf(text, sizeof text, "%.*s", static_cast<int>(cause.size()), cause.data());
  // It may be there, and the folder may be closed to us: the line on standard error is all then.
  [[maybe_unused]] const int made = ::symlink(text, path);
}

journal::Entry Recorder::entry(journal::Body body) {
  if (own_number.generation != generation_) own_number = {generation_, ++threads_};
  return {.thread = own_number.number, .body = std::move(body)};
}

}  // namespace compass::capture
