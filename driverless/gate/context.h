// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "driverless/arch/arch.h"
#include "ir/names.h"
#include "ir/recording.h"

namespace compass::gate {

/// What rules ask of a recording beyond its vectors. The recording must outlive it.
class Context {
 public:
  /// `architecture`: on which the launches ran; null: it is not known. Both must outlive it.
  explicit Context(const Recording& recording, const arch::Architecture* architecture = nullptr);

  const Recording& recording() const { return recording_; }
  const Names& names() const { return names_; }
  const arch::Architecture* architecture() const { return architecture_; }
  const Record& record(std::uint64_t sequence) const { return recording_.records.at(sequence - 1); }
  std::uint64_t launches() const { return launches_.size(); }

  /// The place of a launch among the recording's launches, from 1; of a graph's launch that of the
  /// first it makes. 0 where the record makes none.
  std::uint64_t launch_ordinal(std::uint64_t record) const;
  /// The record that made the launch of that place.
  const Record& record_of_launch(std::uint64_t ordinal) const {
    return record(launches_.at(ordinal - 1).record);
  }
  /// The record that says what it does: the same, or of a graph's launch that of the node.
  const Record& body_of_launch(std::uint64_t ordinal) const {
    const Made& made = launches_.at(ordinal - 1);
    return record(made.node == 0 ? made.record : made.node);
  }

  /// The allocation that the runtime made: of a block the one that it is a part of.
  AllocationId root_of(AllocationId id) const { return recording_.in_root({id, 0}).allocation; }

  /// The record that freed `allocation`, or what it is a part of, before `record`, or 0.
  std::uint64_t freed_by(AllocationId allocation, std::uint64_t record) const;

  /// The kind of the step to which `record` belongs; empty outside steps.
  std::string step_kind(const Record& record) const;

 private:
  struct Made {
    std::uint64_t record = 0;
    std::uint64_t node = 0;  // 0: no graph
  };

  void note_frees_of(const std::vector<std::uint64_t>& nodes, std::uint64_t launch);

  const Recording& recording_;
  const arch::Architecture* architecture_;
  Names names_;
  std::vector<std::uint64_t> ordinals_;  // by record, less 1; 0: it makes no launch
  std::vector<Made> launches_;           // by ordinal, less 1
  std::unordered_map<AllocationId, std::uint64_t> frees_;
};

}  // namespace compass::gate
