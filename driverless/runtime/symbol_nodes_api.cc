// SPDX-License-Identifier: MIT
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/node_calls.h"
#include "driverless/runtime/symbol_copy.h"

namespace compass::hip {
namespace {

/// Makes a node's work of a copy of some bytes.
MakeWork made_of(const SymbolCopy& copy) {
  return [copy](Device& device, NodeWork& work) {
    if (copy.other == nullptr || copy.size_bytes == 0) return kErrorInvalidValue;
    CopyOperation operation;
    Error error = make_copy(device.platform, device.ordinal, copy, operation);
    if (error == kSuccess) error = device.platform.memory.check(operation);
    if (error == kSuccess) work = Operation{std::move(operation)};
    return error;
  };
}

MakeWork made_to(const void* symbol, const void* from, std::size_t size_bytes,
                 std::size_t offset_bytes, MemcpyKind kind) {
  return made_of(
      {SymbolCopy::Way::kTo, symbol, const_cast<void*>(from), size_bytes, offset_bytes, kind});
}

MakeWork made_from(void* to, const void* symbol, std::size_t size_bytes, std::size_t offset_bytes,
                   MemcpyKind kind) {
  return made_of({SymbolCopy::Way::kFrom, symbol, to, size_bytes, offset_bytes, kind});
}

}  // namespace

Error hipGraphAddMemcpyNodeToSymbol(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                    std::size_t count, const void* symbol, const void* from,
                                    std::size_t size_bytes, std::size_t offset_bytes,
                                    MemcpyKind kind) {
  return add_node(node, graph, dependencies, count,
                  made_to(symbol, from, size_bytes, offset_bytes, kind));
}

Error hipGraphAddMemcpyNodeFromSymbol(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                      std::size_t count, void* to, const void* symbol,
                                      std::size_t size_bytes, std::size_t offset_bytes,
                                      MemcpyKind kind) {
  return add_node(node, graph, dependencies, count,
                  made_from(to, symbol, size_bytes, offset_bytes, kind));
}

Error hipGraphMemcpyNodeSetParamsToSymbol(GraphNode node, const void* symbol, const void* from,
                                          std::size_t size_bytes, std::size_t offset_bytes,
                                          MemcpyKind kind) {
  return set_node(node, kGraphNodeMemcpy, made_to(symbol, from, size_bytes, offset_bytes, kind));
}

Error hipGraphMemcpyNodeSetParamsFromSymbol(GraphNode node, void* to, const void* symbol,
                                            std::size_t size_bytes, std::size_t offset_bytes,
                                            MemcpyKind kind) {
  return set_node(node, kGraphNodeMemcpy, made_from(to, symbol, size_bytes, offset_bytes, kind));
}

Error hipGraphExecMemcpyNodeSetParamsToSymbol(GraphExec executable, GraphNode node,
                                              const void* symbol, const void* from,
                                              std::size_t size_bytes, std::size_t offset_bytes,
                                              MemcpyKind kind) {
  return set_executable_node(executable, node, kGraphNodeMemcpy,
                             made_to(symbol, from, size_bytes, offset_bytes, kind));
}

Error hipGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec executable, GraphNode node, void* to,
                                                const void* symbol, std::size_t size_bytes,
                                                std::size_t offset_bytes, MemcpyKind kind) {
  return set_executable_node(executable, node, kGraphNodeMemcpy,
                             made_from(to, symbol, size_bytes, offset_bytes, kind));
}

}  // namespace compass::hip
