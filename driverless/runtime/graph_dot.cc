// SPDX-License-Identifier: MIT
#include "driverless/runtime/graph_dot.h"

#include <fstream>
#include <ostream>
#include <unordered_map>

#include "driverless/runtime/node_work.h"
#include "ir/base/concat.h"

namespace compass {
namespace {

const char* word_for(hip::GraphNodeType type) {
  switch (type) {
    case hip::kGraphNodeKernel:
      return "kernel";
    case hip::kGraphNodeMemcpy:
      return "copy";
    case hip::kGraphNodeMemset:
      return "fill";
    case hip::kGraphNodeHost:
      return "host function";
    case hip::kGraphNodeGraph:
      return "child graph";
    case hip::kGraphNodeEmpty:
      return "empty";
    case hip::kGraphNodeWaitEvent:
      return "event wait";
    case hip::kGraphNodeEventRecord:
      return "event record";
    case hip::kGraphNodeMemAlloc:
      return "allocation";
    case hip::kGraphNodeMemFree:
      return "free";
    case hip::kGraphNodeBatchMemOp:
      return "value in memory";
  }
  return "node";
}

/// `text` between quotes, as DOT has them.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') out += '\\';
    out += character;
  }
  out += '"';
  return out;
}

std::string label_of(const Node& node) {
  std::string label = word_for(type_of(node.work));
  if (const auto* const kernel = operation_in<KernelOperation>(node.work)) {
    label += concat(" ", demangle(Agent::metadata(*kernel->kernel).name));
  } else if (const auto* const copy = operation_in<CopyOperation>(node.work)) {
    label += concat(" ", copy->box.width_bytes * copy->box.height * copy->box.depth);
  } else if (const auto* const fill = operation_in<FillOperation>(node.work)) {
    label += concat(" ", fill->box.width_bytes * fill->box.height * fill->box.depth);
  }
  return label;
}

/// Names count through the graph and its children: handles differ from run to run.
void write_nodes(const GraphTemplate& graph, const std::string& prefix, std::ostream& out) {
  std::unordered_map<const Node*, std::string> names;
  for (const auto& node : graph.nodes()) {
    const std::string name = concat(prefix, names.size());
    names[node.get()] = name;
    out << quoted(name) << " [label=" << quoted(label_of(*node)) << "];\n";
    if (const auto* const child = std::get_if<ChildGraph>(&node->work)) {
      out << "subgraph " << quoted(concat("cluster_", name)) << " {\n";
      write_nodes(*child->graph, concat(name, "."), out);
      out << "}\n";
    }
  }
  for (const auto& node : graph.nodes()) {
    for (const Node* const dependent : node->dependents) {
      out << quoted(names[node.get()]) << " -> " << quoted(names[dependent]) << ";\n";
    }
  }
}

}  // namespace

bool write_dot(const GraphTemplate& graph, const std::string& path) {
  std::ofstream out(path);
  out << "digraph graph_template {\n";
  write_nodes(graph, "", out);
  out << "}\n";
  out.close();
  return out.good();
}

}  // namespace compass
