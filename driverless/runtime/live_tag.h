// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/operation.h"
#include "ir/hip/graph_abi.h"

namespace compass {

/// The tag of the call that this thread is in.
Tag current_tag();

/// The same for an operation that the call asks for. Where it is one that a recording should hold,
/// and a recorder is there that has not seen the call, the recorder is told its name.
Tag tag_for(const Operation& operation);

/// The entry that says what a node does; 0: none does.
std::uint64_t node_entry(hip::GraphNode node);

}  // namespace compass
