// SPDX-License-Identifier: MIT
#include "ir/evidence_groups.h"

namespace compass {

bool EvidenceGroups::add(const Fault& fault, std::uint64_t accesses) {
  const FaultKey key{fault.kind, fault.access, fault.space, fault.pc, fault.allocation};
  const auto [group, is_new] = fault_index_.try_emplace(key, faults_.size());
  if (is_new) faults_.push_back({fault, 0});
  faults_[group->second].accesses += accesses;
  return is_new;
}

bool EvidenceGroups::add(const TaintedDecision& decision, std::uint64_t lanes) {
  const DecisionKey key{decision.decision,     decision.undefined, decision.pc,
                        decision.origin_space, decision.origin_pc, decision.origin_allocation};
  const auto [group, is_new] = decision_index_.try_emplace(key, decisions_.size());
  if (is_new) decisions_.push_back({decision, 0});
  decisions_[group->second].lanes += lanes;
  return is_new;
}

void EvidenceGroups::clear() {
  if (faults_.empty() && decisions_.empty()) return;
  faults_.clear();
  decisions_.clear();
  fault_index_.clear();
  decision_index_.clear();
}

}  // namespace compass
