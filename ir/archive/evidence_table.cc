// SPDX-License-Identifier: MIT
#include "ir/archive/evidence_table.h"

#include <algorithm>
#include <optional>

namespace compass::archive {

void EvidenceTable::note_record(std::uint64_t entry, std::uint64_t sequence) {
  if (records_.size() < entry) records_.resize(entry);
  records_[entry - 1] = sequence;
}

void EvidenceTable::note_allocation(const Allocation& allocation) {
  allocations_[{allocation.address.value, allocation.generation}] = allocation.id;
}

std::uint64_t EvidenceTable::record_of(std::uint64_t entry) const {
  return entry == 0 || entry > records_.size() ? 0 : records_[entry - 1];
}

AllocationId EvidenceTable::allocation_of(const journal::AllocationKey& key) const {
  const auto found = allocations_.find({key.base, key.generation});
  return found == allocations_.end() ? AllocationId{} : found->second;
}

Observed* EvidenceTable::observed(const journal::Doer& doer) {
  const std::uint64_t record = record_of(doer.entry);
  const std::uint64_t node = record_of(doer.node);
  if (record == 0 || (node == 0 && doer.node != 0)) return nullptr;
  return &evidence_.observed[{record, node}];
}

void EvidenceTable::add(const journal::Stopped& stopped) {
  Observed* const seen = observed(stopped.doer);
  if (seen != nullptr && seen->stop_cause.empty()) seen->stop_cause = stopped.cause;
}

void EvidenceTable::add(const journal::Faults& faults) {
  Observed* const seen = observed(faults.doer);
  if (seen == nullptr) return;
  FaultGroup group{faults.first, faults.accesses};
  group.first.allocation = allocation_of(faults.allocation);
  seen->faults.push_back(std::move(group));
}

void EvidenceTable::add(const journal::Decisions& decisions) {
  Observed* const seen = observed(decisions.doer);
  if (seen == nullptr) return;
  DecisionGroup group{decisions.first, decisions.lanes};
  group.first.origin_allocation = allocation_of(decisions.origin);
  group.first.origin_writer = record_of(decisions.first.origin_writer);
  seen->decisions.push_back(std::move(group));
}

void EvidenceTable::add(const journal::Nonfinite& nonfinite) {
  Observed* const seen = observed(nonfinite.doer);
  const AllocationId allocation = allocation_of(nonfinite.allocation);
  if (seen != nullptr && allocation) seen->nonfinite = {allocation, nonfinite.offset_bytes};
}

void EvidenceTable::add(const journal::FirstRun& first) {
  const std::optional<Basis> basis = basis_of(first.basis);
  if (basis) evidence_.instructions.push_back({first.architecture, first.mnemonic, *basis});
}

void EvidenceTable::add(const journal::FaultyTransfer& transfer, MemoryRef start,
                        std::uint64_t allocation_bytes) {
  Observed* const seen = observed(transfer.doer);
  if (seen == nullptr) return;
  TransferFault fault = transfer.fault;
  fault.record = record_of(transfer.doer.entry);
  fault.start = start;
  fault.allocation_bytes = allocation_bytes;
  seen->transfers.push_back(fault);
}

Evidence EvidenceTable::finish(ByteView ran) {
  auto& instructions = evidence_.instructions;
  std::sort(instructions.begin(), instructions.end());
  instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());
  for (std::size_t i = 0; i < ran.size() && i < records_.size(); ++i) {
    if (ran[i] == std::byte{0} || records_[i] == 0) continue;
    if (evidence_.ran.size() <= records_[i]) evidence_.ran.resize(records_[i] + 1);
    evidence_.ran[records_[i]] = true;
  }
  return std::move(evidence_);
}

}  // namespace compass::archive
