// SPDX-License-Identifier: MIT
#include "driverless/runtime/access_log.h"

namespace compass {

ByteView AccessLog::encode(Tag tag, std::vector<journal::AllocationAccesses> allocations) {
  const journal::Doer doer{tag.entry, tag.node};
  made_nothing_ = allocations.empty();
  made_.clear();
  encoded_.clear();
  if (made_nothing_ && nothing_ != 0) {
    journal::encode({.body = journal::SameAccesses{doer, nothing_}}, encoded_);
    return encoded_;
  }
  journal::Entry entry{.body = journal::Accesses{{}, std::move(allocations)}};
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
  if (made_nothing_ && nothing_ == 0) nothing_ = entry;
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
