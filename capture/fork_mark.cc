// SPDX-License-Identifier: MIT
#include "capture/fork_mark.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

namespace compass::capture {

ForkMark::ForkMark() : process_(::getpid()) {
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (::madvise(page, size, MADV_WIPEONFORK) != 0) {
    ::munmap(page, size);
    return;
  }
  page_ = static_cast<unsigned char*>(page);
  *page_ = 1;
}

bool ForkMark::is_copy() const { return page_ != nullptr ? *page_ == 0 : ::getpid() != process_; }

bool ForkMark::is_elsewhere() const { return ::getpid() != process_; }

void ForkMark::set() {
  process_ = ::getpid();
  if (page_ != nullptr) *page_ = 1;
}

}  // namespace compass::capture
