// SPDX-License-Identifier: MIT

// Copies of boxes, and the calls that take nodes of any type.

#include <gtest/gtest.h>

#include <cstring>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

class AnyNode : public TwoKernelsProgram {
 protected:
  AnyNode() { EXPECT_EQ(hipGraphCreate(&graph_, 0), kSuccess); }
  ~AnyNode() override { EXPECT_EQ(hipGraphDestroy(graph_), kSuccess); }

  /// Of 8 rows of 8 words, the 2 by 2 in the middle, to the start of `other_`.
  Memcpy3DParms box() const {
    return {.from_array = nullptr,
            .from_position = {12, 3, 0},
            .from = {words_, 32, 32, 8},
            .to_array = nullptr,
            .to_position = {},
            .to = {other_, 8, 8, 2},
            .extent = {8, 2, 1},
            .kind = kMemcpyDeviceToDevice};
  }
  GraphNode add(GraphNodeParams parameters) {
    GraphNode node = nullptr;
    EXPECT_EQ(hipGraphAddNode(&node, graph_, nullptr, 0, &parameters), kSuccess);
    return node;
  }
  static GraphNodeParams of_type(GraphNodeType type) {
    GraphNodeParams parameters{};
    parameters.type = type;
    return parameters;
  }
  void launch() {
    GraphExec executable = nullptr;
    ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
    ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
    ASSERT_EQ(hipGraphExecDestroy(executable), kSuccess);
    ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  }

  Graph graph_ = nullptr;
};

TEST_F(AnyNode, CopiesBoxes) {
  const Memcpy3DParms parameters = box();
  GraphNode node = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode(&node, graph_, nullptr, 0, &parameters), kSuccess);
  launch();
  const Words words = words_of(other_);
  EXPECT_EQ(words[0], 3 * 8 + 3 + 1u);
  EXPECT_EQ(words[1], 3 * 8 + 4 + 1u);
  EXPECT_EQ(words[2], 4 * 8 + 3 + 1u) << "the second row";
}

TEST_F(AnyNode, TellsAndChangesBoxes) {
  Memcpy3DParms parameters = box();
  GraphNode node = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode(&node, graph_, nullptr, 0, &parameters), kSuccess);
  Memcpy3DParms told{};
  ASSERT_EQ(hipGraphMemcpyNodeGetParams(node, &told), kSuccess);
  EXPECT_EQ(told.from_position.x, 12u) << "as it was given";
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
  parameters.from_position = {0, 0, 0};
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParams(executable, node, &parameters), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(words_of(other_)[0], 1u);
  parameters.kind = kMemcpyDefault;
  EXPECT_EQ(hipGraphExecMemcpyNodeSetParams(executable, node, &parameters), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecMemcpyNodeSetParams(executable, node, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  ASSERT_EQ(hipGraphMemcpyNodeSetParams1D(node, other_, words_, 16, kMemcpyDefault), kSuccess);
  ASSERT_EQ(hipGraphMemcpyNodeGetParams(node, &told), kSuccess);
  EXPECT_EQ(told.extent.width, 16u);
  EXPECT_EQ(told.extent.height, 1u);
  EXPECT_EQ(told.from.pointer, words_);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams(node, &told), kSuccess) << "what it tells, it takes";
}

TEST_F(AnyNode, RefusesWrongBoxes) {
  const auto add_box = [&](const Memcpy3DParms& parameters) {
    GraphNode node = nullptr;
    return hipGraphAddMemcpyNode(&node, graph_, nullptr, 0, &parameters);
  };
  GraphNode node = nullptr;
  EXPECT_EQ(hipGraphAddMemcpyNode(&node, graph_, nullptr, 0, nullptr), kErrorInvalidValue);
  Memcpy3DParms wrong = box();
  wrong.from.pointer = nullptr;
  EXPECT_EQ(add_box(wrong), kErrorInvalidValue);
  wrong = box();
  wrong.extent.height = 9;
  EXPECT_EQ(add_box(wrong), kErrorInvalidValue) << "beyond the memory";
  wrong = box();
  wrong.to.pitch_bytes = 4;
  EXPECT_EQ(add_box(wrong), kErrorInvalidPitchValue);
  wrong = box();
  wrong.from_position.z = ~std::size_t{0};
  EXPECT_EQ(add_box(wrong), kErrorInvalidValue) << "no address";
  wrong = box();
  wrong.kind = static_cast<MemcpyKind>(9);
  EXPECT_EQ(add_box(wrong), kErrorInvalidMemcpyDirection);
  wrong = box();
  wrong.from_array = reinterpret_cast<Array>(this);
  EXPECT_EQ(add_box(wrong), kErrorNotSupported);
}

TEST_F(AnyNode, IsOfItsType) {
  std::uint8_t shift = 1;
  std::uint32_t count = 64;
  void* arguments[] = {&words_, &shift, &count};
  GraphNodeParams kernel = of_type(kGraphNodeKernel);
  kernel.kernel = {.workgroup_workitems = {64, 1, 1},
                   .extra = nullptr,
                   .function = const_cast<char*>(&kScaleFunction),
                   .grid_workgroups = {1, 1, 1},
                   .arguments = arguments,
                   .dynamic_lds_bytes = 0};
  GraphNodeParams copy = of_type(kGraphNodeMemcpy);
  copy.copy.parameters = box();
  GraphNodeParams fill = of_type(kGraphNodeMemset);
  fill.fill = {words_, 4, 1, 0, 7, 1};
  GraphNodeParams host = of_type(kGraphNodeHost);
  host.host = {[](void*) {}, nullptr};
  GraphNodeParams child = of_type(kGraphNodeGraph);
  ASSERT_EQ(hipGraphCreate(&child.child, 0), kSuccess);
  GraphNodeParams record = of_type(kGraphNodeEventRecord);
  record.event = events_[0];
  GraphNodeParams wait = of_type(kGraphNodeWaitEvent);
  wait.event = events_[1];
  for (GraphNodeParams* parameters : {&kernel, &copy, &fill, &host, &child, &record, &wait}) {
    const GraphNode node = add(*parameters);
    GraphNodeType type{};
    EXPECT_EQ(hipGraphNodeGetType(node, &type), kSuccess);
    EXPECT_EQ(type, parameters->type);
    EXPECT_EQ(hipGraphNodeSetParams(node, parameters), kSuccess);
    GraphExec executable = nullptr;
    ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
    EXPECT_EQ(hipGraphExecNodeSetParams(executable, node, parameters), kSuccess);
    EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  }
  launch();
  EXPECT_EQ(hipGraphDestroy(child.child), kSuccess);
}

TEST_F(AnyNode, RefusesOtherTypes) {
  GraphNode node = nullptr;
  GraphNodeParams parameters = of_type(static_cast<GraphNodeType>(8));  // external semaphores
  EXPECT_EQ(hipGraphAddNode(&node, graph_, nullptr, 0, &parameters), kErrorInvalidValue);
  EXPECT_EQ(hipGetLastError(), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddNode(&node, graph_, nullptr, 0, nullptr), kErrorInvalidValue);
  GraphNodeParams allocation = of_type(kGraphNodeMemAlloc);
  allocation.allocation.properties.allocation_type = kMemAllocationTypePinned;
  allocation.allocation.properties.location.type = kMemLocationTypeDevice;
  allocation.allocation.size_bytes = 64;
  ASSERT_EQ(hipGraphAddNode(&node, graph_, nullptr, 0, &allocation), kSuccess);
  GraphNodeParams end = of_type(kGraphNodeMemFree);
  end.freed = allocation.allocation.pointer;
  EXPECT_EQ(hipGraphNodeSetParams(node, &allocation), kErrorNotSupported);
  ASSERT_EQ(hipGraphAddNode(&node, graph_, &node, 1, &end), kSuccess);
  EXPECT_EQ(hipGraphNodeSetParams(node, &parameters), kErrorInvalidValue);
}

TEST_F(AnyNode, MayBeTheDriversKind) {
  // HIP 6's numbers of hipMemoryType: device memory is 2.
  DriverMemcpy3D parameters{};
  parameters.from = {.x_bytes = 12,
                     .y = 3,
                     .z = 0,
                     .level = 0,
                     .memory_type = 2,
                     .host = nullptr,
                     .device = words_,
                     .array = nullptr,
                     .pitch_bytes = 32,
                     .height = 8};
  parameters.to = {.x_bytes = 0,
                   .y = 0,
                   .z = 0,
                   .level = 0,
                   .memory_type = 2,
                   .host = nullptr,
                   .device = other_,
                   .array = nullptr,
                   .pitch_bytes = 8,
                   .height = 2};
  parameters.width_bytes = 8;
  parameters.height = 2;
  parameters.depth = 1;
  const auto context = reinterpret_cast<Context>(this);
  GraphNode copy = nullptr;
  ASSERT_EQ(hipDrvGraphAddMemcpyNode(&copy, graph_, nullptr, 0, &parameters, context), kSuccess);
  DriverMemcpy3D told{};
  ASSERT_EQ(hipDrvGraphMemcpyNodeGetParams(copy, &told), kSuccess);
  EXPECT_EQ(told.from.y, 3u);
  EXPECT_EQ(hipDrvGraphMemcpyNodeSetParams(copy, &told), kSuccess);
  const MemsetParams fill_parameters{words_, 4, 1, 0, 9, 1};
  GraphNode fill = nullptr;
  ASSERT_EQ(hipDrvGraphAddMemsetNode(&fill, graph_, &copy, 1, &fill_parameters, context), kSuccess);
  launch();
  EXPECT_EQ(words_of(other_)[2], 4 * 8 + 3 + 1u);
  EXPECT_EQ(words_of(words_)[0], 9u);
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
  EXPECT_EQ(hipDrvGraphExecMemcpyNodeSetParams(executable, copy, &told, context), kSuccess);
  EXPECT_EQ(hipDrvGraphExecMemsetNodeSetParams(executable, fill, &fill_parameters, context),
            kSuccess);
  EXPECT_EQ(hipDrvGraphExecMemsetNodeSetParams(executable, fill, nullptr, context),
            kErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(hipDrvGraphAddMemcpyNode(&copy, graph_, nullptr, 0, &parameters, nullptr),
            kErrorInvalidValue);
  EXPECT_EQ(hipDrvGraphAddMemcpyNode(&copy, graph_, nullptr, 0, nullptr, context),
            kErrorInvalidValue);
  EXPECT_EQ(hipDrvGraphMemcpyNodeGetParams(fill, &told), kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
