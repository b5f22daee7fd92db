// SPDX-License-Identifier: MIT
#include "driverless/gate/context.h"

#include <variant>

#include "ir/replays.h"

namespace compass::gate {

Context::Context(const Recording& recording, const arch::Architecture* architecture)
    : recording_(recording),
      architecture_(architecture),
      names_(recording),
      ordinals_(recording.records.size()) {
  Replays replays(recording);
  for (const Record& record : recording.records) {
    replays.take(record);
    if (record.captured) continue;
    const std::size_t before = launches_.size();
    if (std::holds_alternative<LaunchKernel>(record.body)) {
      launches_.push_back({record.sequence, 0});
    }
    if (const auto* graph = std::get_if<LaunchGraph>(&record.body);
        graph != nullptr && record.status == 0) {
      for (const std::uint64_t node : replays.launches_of(graph->executable)) {
        launches_.push_back({record.sequence, node});
      }
      note_frees_of(replays.nodes_of(graph->executable), record.sequence);
    } else if (const auto* free = std::get_if<Free>(&record.body);
               free != nullptr && record.status == 0) {
      frees_.emplace(free->allocation, record.sequence);
    }
    if (launches_.size() != before) ordinals_.at(record.sequence - 1) = before + 1;
  }
}

/// Of memory that comes again with each launch, the first free stands for all.
void Context::note_frees_of(const std::vector<std::uint64_t>& nodes, std::uint64_t launch) {
  for (const std::uint64_t node : nodes) {
    const auto* free = std::get_if<Free>(&record(node).body);
    if (free != nullptr) frees_.emplace(free->allocation, launch);
  }
}

std::uint64_t Context::launch_ordinal(std::uint64_t record) const {
  return record == 0 || record > ordinals_.size() ? 0 : ordinals_[record - 1];
}

std::uint64_t Context::freed_by(AllocationId allocation, std::uint64_t record) const {
  const auto found = frees_.find(root_of(allocation));
  return found == frees_.end() || found->second >= record ? 0 : found->second;
}

std::string Context::step_kind(const Record& record) const {
  return record.step ? recording_.step(record.step).kind : std::string();
}

}  // namespace compass::gate
