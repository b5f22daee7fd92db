// SPDX-License-Identifier: MIT
#include "driverless/runtime/live_tag.h"

#include "driverless/runtime/live_recorder.h"

namespace compass {

Tag current_tag() { return LiveRecorder::get().current_tag(); }

std::uint64_t node_entry(hip::GraphNode node) { return LiveRecorder::get().node_entry(node); }

}  // namespace compass
