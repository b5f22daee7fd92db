// SPDX-License-Identifier: MIT
#include "capture/tracker/graphs.h"

#include <gtest/gtest.h>

namespace compass::capture {
namespace {

using Nodes = std::vector<Graphs::Node>;

constexpr std::uint64_t kGraph = 0x40;

/// Capture 1: a launch in entry 11, a wait in 12, a fill in 13.
class GraphsTest : public testing::Test {
 protected:
  GraphsTest() {
    graphs.add_captured(1, 11, journal::Launch{});
    graphs.add_captured(1, 12, journal::WaitEvent{});
    graphs.add_captured(1, 13, journal::Fill{});
  }
  void end_capture(const Nodes& nodes) { graphs.end_capture(1, kGraph, nodes); }

  Graphs graphs;
};

TEST_F(GraphsTest, CapturedNodesAreWhatTheStreamWasGiven) {
  end_capture({{0xA, hip::kGraphNodeKernel}, {0xB, hip::kGraphNodeMemset}});
  EXPECT_EQ(graphs.lasting_entry(0xA), 11u);
  EXPECT_EQ(graphs.entry_of(0xB), 13u);
}

TEST_F(GraphsTest, ANodeTooManyIsNoneKnown) {
  end_capture(
      {{0x9, hip::kGraphNodeMemset}, {0xA, hip::kGraphNodeKernel}, {0xB, hip::kGraphNodeMemset}});
  EXPECT_EQ(graphs.entry_of(0xA), 0u);
}

TEST_F(GraphsTest, NodesThatDoNotFitAreNotKnown) {
  end_capture({{0xA, hip::kGraphNodeMemset}, {0xB, hip::kGraphNodeKernel}});
  EXPECT_EQ(graphs.entry_of(0xA), 0u);
  EXPECT_EQ(graphs.entry_of(0xB), 0u);
}

TEST_F(GraphsTest, ANodeTooFewIsNoneKnown) {
  end_capture({{0xB, hip::kGraphNodeMemset}});
  EXPECT_EQ(graphs.entry_of(0xB), 0u);
}

TEST_F(GraphsTest, ACapturedLaunchOfAGraphIsAskedOf) {
  graphs.add_captured(1, 14, journal::LaunchGraph{});
  end_capture(
      {{0xA, hip::kGraphNodeKernel}, {0xB, hip::kGraphNodeMemset}, {0xC, hip::kGraphNodeGraph}});
  EXPECT_EQ(graphs.lasting_entry(0xA), 11u);
  EXPECT_EQ(graphs.lasting_entry(0xC), 0u);
}

TEST_F(GraphsTest, WhatTheRuntimeSaidLastsOnlyWhereItCannotChange) {
  graphs.set_entry(0xA, 21, false);
  graphs.set_entry(0xB, 22, true);
  EXPECT_EQ(graphs.entry_of(0xA), 21u);
  EXPECT_EQ(graphs.lasting_entry(0xA), 0u);
  EXPECT_EQ(graphs.lasting_entry(0xB), 22u);
}

TEST_F(GraphsTest, HandlesOfWhatIsGoneAreForgotten) {
  end_capture({{0xA, hip::kGraphNodeKernel}, {0xB, hip::kGraphNodeMemset}});
  graphs.forget_node(0xA);
  EXPECT_EQ(graphs.entry_of(0xA), 0u);
  EXPECT_EQ(graphs.entry_of(0xB), 13u);
  graphs.forget_graph(kGraph);
  EXPECT_EQ(graphs.entry_of(0xB), 0u);
}

}  // namespace
}  // namespace compass::capture
