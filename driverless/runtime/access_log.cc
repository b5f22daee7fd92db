// SPDX-License-Identifier: MIT
#include "driverless/runtime/access_log.h"

#include <unistd.h>

namespace compass {

ByteView AccessLog::encode(Tag tag, std::vector<journal::AllocationAccesses> allocations) {
  if (const pid_t process = ::getpid(); process != process_) {
    process_ = process;
    entries_.clear();
    size_bytes_ = 0;
  }
  const journal::Doer doer{tag.entry, tag.node};
  journal::Entry entry{.body = journal::Accesses{{}, std::move(allocations)}};
  encoded_.clear();
  journal::encode(entry, encoded_);
  made_ = as_text(encoded_);
  if (const auto known = entries_.find(made_); known != entries_.end()) {
    entry.body = journal::SameAccesses{doer, known->second};
    made_.clear();
  } else {
    std::get<journal::Accesses>(entry.body).doer = doer;
  }
  encoded_.clear();
  journal::encode(entry, encoded_);
  return encoded_;
}

void AccessLog::set_number(std::uint64_t entry) {
  if (entry == 0 || made_.empty() || made_.size() > kMostBytes) return;
  if (size_bytes_ > kMostBytes - made_.size()) {
    entries_.clear();
    size_bytes_ = 0;
  }
  size_bytes_ += made_.size();
  entries_.emplace(std::move(made_), entry);
  made_.clear();
}

}  // namespace compass
