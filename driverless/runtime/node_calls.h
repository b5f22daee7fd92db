// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "driverless/runtime/node_work.h"

namespace compass::hip {

// What the calls about nodes have in common.

/// Makes what a node does, or says why not.
using MakeWork = std::function<Error(Device& device, NodeWork& work)>;

/// Adds a node to `graph`, after `dependencies`.
Error add_node(GraphNode* node, Graph graph, const GraphNode* dependencies, std::size_t count,
               const MakeWork& make);

/// Gives a node other work of its type.
Error set_node(GraphNode node, GraphNodeType type, const MakeWork& make);

/// Keeps what a program gave as the parameters of a copy's node, for it to ask again.
Error keep_parameters(GraphNode node, const Memcpy3DParms& parameters);
Error keep_parameters(GraphNode node, const DriverMemcpy3D& parameters);

/// The same for a node of an executable graph, of which its template's node is named.
Error set_executable_node(GraphExec executable, GraphNode node, GraphNodeType type,
                          const MakeWork& make);

/// Runs `body` with the node behind `node`, which is of type `type`.
template <class Body>
Error with_node(GraphNode node, GraphNodeType type, Body body) {
  return with_device([&](Device& device) {
    Node** const found = device.platform.graphs.nodes.find(node);
    if (found == nullptr || type_of((*found)->work) != type) return kErrorInvalidValue;
    return body(**found);
  });
}

}  // namespace compass::hip
