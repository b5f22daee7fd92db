// SPDX-License-Identifier: MIT
#include "ir/journal/own_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace compass::journal {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

/// The same open file under a number that programs which close "all" their files rarely reach.
int out_of_the_way(int descriptor) {
  constexpr int kLowest = 700;
  if (descriptor < 0) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kLowest);
  if (moved < 0) return descriptor;
  ::close(descriptor);
  return moved;
}

/// How long a file may get. Beyond it the system would kill the process (SIGXFSZ).
std::uint64_t size_limit() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return limit.rlim_cur;
}

}  // namespace

void Mapping::prefault() const {
  // Where the kernel knows no such advice (before 5.14), each page is made ready by its first
  // store.
  [[maybe_unused]] const int done =
      ::madvise(at(begin & -kPageBytes), size_bytes() + begin % kPageBytes, MADV_POPULATE_WRITE);
}

void Mapping::unmap() {
  if (bytes == nullptr) return;
  const std::uint64_t before = begin % kPageBytes;
  ::munmap(bytes - before, size_bytes() + before);
  bytes = nullptr;
}

Result<OwnFile> OwnFile::create(const char* path) {
  OwnFile file(path, out_of_the_way(::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)));
  if (!file.adopt()) {
    const int cause = errno;
    return Error{ErrorCode::kSystem, concat("cannot create ", path, ": ", std::strerror(cause))};
  }
  return file;
}

OwnFile::OwnFile(OwnFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(other.descriptor_.exchange(-1)),
      device_(other.device_),
      inode_(other.inode_) {}

/// The file that the descriptor names is ours from now on.
bool OwnFile::adopt() {
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return false;
  device_ = status.st_dev;
  inode_ = status.st_ino;
  return true;
}

bool OwnFile::is_open() const {
  struct stat status {};
  return descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0 && status.st_dev == device_ &&
         status.st_ino == inode_;
}

bool OwnFile::restore() {
  if (is_open()) return true;
  constexpr int kNoWait = O_NONBLOCK;  // should something else be there by now
  descriptor_ = out_of_the_way(::open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | kNoWait));
  if (is_open()) return true;
  if (const int other = descriptor_.exchange(-1); other >= 0) {
    ::close(other);
    errno = EBADF;
  }
  return false;
}

int OwnFile::reserve(std::uint64_t begin, std::uint64_t end, Emulation emulation) const {
  if (end > size_limit()) return EFBIG;
  if (!is_open()) return EBADF;
  const auto offset = static_cast<off_t>(begin);
  const auto size = static_cast<off_t>(end - begin);
  int failure = EINTR;
  while (failure == EINTR) {
    failure = emulation == Emulation::kByZeros ? ::posix_fallocate(descriptor_, offset, size)
              : ::fallocate(descriptor_, 0, offset, size) == 0 ? 0
                                                               : errno;
  }
  return failure;
}

Mapping OwnFile::map(std::uint64_t begin, std::uint64_t end) const {
  if (!is_open()) return {};
  const std::uint64_t page = begin & -kPageBytes;
  void* const mapped = ::mmap(nullptr, end - page, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                              static_cast<off_t>(page));
  if (mapped == MAP_FAILED) return {};
  return {static_cast<std::byte*>(mapped) + (begin - page), begin, end};
}

bool OwnFile::write(std::uint64_t offset, ByteView bytes) const {
  if (offset + bytes.size() > size_limit()) return errno = EFBIG, false;
  if (!is_open()) return errno = EBADF, false;
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

void OwnFile::write_back(std::uint64_t begin, std::uint64_t end) const {
  if (!is_open()) return;
  constexpr unsigned kAndWait =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  // Where it fails the system does the same in its own time.
  [[maybe_unused]] const int done = ::sync_file_range(descriptor_, static_cast<off_t>(begin),
                                                      static_cast<off_t>(end - begin), kAndWait);
}

void OwnFile::truncate(std::uint64_t size_bytes) const {
  if (!is_open()) return;
  [[maybe_unused]] const int done = ::ftruncate(descriptor_, static_cast<off_t>(size_bytes));
}

void OwnFile::close() {
  if (is_open()) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace compass::journal
