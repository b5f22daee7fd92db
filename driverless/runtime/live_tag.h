// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/operation.h"
#include "ir/hip/graph_abi.h"

namespace compass {

/// The tag of the call that this thread is in.
Tag current_tag();

/// The entry that says what a node does; 0: none does.
std::uint64_t node_entry(hip::GraphNode node);

}  // namespace compass
