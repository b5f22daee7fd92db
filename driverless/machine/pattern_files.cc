// SPDX-License-Identifier: MIT
#include "driverless/machine/pattern_files.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace compass {
namespace {

constexpr std::size_t kMostFiles = 4;

}  // namespace

PatternFiles::~PatternFiles() {
  for (const File& file : files_) {
    if (is_ours(file)) ::close(file.descriptor);
  }
}

int PatternFiles::find(std::uint32_t word, std::uint64_t size_bytes) {
  auto found = std::find_if(files_.begin(), files_.end(),
                            [&](const File& file) { return file.word == word; });
  if (found != files_.end() && !is_ours(*found)) {
    files_.erase(found);
    found = files_.end();
  }
  if (found == files_.end()) {
    const int descriptor = ::memfd_create("compass-pattern", MFD_CLOEXEC);
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return -1;
    if (files_.size() == kMostFiles) {
      if (is_ours(files_.front())) ::close(files_.front().descriptor);
      files_.erase(files_.begin());
    }
    files_.push_back({word, descriptor, status.st_dev, status.st_ino, 0});
  } else {
    std::rotate(found, found + 1, files_.end());
  }
  File& file = files_.back();
  return extend(file, size_bytes) ? file.descriptor : -1;
}

/// A program may close descriptors that it has not opened, and get the number for a file of its
/// own.
bool PatternFiles::is_ours(const File& file) {
  struct stat status {};
  return ::fstat(file.descriptor, &status) == 0 && status.st_dev == file.device &&
         status.st_ino == file.inode;
}

bool PatternFiles::extend(File& file, std::uint64_t size_bytes) {
  constexpr std::uint64_t kStepBytes = 1 << 18;
  if (file.size_bytes >= size_bytes) return true;
  const std::vector<std::uint32_t> words(kStepBytes / sizeof file.word, file.word);
  while (file.size_bytes < size_bytes) {
    const std::uint64_t count = std::min(kStepBytes, size_bytes - file.size_bytes);
    const ssize_t written =
        ::pwrite(file.descriptor, words.data(), count, static_cast<off_t>(file.size_bytes));
    if (written <= 0 || written % 4 != 0) return false;
    file.size_bytes += static_cast<std::uint64_t>(written);
  }
  return true;
}

}  // namespace compass
