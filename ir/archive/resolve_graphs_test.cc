// SPDX-License-Identifier: MIT
#include "ir/archive/resolve_for_test.h"

namespace compass::archive {
namespace {

/// A stream 0x5 that is captured: a fill, then a launch.
class ResolveGraphsTest : public ResolveTest {
 protected:
  ResolveGraphsTest() {
    add_device();
    add_code();
    allocate(0x1000, 0x100);
    add(journal::CreateStream{0x5, 0});
    add(journal::BeginCapture{0x5, 2});
    fill_ = add_captured(journal::Fill{0x1000, 7, 4, 64, 0x5, false});
    launch_scale(0x1010, 0x5);
    launch_ = journal_.entries.size();
    journal_.entries.back().captured = true;
    add(journal::EndCapture{0x5, 0x9});
  }
  void instantiate(std::vector<journal::GraphNode> nodes) {
    add(journal::InstantiateGraph{0xE, 0x9, std::move(nodes)});
  }
  /// The records of the nodes of the last record, which instantiates or updates.
  std::vector<GraphNode> nodes() {
    const Recording recording = resolved();
    const RecordBody& last = recording.records.back().body;
    const auto* update = std::get_if<UpdateExecutable>(&last);
    return update != nullptr ? update->nodes : std::get<InstantiateGraph>(last).nodes;
  }

  std::uint64_t fill_ = 0;
  std::uint64_t launch_ = 0;
};

TEST_F(ResolveGraphsTest, SaysWhatWasCaptured) {
  EXPECT_EQ(kinds(),
            "allocate create_stream begin_capture fill load_code_object launch end_capture");
  const std::vector<Record>& records = resolved_.recording.records;
  std::string captured;
  for (const Record& record : records) {
    if (record.captured) captured += concat(kind_of(record), ' ', record.phase, ' ');
  }
  EXPECT_EQ(captured, "fill captured launch captured ");
  EXPECT_EQ(body<BeginCapture>(2).mode, 2u);
  EXPECT_EQ(body<EndCapture>(6).graph, GraphId{1});
  EXPECT_EQ(records[3].stream, StreamId{1});
}

TEST_F(ResolveGraphsTest, PutsNodesBehindThoseTheyComeAfter) {
  instantiate({{0x61, launch_, {1, 2}}, {0x62, fill_, {}}, {0x63, fill_, {1}}});
  const std::vector<GraphNode> expected = {{4, {}}, {4, {0}}, {6, {0, 1}}};
  EXPECT_EQ(nodes(), expected);
}

TEST_F(ResolveGraphsTest, FindsNodesByTheirHandles) {
  instantiate({{0x61, launch_, {1}}, {0x62, fill_, {}}});
  const std::uint64_t other = add_captured(journal::EmptyNode{});
  add(journal::SetNode{0xE, 0x61, other});
  EXPECT_EQ(body<SetNode>(9).node, 1u);
  EXPECT_EQ(body<SetNode>(9).record, 9u);
  add(journal::EnableNode{0xE, 0x62, false});
  EXPECT_EQ(body<EnableNode>(10).node, 0u);
  EXPECT_FALSE(body<EnableNode>(10).enabled);
  add(journal::UpdateExecutable{0xE, {{0x71, other, {}}, {0x72, fill_, {0}}}});
  EXPECT_EQ(nodes()[0].record, 9u);
}

TEST_F(ResolveGraphsTest, HandlesAreOnlyGoodUntilTheirEnd) {
  instantiate({{0x61, launch_, {}}});
  add(journal::LaunchGraph{0xE, 0x5});
  add(journal::DestroyExecutable{0xE});
  add(journal::DestroyGraph{0x9});
  instantiate({{0x61, fill_, {}}});
  EXPECT_EQ(body<LaunchGraph>(8).executable, ExecutableId{1});
  EXPECT_EQ(body<DestroyGraph>(10).graph, GraphId{1});
  EXPECT_EQ(body<InstantiateGraph>(11).executable, ExecutableId{2});
  EXPECT_EQ(body<InstantiateGraph>(11).graph, GraphId{2});
}

TEST_F(ResolveGraphsTest, ALaunchOfWhatWasDestroyedIsARefusedLaunchOfIt) {
  instantiate({{0x61, launch_, {}}});
  add(journal::DestroyExecutable{0xE});
  add_failed(journal::LaunchGraph{0xE, 0x5});
  add_failed(journal::LaunchGraph{0xBAD, 0x5});
  add(journal::End{});
  EXPECT_EQ(body<LaunchGraph>(9).executable, ExecutableId{1});
  EXPECT_EQ(resolved_.recording.records.size(), 10u);
  EXPECT_TRUE(resolved_.recording.complete) << resolved_.recording.incomplete_cause;
}

TEST_F(ResolveGraphsTest, AChildHasNodesOfItsOwn) {
  const std::uint64_t child = add_captured(journal::ChildGraph{{{0x81, fill_, {}}}});
  instantiate({{0x61, child, {}}});
  EXPECT_EQ(nodes()[0].record, 8u);
  EXPECT_EQ(body<ChildNode>(7).nodes[0].record, 4u);
  EXPECT_TRUE(resolved_.recording.records[7].captured);
}

TEST_F(ResolveGraphsTest, GraphsTooLargeToRunAreLeftOut) {
  std::uint64_t child = fill_;
  for (int depth = 0; depth < 25; ++depth) {
    child = add_captured(journal::ChildGraph{{{0x81, child, {}}, {0x82, child, {}}}});
  }
  instantiate({{0x61, child, {}}});
  EXPECT_FALSE(resolved().complete);
  EXPECT_NE(resolved_.recording.incomplete_cause.find("a graph that runs 33554432 nodes"),
            std::string::npos);
}

TEST_F(ResolveGraphsTest, AnUpdateHasAsManyNodes) {
  instantiate({{0x61, launch_, {}}});
  add(journal::UpdateExecutable{0xE, {{0x71, fill_, {}}, {0x72, fill_, {}}}});
  EXPECT_EQ(kinds().find("update_executable"), std::string::npos);
  EXPECT_FALSE(resolved_.recording.complete);
}

TEST_F(ResolveGraphsTest, WhatNoNodeCanDoIsNotCaptured) {
  add_captured(journal::Synchronize{journal::SyncScope::kDevice, 0});
  add_captured(journal::LaunchGraph{0xE, 0x5});
  const std::uint64_t launch = journal_.entries.size();
  instantiate({{0x61, launch, {}}});
  EXPECT_FALSE(resolved().records[7].captured);
}

TEST_F(ResolveGraphsTest, MemoryOfAGraphStaysWhenANodeFreesIt) {
  add_captured(journal::Allocate{journal::MemoryKind::kDevice, 0x8000, 64});
  add_captured(journal::Free{0x8000});
  add(journal::Fill{0x8000, 0, 1, 64, 0, true});
  add(journal::End{});
  EXPECT_EQ(body<Fill>(9).destination, (MemoryRef{AllocationId{2}, 0}));
  EXPECT_TRUE(resolved_.recording.complete) << resolved_.recording.incomplete_cause;
}

TEST_F(ResolveGraphsTest, ANodeOfWhichNothingIsKnownIsEmptyAndSaid) {
  instantiate({{0x61, 0, {}}, {0x62, next_entry() + 7, {0}}});
  add(journal::SetNode{0xE, 0x99, launch_});
  add(journal::LaunchGraph{0xF, 0});
  add(journal::End{});
  EXPECT_FALSE(resolved().complete);
  EXPECT_EQ(resolved_.recording.incomplete_cause,
            "a graph has a node of which nothing is known; a node was given other work that is not "
            "among its graph's own; an executable graph was used whose instantiation was not "
            "recorded");
  EXPECT_EQ(kinds().find("launch_graph"), std::string::npos);
}

}  // namespace
}  // namespace compass::archive
