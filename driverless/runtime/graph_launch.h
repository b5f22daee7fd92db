// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driverless/runtime/executable_graph.h"
#include "driverless/runtime/runtime.h"

namespace compass {

/// Gives `stream` all that the graph's nodes do, in the one order that they are in; of a captured
/// stream, it becomes a node there. Checks everything before it enqueues anything.
hip::Error launch(Device& device, hip::Stream stream, ExecutableGraph& graph);

}  // namespace compass
