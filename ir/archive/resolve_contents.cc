// SPDX-License-Identifier: MIT
// What a resolver makes of contents that were kept apart from the call that they belong to.
#include <algorithm>
#include <utility>

#include "ir/archive/resolver.h"

namespace compass::archive {

Resolver::DoneCopy Resolver::done_copy(const journal::Doer& doer) {
  const std::uint64_t sequence = evidence_.record_of(doer.entry);
  if (sequence == 0) return {};
  Record& record = recording_.records[sequence - 1];
  if (doer.node == 0) {
    auto* const copy = std::get_if<Copy>(&record.body);
    if (copy == nullptr || record.status != 0) return {};
    return {copy, &copy->content, &copy->completed};
  }
  auto* const launch = std::get_if<LaunchGraph>(&record.body);
  const std::uint64_t node = evidence_.record_of(doer.node);
  if (launch == nullptr || record.status != 0 || node == 0) return {};
  const Record& what = recording_.records[node - 1];
  const auto* const copy = std::get_if<Copy>(&what.body);
  if (copy == nullptr || !what.captured || node >= sequence) return {};
  auto known = std::find_if(launch->copies.begin(), launch->copies.end(),
                            [node](const NodeCopy& each) { return each.record == node; });
  if (known == launch->copies.end()) {
    known = launch->copies.insert(known, {node, {}, {}});
  }
  return {copy, &known->content, &known->completed};
}

void Resolver::on(const journal::Completed& completed) {
  const DoneCopy done = done_copy(completed.doer);
  if (done.copy == nullptr) return;
  const bool to_host = done.copy->direction == CopyDirection::kDeviceToHost ||
                       done.copy->direction == CopyDirection::kHostToHost;
  const bool fits = completed.content.size() == done.copy->size_bytes;
  if (completed.has_content && !fits) return;
  if (to_host) {
    done.completed->result = keep(completed.content);
  } else {
    done.completed->source = completed.has_content ? keep(completed.content) : *done.content;
    done.completed->copied = completed.copied;
  }
}

void Resolver::on(const journal::NodeSource& source) {
  const DoneCopy done = done_copy(source.doer);
  if (done.copy == nullptr || source.content.size() != done.copy->size_bytes) return;
  *done.content = keep(source.content);
}

void Resolver::on(const journal::HostWrite& write) {
  const MemoryRef place = recording_.in_root(memory_.find_live({write.address}));
  if (!place.allocation || write.size_bytes == 0) return;
  const std::uint64_t room_bytes =
      recording_.allocation(place.allocation).size_bytes - place.offset_bytes;
  if (write.size_bytes > room_bytes) return;
  const bool is_kept = write.content.size() == write.size_bytes;
  push({}, HostWrite{place, write.size_bytes, is_kept ? keep(write.content) : std::string()});
}

}  // namespace compass::archive
