// SPDX-License-Identifier: MIT
#include "driverless/runtime/live_recorder.h"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

#include "driverless/runtime/entry_call.h"
#include "driverless/runtime/notice.h"
#include "ir/journal/file.h"

namespace compass {
namespace {

journal::Doer doer_of(Tag tag) { return {tag.entry, tag.node}; }

}  // namespace

journal::AllocationKey key_of(const DeviceMemory& memory, AllocationId id) {
  const DeviceMemory::Allocated* const allocated = memory.allocated(id);
  if (allocated == nullptr) return {};
  return {allocated->base.value, allocated->generation};
}

LiveRecorder& LiveRecorder::get() {
  static auto* const recorder = new LiveRecorder;
  return *recorder;
}

LiveRecorder::LiveRecorder() {
  const auto find = reinterpret_cast<FindLiveRecorder>(::dlsym(RTLD_DEFAULT, kLiveRecorderSymbol));
  const CompassLiveRecorder* const found = find == nullptr ? nullptr : find();
  if (found == nullptr) return;
  if (found->version != journal::kVersion) {
    notice(concat("the recorder writes journals of version ", found->version, ", this runtime ",
                  journal::kVersion, ": nothing is said of what launches do"));
    return;
  }
  table_ = found;
  is_reported_ = std::getenv("COMPASS_LIVE") != nullptr;
}

void LiveRecorder::append(journal::Body body) const {
  Bytes encoded;
  journal::encode({0, std::move(body)}, encoded);
  table_->append(encoded.data(), encoded.size());
}

void LiveRecorder::note_unseen_call() const {
  if (table_ == nullptr || table_->is_seen() != 0) return;
  const std::string name = name_of_entry_call();
  table_->lose(concat(name.empty() ? "a HIP call" : name, " is not recorded").c_str());
}

void LiveRecorder::stopped(Tag tag, const std::string& cause) const {
  if (table_ == nullptr || tag.entry == 0) return;
  append(journal::Stopped{doer_of(tag), cause});
}

void LiveRecorder::faults(Tag tag, const FaultGroup& group, const DeviceMemory& memory) const {
  if (table_ == nullptr || tag.entry == 0) return;
  append(journal::Faults{doer_of(tag), group.first, key_of(memory, group.first.allocation),
                         group.accesses});
}

void LiveRecorder::decisions(Tag tag, DecisionGroup group, const DeviceMemory& memory) const {
  if (table_ == nullptr || tag.entry == 0) return;
  TaintedDecision& first = group.first;
  if (first.has_origin && first.origin_space == AddressSpace::kGlobal) {
    first.origin_writer = memory.writer(first.origin_allocation, first.origin_offset_bytes);
  }
  append(journal::Decisions{doer_of(tag), first, key_of(memory, first.origin_allocation),
                            group.lanes});
}

void LiveRecorder::nonfinite(Tag tag, AllocationId allocation, std::uint64_t offset_bytes,
                             const DeviceMemory& memory) const {
  if (table_ == nullptr || tag.entry == 0) return;
  append(journal::Nonfinite{doer_of(tag), key_of(memory, allocation), offset_bytes});
}

void LiveRecorder::first_run(std::span<const RanInstruction> instructions) const {
  if (table_ == nullptr) return;
  for (const RanInstruction& each : instructions) {
    append(journal::FirstRun{each.architecture, each.mnemonic, std::string(name_of(each.basis))});
  }
}

void LiveRecorder::faulty_transfer(Tag tag, const FaultyTransfer& transfer) const {
  if (table_ == nullptr || tag.entry == 0) return;
  const TransferFault fault{transfer.kind, transfer.access, 0, {}, transfer.size_bytes, 0};
  append(journal::FaultyTransfer{doer_of(tag), fault,
                                 reinterpret_cast<std::uint64_t>(transfer.pointer)});
}

void LiveRecorder::index(Tag tag, LoadedIndex index, const DeviceMemory& memory) const {
  if (tag.entry == 0 || (index.complete && index.allocations.empty())) return;
  journal::Index entry{doer_of(tag), index.complete, {}};
  for (LoadedBytes& loaded : index.allocations) {
    entry.allocations.push_back(
        {key_of(memory, loaded.allocation), std::move(loaded.runs), std::move(loaded.bytes)});
  }
  append(std::move(entry));
}

void LiveRecorder::accesses(Tag tag, std::vector<journal::AllocationAccesses> allocations) {
  if (table_ == nullptr || tag.entry == 0) return;
  const std::lock_guard lock(access_mutex_);
  const ByteView encoded = access_log_.encode(tag, std::move(allocations));
  access_log_.set_number(table_->append(encoded.data(), encoded.size()));
}

}  // namespace compass
