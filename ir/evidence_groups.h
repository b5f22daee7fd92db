// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "ir/evidence.h"

namespace compass {

/// Joins what goes wrong alike in one launch: 256 lanes that make the same mistake are one group.
/// The groups stand in the order of their first member.
class EvidenceGroups {
 public:
  /// Whether this is the first of its kind.
  bool add(const Fault& fault, std::uint64_t accesses);
  bool add(const TaintedDecision& decision, std::uint64_t lanes);
  void clear();

  const std::vector<FaultGroup>& faults() const { return faults_; }
  const std::vector<DecisionGroup>& decisions() const { return decisions_; }

 private:
  using FaultKey = std::tuple<FaultKind, AccessKind, AddressSpace, std::uint64_t, AllocationId>;
  using DecisionKey =
      std::tuple<Decision, bool, std::uint64_t, AddressSpace, std::uint64_t, AllocationId>;

  std::vector<FaultGroup> faults_;
  std::vector<DecisionGroup> decisions_;
  std::map<FaultKey, std::size_t> fault_index_;  // into faults_
  std::map<DecisionKey, std::size_t> decision_index_;
};

}  // namespace compass
