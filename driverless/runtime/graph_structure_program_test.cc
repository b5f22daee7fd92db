// SPDX-License-Identifier: MIT

// Edges and clones of graphs.

#include <gtest/gtest.h>

#include <array>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

/// A graph of three empty nodes: the second and the third after the first.
class GraphStructure : public TwoKernelsProgram {
 protected:
  GraphStructure() {
    EXPECT_EQ(hipGraphCreate(&graph_, 0), kSuccess);
    EXPECT_EQ(hipGraphAddEmptyNode(&nodes_[0], graph_, nullptr, 0), kSuccess);
    EXPECT_EQ(hipGraphAddEmptyNode(&nodes_[1], graph_, nodes_.data(), 1), kSuccess);
    EXPECT_EQ(hipGraphAddEmptyNode(&nodes_[2], graph_, nodes_.data(), 1), kSuccess);
  }
  ~GraphStructure() override { EXPECT_EQ(hipGraphDestroy(graph_), kSuccess); }

  Graph graph_ = nullptr;
  std::array<GraphNode, 3> nodes_{};
};

TEST_F(GraphStructure, IsToldInHipsWay) {
  std::array<GraphNode, 4> room{nodes_[2], nodes_[2], nodes_[2], nodes_[2]};
  std::size_t count = 2;
  EXPECT_EQ(hipGraphGetNodes(graph_, room.data(), &count), kSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(room[1], nodes_[1]);
  EXPECT_EQ(room[2], nodes_[2]) << "beyond the room";
  count = 4;
  EXPECT_EQ(hipGraphGetNodes(graph_, room.data(), &count), kSuccess);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(room[3], nullptr);
  EXPECT_EQ(hipGraphGetRootNodes(graph_, nullptr, &count), kSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(hipGraphNodeGetDependencies(nodes_[2], room.data(), &count), kSuccess);
  EXPECT_EQ(room[0], nodes_[0]);
  EXPECT_EQ(hipGraphNodeGetDependentNodes(nodes_[0], nullptr, &count), kSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(hipGraphNodeGetDependentNodes(nullptr, nullptr, &count), kErrorInvalidValue);
  EXPECT_EQ(hipGraphGetNodes(graph_, nullptr, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphGetRootNodes(nullptr, nullptr, &count), kErrorInvalidValue);
}

TEST_F(GraphStructure, HasEdges) {
  std::array<GraphNode, 2> from{};
  std::array<GraphNode, 2> to{};
  std::size_t count = 0;
  EXPECT_EQ(hipGraphGetEdges(graph_, nullptr, nullptr, &count), kSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(hipGraphGetEdges(graph_, from.data(), to.data(), &count), kSuccess);
  EXPECT_EQ(from, (std::array<GraphNode, 2>{nodes_[0], nodes_[0]}));
  EXPECT_EQ(to, (std::array<GraphNode, 2>{nodes_[1], nodes_[2]}));
  EXPECT_EQ(hipGraphGetEdges(graph_, from.data(), nullptr, &count), kErrorInvalidValue);
  EXPECT_EQ(hipGraphGetEdges(graph_, nullptr, nullptr, nullptr), kErrorInvalidValue);
  EXPECT_EQ(hipGraphRemoveDependencies(graph_, from.data(), to.data(), 2), kSuccess);
  EXPECT_EQ(hipGraphRemoveDependencies(graph_, from.data(), to.data(), 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphGetEdges(graph_, nullptr, nullptr, &count), kSuccess);
  EXPECT_EQ(count, 0u);
}

TEST_F(GraphStructure, RefusesWrongEdges) {
  EXPECT_EQ(hipGraphAddDependencies(graph_, &nodes_[0], &nodes_[1], 1), kErrorInvalidValue)
      << "there already";
  EXPECT_EQ(hipGraphAddDependencies(graph_, &nodes_[0], &nodes_[0], 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddDependencies(graph_, nullptr, &nodes_[0], 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddDependencies(graph_, nullptr, nullptr, 0), kSuccess);
  const auto unknown = reinterpret_cast<GraphNode>(this);
  EXPECT_EQ(hipGraphAddDependencies(graph_, &unknown, &nodes_[0], 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphRemoveDependencies(graph_, &unknown, &nodes_[0], 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphAddDependencies(nullptr, &nodes_[1], &nodes_[2], 1), kErrorInvalidValue);
}

TEST_F(GraphStructure, MayBeACycleUntilItIsUsed) {
  ASSERT_EQ(hipGraphAddDependencies(graph_, &nodes_[1], &nodes_[0], 1), kSuccess);
  GraphExec executable = nullptr;
  std::size_t count = 0;
  EXPECT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kErrorInvalidValue);
  EXPECT_EQ(hipGraphGetNodes(graph_, nullptr, &count), kErrorInvalidValue);
  ASSERT_EQ(hipGraphRemoveDependencies(graph_, &nodes_[1], &nodes_[0], 1), kSuccess);
  ASSERT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), kSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
}

TEST_F(GraphStructure, LosesNodesWithTheirEdges) {
  ASSERT_EQ(hipGraphDestroyNode(nodes_[0]), kSuccess);
  std::size_t count = 0;
  EXPECT_EQ(hipGraphGetRootNodes(graph_, nullptr, &count), kSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(hipGraphDestroyNode(nodes_[0]), kErrorInvalidValue);
  GraphNode node = nullptr;
  EXPECT_EQ(hipGraphAddEmptyNode(&node, graph_, nodes_.data(), 1), kErrorInvalidValue);
}

TEST_F(GraphStructure, IsCloned) {
  Graph clone = nullptr;
  ASSERT_EQ(hipGraphClone(&clone, graph_), kSuccess);
  GraphNode first = nullptr;
  GraphNode third = nullptr;
  ASSERT_EQ(hipGraphNodeFindInClone(&first, nodes_[0], clone), kSuccess);
  ASSERT_EQ(hipGraphNodeFindInClone(&third, nodes_[2], clone), kSuccess);
  GraphNode dependency = nullptr;
  std::size_t count = 1;
  EXPECT_EQ(hipGraphNodeGetDependencies(third, &dependency, &count), kSuccess);
  EXPECT_EQ(dependency, first);
  EXPECT_EQ(hipGraphNodeFindInClone(&first, nodes_[0], graph_), kErrorInvalidValue);
  EXPECT_EQ(hipGraphNodeFindInClone(nullptr, nodes_[0], clone), kErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroy(clone), kSuccess);
  EXPECT_EQ(hipGraphClone(&clone, clone), kErrorInvalidValue);
  EXPECT_EQ(hipGraphClone(nullptr, graph_), kErrorInvalidValue);
}

}  // namespace
}  // namespace compass::hip
