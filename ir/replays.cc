// SPDX-License-Identifier: MIT
#include "ir/replays.h"

#include <variant>

namespace compass {

void Replays::take(const Record& record) {
  if (record.status != 0) return;
  if (const auto* instantiate = std::get_if<InstantiateGraph>(&record.body)) {
    set_nodes(instantiate->executable, instantiate->nodes);
  } else if (const auto* update = std::get_if<UpdateExecutable>(&record.body)) {
    set_nodes(update->executable, update->nodes);
  } else if (const auto* set = std::get_if<SetNode>(&record.body)) {
    Executable& executable = executables_.at(set->executable.value - 1);
    executable.nodes.at(set->node).record = set->record;
    executable.is_flat = false;
  } else if (const auto* enable = std::get_if<EnableNode>(&record.body)) {
    Executable& executable = executables_.at(enable->executable.value - 1);
    executable.nodes.at(enable->node).enabled = enable->enabled;
    executable.is_flat = false;
  } else if (const auto* destroy = std::get_if<DestroyExecutable>(&record.body)) {
    executables_.at(destroy->executable.value - 1) = {};
  }
}

/// An update leaves nodes switched off that were.
void Replays::set_nodes(ExecutableId executable, const std::vector<GraphNode>& nodes) {
  if (executables_.size() < executable.value) executables_.resize(executable.value);
  Executable& made = executables_[executable.value - 1];
  made.nodes.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) made.nodes[i].record = nodes[i].record;
  made.is_flat = false;
}

Replays::Executable& Replays::flat(ExecutableId executable) {
  if (executables_.size() < executable.value) executables_.resize(executable.value);
  Executable& found = executables_[executable.value - 1];
  if (found.is_flat) return found;
  found.flat.clear();
  found.launches.clear();
  for (const Node& node : found.nodes) {
    if (node.enabled) append(node.record, found);
  }
  found.is_flat = true;
  return found;
}

void Replays::append(std::uint64_t record, Executable& executable) const {
  std::vector<std::uint64_t> left{record};  // the next one last; children may nest deeply
  while (!left.empty()) {
    const std::uint64_t next = left.back();
    left.pop_back();
    const RecordBody& body = recording_.records.at(next - 1).body;
    if (const auto* child = std::get_if<ChildNode>(&body)) {
      for (auto node = child->nodes.rbegin(); node != child->nodes.rend(); ++node) {
        left.push_back(node->record);
      }
      continue;
    }
    executable.flat.push_back(next);
    if (std::holds_alternative<LaunchKernel>(body)) executable.launches.push_back(next);
  }
}

const std::vector<std::uint64_t>& Replays::nodes_of(ExecutableId executable) {
  return flat(executable).flat;
}

const std::vector<std::uint64_t>& Replays::launches_of(ExecutableId executable) {
  return flat(executable).launches;
}

}  // namespace compass
