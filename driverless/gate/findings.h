// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "driverless/gate/finding.h"

namespace compass::gate {

/// Collects findings, and joins those with the same id: they have one cause.
class Findings {
 public:
  /// `finding` has one place. The first of an id gives hint and headline; of the others the counts
  /// are added, and the first few places that show something new are kept.
  void add(Finding finding);

  bool empty() const { return by_id_.empty(); }

  /// By level, errors first, then by first record, rule and id.
  std::vector<Finding> sorted() const;

 private:
  /// Record, launch and node: which launch, copy or fill it was.
  using DeedKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  struct Joined {
    Finding finding;
    DeedKey last;
  };
  std::unordered_map<std::string, Joined> by_id_;
};

}  // namespace compass::gate
