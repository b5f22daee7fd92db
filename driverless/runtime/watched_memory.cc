// SPDX-License-Identifier: MIT
#include "driverless/runtime/watched_memory.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace compass {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr int kRearmMs = 10;
constexpr int kPoll = 3;  // this touch of a place is one

Error system_error(std::string_view what) {
  const int cause = errno;
  return {ErrorCode::kSystem, concat(what, ": ", std::strerror(cause))};
}

std::uint64_t round_up(std::uint64_t size_bytes) {
  return (size_bytes + kPageBytes - 1) & ~(kPageBytes - 1);
}

void* page_of(std::uint64_t address) {
  return reinterpret_cast<void*>(address & ~(kPageBytes - 1));  // NOLINT(performance-no-int-to-ptr)
}

/// A descriptor on which page faults of shared memory can be heard, with their exact addresses.
Result<int> open_faults() {
  const auto faults = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK));
  if (faults < 0) return system_error("userfaultfd is refused");
  uffdio_api api{.api = UFFD_API,
                 .features = UFFD_FEATURE_MINOR_SHMEM | UFFD_FEATURE_MISSING_SHMEM |
                             UFFD_FEATURE_EXACT_ADDRESS,
                 .ioctls = 0};
  if (::ioctl(faults, UFFDIO_API, &api) == 0) return faults;
  Error error = system_error("userfaultfd cannot watch shared memory");
  ::close(faults);
  return error;
}

uffdio_range range_of(const std::byte* start, std::uint64_t size_bytes) {
  return {.start = reinterpret_cast<std::uint64_t>(start), .len = size_bytes};
}

}  // namespace

Result<std::unique_ptr<WatchedMemory>> WatchedMemory::create(std::function<void()> on_poll) {
  ASSIGN_OR_RETURN(const int faults, open_faults());
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    Error error = system_error("eventfd");
    ::close(faults);
    return error;
  }
  std::unique_ptr<WatchedMemory> memory(new WatchedMemory(faults, wake, std::move(on_poll)));
  memory->listener_ = std::thread([it = memory.get()] { it->listen(); });
  return memory;
}

WatchedMemory::~WatchedMemory() {
  disarm();
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  const std::uint64_t one = 1;
  static_cast<void>(::write(wake_, &one, sizeof one) == sizeof one);
  listener_.join();
  while (!mappings_.empty()) remove(mappings_.begin()->first);
  ::close(faults_);
  ::close(wake_);
}

Result<std::byte*> WatchedMemory::add(std::byte* program, std::uint64_t size_bytes) {
  const std::uint64_t whole_bytes = round_up(size_bytes);
  const int file = ::memfd_create("compass-pinned", MFD_CLOEXEC);
  if (file < 0) return system_error("memfd_create");
  void* runtime = MAP_FAILED;
  if (::ftruncate(file, static_cast<off_t>(whole_bytes)) == 0) {
    runtime = ::mmap(nullptr, whole_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  const bool mapped = runtime != MAP_FAILED && ::mmap(program, whole_bytes, PROT_READ | PROT_WRITE,
                                                      MAP_SHARED | MAP_FIXED, file, 0) == program;
  Error error = system_error("a file in memory cannot be mapped");
  ::close(file);
  if (!mapped) {
    if (runtime != MAP_FAILED) ::munmap(runtime, whole_bytes);
    return error;
  }
  const std::lock_guard lock(mutex_);
  mappings_[program] = {static_cast<std::byte*>(runtime), whole_bytes};
  return static_cast<std::byte*>(runtime);
}

void WatchedMemory::remove(std::byte* program) {
  const std::lock_guard lock(mutex_);
  const auto at = mappings_.find(program);
  if (at == mappings_.end()) return;
  ::munmap(at->second.runtime, at->second.size_bytes);
  // The range stays its owner's: private zeros, as it was before.
  ::mmap(program, at->second.size_bytes, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  mappings_.erase(at);
}

void WatchedMemory::arm() {
  const std::lock_guard lock(mutex_);
  armed_ = true;
  touched_.clear();
  for (const auto& [program, mapping] : mappings_) {
    // What cannot be watched is not: then a touch is not heard.
    uffdio_register watched{.range = range_of(program, mapping.size_bytes),
                            .mode = UFFDIO_REGISTER_MODE_MINOR | UFFDIO_REGISTER_MODE_MISSING,
                            .ioctls = 0};
    ::ioctl(faults_, UFFDIO_REGISTER, &watched);
    ::madvise(program, mapping.size_bytes, MADV_DONTNEED);  // the file keeps the bytes
  }
}

void WatchedMemory::disarm() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(armed_, false)) return;
  touched_.clear();
  for (const auto& [program, mapping] : mappings_) {
    uffdio_range range = range_of(program, mapping.size_bytes);
    ::ioctl(faults_, UFFDIO_UNREGISTER, &range);  // whoever waits goes on
  }
}

void WatchedMemory::listen() {
  for (;;) {
    pollfd sources[] = {{.fd = faults_, .events = POLLIN, .revents = 0},
                        {.fd = wake_, .events = POLLIN, .revents = 0}};
    const int ready = ::poll(sources, 2, patience_ms());
    if (ready < 0 && errno != EINTR) return;
    if (ready == 0) hear_again();
    {
      const std::lock_guard lock(mutex_);
      if (ends_) return;
    }
    uffd_msg message{};
    while (::read(faults_, &message, sizeof message) == sizeof message) {
      if (message.event == UFFD_EVENT_PAGEFAULT) {
        const bool exists = (message.arg.pagefault.flags & UFFD_PAGEFAULT_FLAG_MINOR) != 0;
        on_touch(message.arg.pagefault.address, exists ? Page::kExists : Page::kMissing);
      }
    }
  }
}

void WatchedMemory::on_touch(std::uint64_t address, Page page) {
  bool polls = false;
  {
    const std::lock_guard lock(mutex_);
    if (armed_) {
      Touched& place = touched_[address];
      place.open = true;
      polls = ++place.times >= kPoll;
    }
  }
  if (polls) on_poll_();
  let_pass(address, page);
}

void WatchedMemory::let_pass(std::uint64_t address, Page page) const {
  uffdio_range range = range_of(static_cast<std::byte*>(page_of(address)), kPageBytes);
  uffdio_continue pass{.range = range, .mode = 0, .mapped = 0};
  uffdio_zeropage fill{.range = range, .mode = 0, .zeropage = 0};
  const int failed = page == Page::kExists ? ::ioctl(faults_, UFFDIO_CONTINUE, &pass)
                                           : ::ioctl(faults_, UFFDIO_ZEROPAGE, &fill);
  // Where somebody was faster, or the memory ended, whoever waits looks again.
  if (failed != 0) ::ioctl(faults_, UFFDIO_WAKE, &range);
}

/// How long to wait for touches: while pages are open, until they are to be heard of again.
int WatchedMemory::patience_ms() {
  const std::lock_guard lock(mutex_);
  const bool any_open = std::any_of(touched_.begin(), touched_.end(),
                                    [](const auto& place) { return place.second.open; });
  return any_open ? kRearmMs : -1;
}

void WatchedMemory::hear_again() {
  const std::lock_guard lock(mutex_);
  if (!armed_) return;
  for (auto& [address, place] : touched_) {
    if (std::exchange(place.open, false)) ::madvise(page_of(address), kPageBytes, MADV_DONTNEED);
  }
}

}  // namespace compass
