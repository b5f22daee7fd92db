// SPDX-License-Identifier: MIT
#include "driverless/machine/page_map.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace compass {
namespace {

// "Documentation/admin-guide/mm/pagemap.rst" of Linux.
constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
constexpr std::uint64_t kSwapped = std::uint64_t{1} << 62;
constexpr std::uint64_t kOfFile = std::uint64_t{1} << 61;

/// A private page of a file is the file's until something is stored in it.
bool was_stored_to(std::uint64_t entry) {
  return (entry & kSwapped) != 0 || (entry & (kPresent | kOfFile)) == kPresent;
}

}  // namespace

PageMap::PageMap()
    : file_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)),
      page_bytes_(static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) {}

PageMap::~PageMap() {
  if (file_ >= 0) ::close(file_);
}

bool PageMap::untouched(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t last_page = (end + page_bytes_ - 1) / page_bytes_;
  for (std::uint64_t page = begin / page_bytes_; page < last_page;) {
    if (page - first_page_ >= entries_.size() && !read(page)) return false;
    const std::uint64_t stop = std::min(last_page, first_page_ + entries_.size());
    for (; page < stop; ++page) {
      if (was_stored_to(entries_[page - first_page_])) return false;
    }
  }
  return true;
}

bool PageMap::read(std::uint64_t first_page) {
  constexpr std::size_t kMostEntries = 1 << 14;
  entries_.resize(kMostEntries);
  const ssize_t count = ::pread(file_, entries_.data(), kMostEntries * sizeof entries_[0],
                                static_cast<off_t>(first_page * sizeof entries_[0]));
  entries_.resize(count < 0 ? 0 : static_cast<std::size_t>(count) / sizeof entries_[0]);
  first_page_ = first_page;
  return !entries_.empty();
}

}  // namespace compass
