// SPDX-License-Identifier: MIT

// Memory that a graph's nodes allocate and free.

#include <gtest/gtest.h>

#include <array>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

class GraphMemory : public TwoKernelsProgram {
 protected:
  GraphMemory() { EXPECT_EQ(hipGraphCreate(&graph_, 0), kSuccess); }
  ~GraphMemory() override {
    if (executable_ != nullptr) {
      EXPECT_EQ(hipGraphExecDestroy(executable_), kSuccess);
    }
    EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
    EXPECT_EQ(hipDeviceGraphMemTrim(0), kSuccess);
    EXPECT_EQ(attribute(kGraphMemReservedCurrent), 0u) << "nothing was lost";
  }

  static MemAllocNodeParams parameters(std::size_t size_bytes) {
    MemAllocNodeParams parameters{};
    parameters.properties.allocation_type = kMemAllocationTypePinned;
    parameters.properties.location = {kMemLocationTypeDevice, 0};
    parameters.size_bytes = size_bytes;
    return parameters;
  }
  GraphNode add_allocation(std::size_t size_bytes = sizeof(Words)) {
    MemAllocNodeParams asked = parameters(size_bytes);
    GraphNode node = nullptr;
    EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph_, nullptr, 0, &asked), kSuccess);
    pointer_ = asked.pointer;
    return node;
  }
  GraphNode add_copy(void* to, const void* from, GraphNode after) {
    GraphNode node = nullptr;
    EXPECT_EQ(
        hipGraphAddMemcpyNode1D(&node, graph_, &after, 1, to, from, sizeof(Words), kMemcpyDefault),
        kSuccess);
    return node;
  }
  /// Adds nodes that copy `words_` into new memory and from there to `other_`; gives the last.
  GraphNode add_detour() {
    const GraphNode begin = add_allocation();
    return add_copy(other_, pointer_, add_copy(pointer_, words_, begin));
  }
  Error add_free(GraphNode after) {
    GraphNode node = nullptr;
    return hipGraphAddMemFreeNode(&node, graph_, &after, 1, pointer_);
  }
  void instantiate(unsigned long long flags = 0) {
    ASSERT_EQ(hipGraphInstantiateWithFlags(&executable_, graph_, flags), kSuccess);
  }
  static std::uint64_t attribute(GraphMemAttribute attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(hipDeviceGetGraphMemAttribute(0, attribute, &value), kSuccess);
    return value;
  }

  Graph graph_ = nullptr;
  GraphExec executable_ = nullptr;
  void* pointer_ = nullptr;
};

TEST_F(GraphMemory, IsThereFromItsNodeToTheNextThatFrees) {
  EXPECT_EQ(add_free(add_detour()), kSuccess);
  EXPECT_EQ(hipMemset(pointer_, 0, 4), kErrorInvalidValue) << "not yet";
  instantiate();
  for (std::uint32_t first = 1; first < 4; ++first) {
    set_words(first);
    ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
    ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
    EXPECT_EQ(hipMemsetAsync(pointer_, 0, 4, stream_), kErrorInvalidValue) << "no more";
    ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
    EXPECT_EQ(words_of(other_)[0], first);
    EXPECT_EQ(attribute(kGraphMemUsedCurrent), 0u);
  }
  EXPECT_EQ(attribute(kGraphMemReservedCurrent), sizeof(Words)) << "kept for the next launch";
}

TEST_F(GraphMemory, IsTheProgramsToFreeIfNoNodeDoes) {
  add_detour();
  instantiate();
  ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
  EXPECT_EQ(hipGraphLaunch(executable_, stream_), kErrorInvalidValue) << "not freed";
  ASSERT_EQ(hipMemsetAsync(pointer_, 0, 4, stream_), kSuccess) << "after the launch";
  EXPECT_EQ(hipFreeAsync(pointer_, stream_), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
  ASSERT_EQ(hipMemsetAsync(pointer_, 0, 4, stream_), kSuccess) << "there again";
  EXPECT_EQ(hipFree(pointer_), kSuccess);
  EXPECT_EQ(hipFree(pointer_), kErrorInvalidValue);
  ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
  EXPECT_EQ(hipFree(pointer_), kSuccess);
}

TEST_F(GraphMemory, OutlivesItsGraph) {
  add_detour();
  instantiate();
  ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable_), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
  executable_ = nullptr;
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words_of(pointer_)[5], 6u);
  EXPECT_EQ(hipFree(pointer_), kSuccess);
  ASSERT_EQ(hipGraphCreate(&graph_, 0), kSuccess);
}

TEST_F(GraphMemory, IsFreedOnLaunchIfAsked) {
  add_detour();
  instantiate(kGraphInstantiateAutoFreeOnLaunch);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
    ASSERT_EQ(hipMemsetAsync(pointer_, 0, 4, stream_), kSuccess);
  }
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(attribute(kGraphMemUsedCurrent), sizeof(Words));
  EXPECT_EQ(hipFree(pointer_), kSuccess);
  EXPECT_EQ(attribute(kGraphMemUsedCurrent), 0u);
}

TEST_F(GraphMemory, MayBeFreedByAnotherGraph) {
  add_detour();
  instantiate();
  Graph other = nullptr;
  GraphNode node = nullptr;
  GraphExec frees = nullptr;
  ASSERT_EQ(hipGraphCreate(&other, 0), kSuccess);
  ASSERT_EQ(hipGraphAddMemFreeNode(&node, other, nullptr, 0, pointer_), kSuccess);
  ASSERT_EQ(hipGraphInstantiate(&frees, other, nullptr, nullptr, 0), kSuccess);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
    ASSERT_EQ(hipGraphLaunch(frees, stream_), kSuccess);
  }
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(attribute(kGraphMemUsedCurrent), 0u);
  EXPECT_EQ(hipGraphExecDestroy(frees), kSuccess);
  EXPECT_EQ(hipGraphDestroy(other), kSuccess);
}

TEST_F(GraphMemory, IsOfTheDevice) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  ASSERT_EQ(hipMemGetInfo(&free_bytes, &total_bytes), kSuccess);
  add_allocation(total_bytes);
  instantiate();
  EXPECT_EQ(hipGraphLaunch(executable_, stream_), kErrorOutOfMemory);
  std::size_t left_bytes = 0;
  ASSERT_EQ(hipMemGetInfo(&left_bytes, &total_bytes), kSuccess);
  EXPECT_EQ(left_bytes, free_bytes);
}

TEST_F(GraphMemory, IsCaptured) {
  void* pointer = nullptr;
  Graph captured = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(side_, kStreamCaptureModeGlobal), kSuccess);
  ASSERT_EQ(hipMallocAsync(&pointer, sizeof(Words), side_), kSuccess);
  ASSERT_EQ(hipMemcpyAsync(pointer, words_, sizeof(Words), kMemcpyDefault, side_), kSuccess);
  ASSERT_EQ(hipMemsetAsync(pointer, 0, 4, side_), kSuccess);
  ASSERT_EQ(hipMemcpyAsync(other_, pointer, sizeof(Words), kMemcpyDefault, side_), kSuccess);
  EXPECT_EQ(hipFreeAsync(words_, side_), kErrorInvalidValue) << "no memory of the graph's";
  ASSERT_EQ(hipFreeAsync(pointer, side_), kSuccess);
  EXPECT_EQ(hipFreeAsync(pointer, side_), kErrorInvalidValue) << "twice";
  ASSERT_EQ(hipStreamEndCapture(side_, &captured), kSuccess);
  ASSERT_EQ(hipGraphInstantiate(&executable, captured, nullptr, nullptr, 0), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words_of(other_)[0], 0u);
  EXPECT_EQ(words_of(other_)[1], 2u);
  GraphNode node = nullptr;
  std::size_t count = 1;
  GraphNodeType type{};
  ASSERT_EQ(hipGraphGetRootNodes(captured, &node, &count), kSuccess);
  ASSERT_EQ(hipGraphNodeGetType(node, &type), kSuccess);
  EXPECT_EQ(type, kGraphNodeMemAlloc);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipGraphDestroy(captured), kSuccess);
}

TEST_F(GraphMemory, TellsItsParameters) {
  const GraphNode begin = add_allocation();
  MemAllocNodeParams told{};
  ASSERT_EQ(hipGraphMemAllocNodeGetParams(begin, &told), kSuccess);
  EXPECT_EQ(told.pointer, pointer_);
  EXPECT_EQ(told.size_bytes, sizeof(Words));
  GraphNode end = nullptr;
  ASSERT_EQ(hipGraphAddMemFreeNode(&end, graph_, &begin, 1, pointer_), kSuccess);
  void* freed = nullptr;
  ASSERT_EQ(hipGraphMemFreeNodeGetParams(end, static_cast<void*>(&freed)), kSuccess);
  EXPECT_EQ(freed, pointer_);
  EXPECT_EQ(hipGraphMemFreeNodeGetParams(begin, static_cast<void*>(&freed)), kErrorInvalidValue);
  EXPECT_EQ(hipGraphMemAllocNodeGetParams(end, &told), kErrorInvalidValue);
  EXPECT_EQ(hipGraphMemAllocNodeGetParams(begin, nullptr), kErrorInvalidValue);
}

TEST_F(GraphMemory, RefusesWrongNodes) {
  GraphNode node = nullptr;
  MemAllocNodeParams wrong = parameters(0);
  EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph_, nullptr, 0, &wrong), kErrorInvalidValue);
  wrong = parameters(64);
  wrong.properties.location.id = 99;
  EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph_, nullptr, 0, &wrong), kErrorInvalidValue);
  wrong = parameters(64);
  wrong.properties.allocation_type = 0;
  EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph_, nullptr, 0, &wrong), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph_, nullptr, 0, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddMemFreeNode(&node, graph_, nullptr, 0, words_), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddMemFreeNode(&node, graph_, nullptr, 0, nullptr), kErrorInvalidValue);
  const GraphNode begin = add_allocation();
  EXPECT_EQ(add_free(begin), kSuccess);
  EXPECT_EQ(add_free(begin), kErrorInvalidValue) << "twice";
}

TEST_F(GraphMemory, RefusesWhatHipDoesNotSupport) {
  const GraphNode begin = add_allocation();
  instantiate();
  GraphExec second = nullptr;
  Graph clone = nullptr;
  GraphNode child = nullptr;
  EXPECT_EQ(hipGraphInstantiate(&second, graph_, nullptr, nullptr, 0), kErrorNotSupported);
  EXPECT_EQ(hipGraphClone(&clone, graph_), kErrorNotSupported);
  EXPECT_EQ(hipGraphDestroyNode(begin), kErrorNotSupported);
  ASSERT_EQ(hipGraphCreate(&clone, 0), kSuccess);
  EXPECT_EQ(hipGraphAddChildGraphNode(&child, clone, nullptr, 0, graph_), kErrorNotSupported);
  EXPECT_EQ(hipGraphDestroy(clone), kSuccess);
  GraphNode error_node = nullptr;
  GraphExecUpdateResult result{};
  EXPECT_EQ(hipGraphExecUpdate(executable_, graph_, &error_node, &result),
            kErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, kGraphExecUpdateErrorNotSupported);
  ASSERT_EQ(hipGraphExecDestroy(executable_), kSuccess);
  EXPECT_EQ(hipGraphInstantiate(&executable_, graph_, nullptr, nullptr, 0), kSuccess)
      << "the first is gone";
}

TEST_F(GraphMemory, HasAccounts) {
  add_detour();
  instantiate();
  std::uint64_t zero = 0;
  EXPECT_EQ(hipDeviceSetGraphMemAttribute(0, kGraphMemUsedHigh, &zero), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable_, stream_), kSuccess);
  EXPECT_EQ(hipFree(pointer_), kSuccess);
  EXPECT_EQ(attribute(kGraphMemUsedCurrent), 0u);
  EXPECT_EQ(attribute(kGraphMemUsedHigh), sizeof(Words));
  EXPECT_EQ(hipDeviceSetGraphMemAttribute(0, kGraphMemUsedCurrent, &zero), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetGraphMemAttribute(9, kGraphMemUsedCurrent, &zero), kErrorInvalidDevice);
  EXPECT_EQ(hipDeviceGetGraphMemAttribute(0, kGraphMemUsedCurrent, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetGraphMemAttribute(0, static_cast<GraphMemAttribute>(9), &zero),
            kErrorInvalidValue);
  EXPECT_EQ(hipDeviceGraphMemTrim(-1), kErrorInvalidDevice);
}

}  // namespace
}  // namespace compass::hip
