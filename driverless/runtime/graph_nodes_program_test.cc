// SPDX-License-Identifier: MIT

// Graphs that a program builds by hand: what each kind of node does, tells and refuses.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

class GraphNodes : public TwoKernelsProgram {
 protected:
  GraphNodes() { EXPECT_EQ(hipGraphCreate(&graph_, 0), kSuccess); }
  ~GraphNodes() override { EXPECT_EQ(hipGraphDestroy(graph_), kSuccess); }

  /// The parameters of a shift of `words_` by `shift_` bits.
  KernelNodeParams scale_parameters() {
    return {.workgroup_workitems = {64, 1, 1},
            .extra = nullptr,
            .function = const_cast<char*>(&kScaleFunction),
            .grid_workgroups = {1, 1, 1},
            .arguments = arguments_.data(),
            .dynamic_lds_bytes = 0};
  }
  GraphNode add_scale(std::vector<GraphNode> after = {}) {
    GraphNode node = nullptr;
    const KernelNodeParams parameters = scale_parameters();
    EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, after.data(), after.size(), &parameters),
              kSuccess);
    return node;
  }
  GraphNode add_copy(void* to, const void* from, std::vector<GraphNode> after = {}) {
    GraphNode node = nullptr;
    EXPECT_EQ(hipGraphAddMemcpyNode1D(&node, graph_, after.data(), after.size(), to, from,
                                      sizeof(Words), kMemcpyDefault),
              kSuccess);
    return node;
  }
  GraphNode add_empty(std::vector<GraphNode> after = {}) {
    GraphNode node = nullptr;
    EXPECT_EQ(hipGraphAddEmptyNode(&node, graph_, after.data(), after.size()), kSuccess);
    return node;
  }
  MemsetParams fill_parameters(unsigned value) const {
    return {.to = words_,
            .element_bytes = 4,
            .height = 1,
            .pitch_bytes = 0,
            .value = value,
            .width = 64};
  }

  void launch(Graph graph) {
    GraphExec executable = nullptr;
    ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), kSuccess);
    ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
    ASSERT_EQ(hipGraphExecDestroy(executable), kSuccess);
    ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  }

  Graph graph_ = nullptr;
  std::uint8_t shift_ = 1;
  std::uint32_t count_ = 64;
  std::array<void*, 3> arguments_{&words_, &shift_, &count_};
};

TEST_F(GraphNodes, RunAfterWhatTheyDependOn) {
  Words to{};
  const GraphNode copy = add_copy(to.data(), words_);
  const GraphNode scale = add_scale();
  ASSERT_EQ(hipGraphAddDependencies(graph_, &scale, &copy, 1), kSuccess);
  launch(graph_);
  EXPECT_EQ(to[0], 2u) << "the copy was made first and runs last";
}

TEST_F(GraphNodes, TellTheirTypes) {
  const auto type_of = [](GraphNode node) {
    GraphNodeType type{};
    EXPECT_EQ(hipGraphNodeGetType(node, &type), kSuccess);
    return type;
  };
  EXPECT_EQ(type_of(add_empty()), kGraphNodeEmpty);
  EXPECT_EQ(type_of(add_scale()), kGraphNodeKernel);
  EXPECT_EQ(type_of(add_copy(other_, words_)), kGraphNodeMemcpy);
  GraphNodeType type{};
  EXPECT_EQ(hipGraphNodeGetType(nullptr, &type), kErrorInvalidValue);
  EXPECT_EQ(hipGraphNodeGetType(add_empty(), nullptr), kErrorInvalidValue);
}

TEST_F(GraphNodes, RefuseWrongPlaces) {
  const GraphNode node = add_empty();
  GraphNode other = nullptr;
  const GraphNode twice[] = {node, node};
  const auto unknown = reinterpret_cast<GraphNode>(this);
  EXPECT_EQ(hipGraphAddEmptyNode(nullptr, graph_, nullptr, 0), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&other, nullptr, nullptr, 0), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&other, graph_, nullptr, 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&other, graph_, twice, 2), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&other, graph_, &unknown, 1), kErrorInvalidValue);
  Graph elsewhere = nullptr;
  ASSERT_EQ(hipGraphCreate(&elsewhere, 0), kSuccess);
  EXPECT_EQ(hipGraphAddEmptyNode(&other, elsewhere, &node, 1), kErrorInvalidValue);
  ASSERT_EQ(hipGraphDestroy(elsewhere), kSuccess);
  std::size_t count = 0;
  EXPECT_EQ(hipGraphGetNodes(graph_, nullptr, &count), kSuccess);
  EXPECT_EQ(count, 1u) << "nothing was added";
}

TEST_F(GraphNodes, OfKernelsTellAndChangeTheirParameters) {
  const GraphNode node = add_scale();
  shift_ = 5;  // the node has its own
  KernelNodeParams told{};
  ASSERT_EQ(hipGraphKernelNodeGetParams(node, &told), kSuccess);
  EXPECT_EQ(told.function, &kScaleFunction);
  EXPECT_EQ(told.workgroup_workitems.x, 64u);
  EXPECT_EQ(*static_cast<void**>(told.arguments[0]), words_);
  EXPECT_EQ(*static_cast<std::uint8_t*>(told.arguments[1]), 1);
  EXPECT_EQ(*static_cast<std::uint32_t*>(told.arguments[2]), 64u);
  const KernelNodeParams changed = scale_parameters();
  ASSERT_EQ(hipGraphKernelNodeSetParams(node, &changed), kSuccess);
  launch(graph_);
  EXPECT_EQ(words_of(words_)[0], 32u);
  EXPECT_EQ(hipGraphKernelNodeSetParams(node, &told), kSuccess) << "its own pointers are fine";
}

TEST_F(GraphNodes, OfKernelsTakePackedArguments) {
  struct {
    void* words;
    std::uint8_t shift;
    std::uint32_t count;
  } packed{words_, 2, 64};
  std::size_t size_bytes = sizeof packed;
  void* extra[] = {reinterpret_cast<void*>(1), &packed, reinterpret_cast<void*>(2), &size_bytes,
                   reinterpret_cast<void*>(3)};
  KernelNodeParams parameters = scale_parameters();
  parameters.arguments = nullptr;
  parameters.extra = extra;
  GraphNode node = nullptr;
  ASSERT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), kSuccess);
  launch(graph_);
  EXPECT_EQ(words_of(words_)[0], 4u);
  extra[0] = reinterpret_cast<void*>(7);
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), kErrorInvalidValue);
  extra[0] = reinterpret_cast<void*>(3);
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), kErrorInvalidValue);
}

TEST_F(GraphNodes, OfKernelsRefuseWrongLaunches) {
  GraphNode node = nullptr;
  KernelNodeParams parameters = scale_parameters();
  parameters.function = nullptr;
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, nullptr), kErrorInvalidValue);
  parameters.function = this;
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters),
            kErrorInvalidDeviceFunction);
  parameters = scale_parameters();
  parameters.workgroup_workitems.x = 2000;
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters),
            kErrorInvalidConfiguration);
  EXPECT_EQ(hipGraphKernelNodeGetParams(add_empty(), &parameters), kErrorInvalidValue);
  EXPECT_EQ(hipGraphKernelNodeSetParams(add_empty(), &parameters), kErrorInvalidValue);
}

TEST_F(GraphNodes, OfKernelsKeepAttributes) {
  const GraphNode node = add_scale();
  const GraphNode other = add_scale();
  const int cooperative = 1;
  int told = 0;
  EXPECT_EQ(hipGraphKernelNodeSetAttribute(node, kKernelNodeCooperative, &cooperative), kSuccess);
  EXPECT_EQ(hipGraphKernelNodeCopyAttributes(node, other), kSuccess);
  EXPECT_EQ(hipGraphKernelNodeGetAttribute(other, kKernelNodeCooperative, &told), kSuccess);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(hipGraphKernelNodeGetAttribute(other, kKernelNodePriority, &told), kSuccess);
  EXPECT_EQ(told, 0);
  EXPECT_EQ(hipGraphKernelNodeGetAttribute(other, static_cast<KernelNodeAttribute>(3), &told),
            kErrorInvalidValue);
  EXPECT_EQ(hipGraphKernelNodeSetAttribute(node, kKernelNodeCooperative, nullptr),
            kErrorInvalidValue);
  EXPECT_EQ(hipGraphKernelNodeCopyAttributes(node, add_empty()), kErrorInvalidValue);
}

TEST_F(GraphNodes, OfFillsTellChangeAndRefuse) {
  GraphNode node = nullptr;
  MemsetParams parameters = fill_parameters(7);
  ASSERT_EQ(hipGraphAddMemsetNode(&node, graph_, nullptr, 0, &parameters), kSuccess);
  MemsetParams told{};
  ASSERT_EQ(hipGraphMemsetNodeGetParams(node, &told), kSuccess);
  EXPECT_EQ(told.to, words_);
  EXPECT_EQ(told.width, 64u);
  EXPECT_EQ(told.value, 7u);
  parameters = {.to = words_,
                .element_bytes = 1,
                .height = 2,
                .pitch_bytes = 128,
                .value = 0x101,
                .width = 4};
  ASSERT_EQ(hipGraphMemsetNodeSetParams(node, &parameters), kSuccess);
  launch(graph_);
  EXPECT_EQ(words_of(words_)[0], 0x01010101u);
  EXPECT_EQ(words_of(words_)[1], 2u);
  EXPECT_EQ(words_of(words_)[32], 0x01010101u) << "the second row";
  parameters.pitch_bytes = 3;
  EXPECT_EQ(hipGraphMemsetNodeSetParams(node, &parameters), kErrorInvalidValue);
  parameters = fill_parameters(0);
  parameters.element_bytes = 3;
  EXPECT_EQ(hipGraphMemsetNodeSetParams(node, &parameters), kErrorInvalidValue);
  parameters = fill_parameters(0);
  parameters.width = 65;
  EXPECT_EQ(hipGraphMemsetNodeSetParams(node, &parameters), kErrorInvalidValue);
  parameters = fill_parameters(0);
  parameters.height = 0;
  EXPECT_EQ(hipGraphAddMemsetNode(&node, graph_, nullptr, 0, &parameters), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddMemsetNode(&node, graph_, nullptr, 0, nullptr), kErrorInvalidValue);
}

TEST_F(GraphNodes, OfCopiesChangeAndRefuse) {
  Words to{};
  const GraphNode node = add_copy(other_, words_);
  ASSERT_EQ(hipGraphMemcpyNodeSetParams1D(node, to.data(), words_, 4, kMemcpyDeviceToHost),
            kSuccess);
  launch(graph_);
  EXPECT_EQ(to[0], 1u);
  EXPECT_EQ(to[1], 0u);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams1D(node, nullptr, words_, 4, kMemcpyDeviceToHost),
            kErrorInvalidValue);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams1D(node, to.data(), words_, 0, kMemcpyDeviceToHost),
            kErrorInvalidValue);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams1D(node, to.data(), words_, 257, kMemcpyDeviceToHost),
            kErrorInvalidValue);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams1D(node, words_, words_, 4, kMemcpyDeviceToDevice),
            kErrorInvalidValue);
}

TEST_F(GraphNodes, OfHostFunctionsTellAndChange) {
  int calls = 0;
  const HostNodeParams parameters{[](void* data) { ++*static_cast<int*>(data); }, &calls};
  GraphNode node = nullptr;
  ASSERT_EQ(hipGraphAddHostNode(&node, graph_, nullptr, 0, &parameters), kSuccess);
  HostNodeParams told{};
  ASSERT_EQ(hipGraphHostNodeGetParams(node, &told), kSuccess);
  EXPECT_EQ(told.function, parameters.function);
  EXPECT_EQ(told.user_data, &calls);
  launch(graph_);
  EXPECT_EQ(calls, 1);
  const HostNodeParams wrong{nullptr, nullptr};
  EXPECT_EQ(hipGraphHostNodeSetParams(node, &wrong), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddHostNode(&node, graph_, nullptr, 0, &wrong), kErrorInvalidValue);
}

TEST_F(GraphNodes, OfEventsTellAndChange) {
  GraphNode record = nullptr;
  GraphNode wait = nullptr;
  ASSERT_EQ(hipGraphAddEventWaitNode(&wait, graph_, nullptr, 0, events_[0]), kSuccess);
  ASSERT_EQ(hipGraphAddEventRecordNode(&record, graph_, &wait, 1, events_[0]), kSuccess);
  Event told = nullptr;
  ASSERT_EQ(hipGraphEventRecordNodeSetEvent(record, events_[1]), kSuccess);
  ASSERT_EQ(hipGraphEventRecordNodeGetEvent(record, &told), kSuccess);
  EXPECT_EQ(told, events_[1]);
  ASSERT_EQ(hipGraphEventWaitNodeGetEvent(wait, &told), kSuccess);
  EXPECT_EQ(told, events_[0]);
  launch(graph_);
  float elapsed_ms = 0;
  EXPECT_EQ(hipEventElapsedTime(&elapsed_ms, events_[1], events_[1]), kSuccess) << "recorded";
  EXPECT_EQ(hipEventElapsedTime(&elapsed_ms, events_[0], events_[1]), kErrorInvalidHandle);
  EXPECT_EQ(hipGraphEventWaitNodeGetEvent(record, &told), kErrorInvalidValue);
  EXPECT_EQ(hipGraphEventWaitNodeSetEvent(wait, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEventRecordNode(&record, graph_, nullptr, 0, nullptr), kErrorInvalidValue);
}

TEST_F(GraphNodes, RefuseToLaunchWithoutTheirEvents) {
  Event event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), kSuccess);
  GraphNode node = nullptr;
  ASSERT_EQ(hipGraphAddEventRecordNode(&node, graph_, nullptr, 0, event), kSuccess);
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
  ASSERT_EQ(hipEventDestroy(event), kSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream_), kErrorInvalidHandle);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
}

TEST_F(GraphNodes, OfChildrenHaveTheirOwnCopy) {
  add_scale();
  Graph parent = nullptr;
  ASSERT_EQ(hipGraphCreate(&parent, 0), kSuccess);
  GraphNode first = nullptr;
  GraphNode second = nullptr;
  ASSERT_EQ(hipGraphAddChildGraphNode(&first, parent, nullptr, 0, graph_), kSuccess);
  add_scale();  // too late
  ASSERT_EQ(hipGraphAddChildGraphNode(&second, parent, &first, 1, graph_), kSuccess);
  launch(parent);
  EXPECT_EQ(words_of(words_)[0], 8u);
  Graph child = nullptr;
  ASSERT_EQ(hipGraphChildGraphNodeGetGraph(first, &child), kSuccess);
  std::size_t count = 0;
  EXPECT_EQ(hipGraphGetNodes(child, nullptr, &count), kSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(hipGraphDestroy(child), kErrorInvalidValue) << "the node's";
  EXPECT_EQ(hipGraphDestroy(parent), kSuccess);
  EXPECT_EQ(hipGraphGetNodes(child, nullptr, &count), kErrorInvalidValue) << "gone with it";
}

TEST_F(GraphNodes, CanBeDrawn) {
  const GraphNode scale = add_scale();
  add_copy(other_, words_, {scale});
  Graph parent = nullptr;
  GraphNode child = nullptr;
  ASSERT_EQ(hipGraphCreate(&parent, 0), kSuccess);
  ASSERT_EQ(hipGraphAddChildGraphNode(&child, parent, nullptr, 0, graph_), kSuccess);
  const std::string path = testing::TempDir() + "compass_graph.dot";
  ASSERT_EQ(hipGraphDebugDotPrint(parent, path.c_str(), 0), kSuccess);
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
            "digraph graph_template {\n"
            "\"0\" [label=\"child graph\"];\n"
            "subgraph \"cluster_0\" {\n"
            "\"0.0\" [label=\"kernel scale\"];\n"
            "\"0.1\" [label=\"copy 256\"];\n"
            "\"0.0\" -> \"0.1\";\n"
            "}\n"
            "}\n");
  EXPECT_EQ(hipGraphDebugDotPrint(parent, "/nowhere/graph.dot", 0), kErrorOperatingSystem);
  EXPECT_EQ(hipGraphDebugDotPrint(parent, nullptr, 0), kErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroy(parent), kSuccess);
}

}  // namespace
}  // namespace compass::hip
