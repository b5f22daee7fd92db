// SPDX-License-Identifier: MIT
#include "ir/journal/durable_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace compass::journal {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kSmallestStep = 64 << 10;
constexpr std::uint64_t kLargestStep = 8 << 20;

/// The same open file under a number that programs which close "all" their files rarely reach.
int out_of_the_way(int descriptor) {
  constexpr int kLowest = 700;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kLowest);
  if (moved < 0) return descriptor;
  ::close(descriptor);
  return moved;
}

std::uint64_t file_size_limit() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return limit.rlim_cur;
}

/// Takes room from the file system; 0 or the cause.
int allocate(int descriptor, std::uint64_t begin, std::uint64_t end) {
  int failure = EINTR;
  while (failure == EINTR) {
    failure =
        ::posix_fallocate(descriptor, static_cast<off_t>(begin), static_cast<off_t>(end - begin));
  }
  return failure;
}

/// The compiler must not move a store across another: whoever reads the file after a kill goes by
/// their order.
void store(std::byte* to, ByteView bytes) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (bytes.size() == sizeof(std::uint32_t)) {
    std::memcpy(to, bytes.data(), sizeof(std::uint32_t));  // one instruction
  } else {
    std::memcpy(to, bytes.data(), bytes.size());
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace

Result<DurableFile> DurableFile::create(const char* path) {
  const int descriptor = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  struct stat status {};
  DurableFile file(descriptor < 0 ? descriptor : out_of_the_way(descriptor));
  if (file.descriptor_ < 0 || ::fstat(file.descriptor_, &status) != 0) {
    const int cause = errno;
    return Error{ErrorCode::kSystem, concat("cannot create ", path, ": ", std::strerror(cause))};
  }
  file.device_ = status.st_dev;
  file.inode_ = status.st_ino;
  file.limit_bytes_ = file_size_limit();
  return file;
}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      device_(other.device_),
      inode_(other.inode_),
      limit_bytes_(other.limit_bytes_),
      size_bytes_(other.size_bytes_),
      window_(std::exchange(other.window_, nullptr)),
      window_begin_(other.window_begin_),
      window_end_(std::exchange(other.window_end_, 0)),
      maps_(other.maps_) {}

DurableFile::~DurableFile() {
  unmap();
  if (descriptor_ >= 0 && still_ours()) ::close(descriptor_);
}

bool DurableFile::put(std::uint64_t offset, ByteView bytes) {
  const std::uint64_t end = offset + bytes.size();
  if (offset < window_begin_ || end > window_end_) {
    if (!grow(end)) return false;
    if (!maps_ || !show(offset, end)) return write(offset, bytes);
  }
  store(window_ + (offset - window_begin_), bytes);
  return true;
}

void DurableFile::end_at(std::uint64_t size_bytes) {
  unmap();
  if (!still_ours()) return;
  // The rest would be zeros, which readers take for what was never stored.
  [[maybe_unused]] const int done = ::ftruncate(descriptor_, static_cast<off_t>(size_bytes));
}

/// Whether the descriptor still names our file: the program may have closed and reused its number.
bool DurableFile::still_ours() const {
  struct stat status {};
  return descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0 && status.st_dev == device_ &&
         status.st_ino == inode_;
}

/// Makes the file at least `end` long, and longer: the next growth is to be far away.
bool DurableFile::grow(std::uint64_t end) {
  if (end <= size_bytes_) return true;
  // Beyond the limit the system would kill the process (SIGXFSZ).
  if (end > limit_bytes_) return errno = EFBIG, false;
  if (!still_ours()) return errno = EBADF, false;
  const std::uint64_t step = std::clamp(size_bytes_, kSmallestStep, kLargestStep);
  const std::uint64_t far =
      std::min(limit_bytes_, std::max(size_bytes_ + step, (end + kPageBytes - 1) & -kPageBytes));
  int failure = allocate(descriptor_, size_bytes_, far);
  if (failure != 0) {  // there may be room for what is needed
    if (failure = allocate(descriptor_, size_bytes_, end); failure != 0) {
      return errno = failure, false;
    }
    size_bytes_ = end;
    return true;
  }
  size_bytes_ = far;
  return true;
}

/// Moves the window onto what was asked for and all that follows, or stretches it back.
bool DurableFile::show(std::uint64_t begin, std::uint64_t end) {
  const bool is_before = window_ != nullptr && begin < window_begin_ && end <= window_end_;
  const std::uint64_t from = begin & -kPageBytes;
  const std::uint64_t to = is_before ? window_end_ : size_bytes_;
  unmap();
  if (!still_ours()) return false;
  void* const window = ::mmap(nullptr, to - from, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                              static_cast<off_t>(from));
  if (window == MAP_FAILED) return maps_ = false;
  window_ = static_cast<std::byte*>(window);
  window_begin_ = from;
  window_end_ = to;
  return true;
}

void DurableFile::unmap() {
  if (window_ != nullptr) ::munmap(window_, window_end_ - window_begin_);
  window_ = nullptr;
  window_begin_ = window_end_ = 0;
}

bool DurableFile::write(std::uint64_t offset, ByteView bytes) {
  if (!still_ours()) return errno = EBADF, false;
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return true;
}

}  // namespace compass::journal
