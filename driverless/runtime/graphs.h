// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "driverless/runtime/captures.h"
#include "driverless/runtime/executable_graph.h"
#include "driverless/runtime/graph_template.h"

namespace compass {

/// The graphs of a program, by their handles.
struct Graphs {
  TemplateRegistry templates{0x5300'0000'0010};
  NodeRegistry nodes{0x5400'0000'0010};
  HandleRegistry<hip::GraphExec, std::shared_ptr<ExecutableGraph>> executables{0x5500'0000'0010};
  /// What hipGraphDestroy ends; other templates are children of nodes, or grow by a capture.
  std::unordered_set<std::shared_ptr<GraphTemplate>> owned;
  HandleRegistry<hip::UserObject, std::shared_ptr<UserObject>> user_objects{0x5600'0000'0010};
  /// What nodes allocate, by address, as long as a node or the memory is there.
  std::unordered_map<const void*, std::weak_ptr<GraphAllocation>> allocations;

  std::shared_ptr<GraphTemplate> make_template(int device_ordinal) {
    return std::make_shared<GraphTemplate>(templates, nodes, device_ordinal);
  }
  /// The template behind a handle, whoever owns it; null if there is none.
  GraphTemplate* find(hip::Graph handle) {
    GraphTemplate** const found = templates.find(handle);
    return found == nullptr ? nullptr : *found;
  }
};

}  // namespace compass
