// SPDX-License-Identifier: MIT
#include "driverless/runtime/live_tag.h"

#include "driverless/runtime/live_recorder.h"

namespace compass {

Tag current_tag() { return LiveRecorder::get().current_tag(); }

std::uint64_t node_entry(hip::GraphNode node) { return LiveRecorder::get().node_entry(node); }

Tag tag_for(const Operation& operation) {
  if (std::holds_alternative<MarkOperation>(operation)) return {};  // nobody records a mark
  const Tag tag = current_tag();
  const bool is_work = std::holds_alternative<KernelOperation>(operation) ||
                       std::holds_alternative<CopyOperation>(operation) ||
                       std::holds_alternative<FillOperation>(operation) ||
                       std::holds_alternative<WriteValueOperation>(operation);
  if (tag.entry == 0 && is_work) LiveRecorder::get().note_unseen_call();
  return tag;
}

}  // namespace compass
