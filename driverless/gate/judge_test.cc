// SPDX-License-Identifier: MIT
#include "driverless/gate/judge.h"

#include "driverless/gate/recording_for_test.h"
#include "ir/hip/abi.h"

namespace compass::gate {
namespace {

Report judge(const Recording& recording, const Evidence& evidence) {
  Gate gate(recording);
  tell(gate, evidence);
  return gate.report();
}

class JudgeTest : public GateTest {
 protected:
  JudgeTest() {
    for (const std::uint64_t record : {first, second, third}) note_ran(record);
  }
  void note_ran(std::uint64_t record) {
    if (evidence.ran.size() <= record) evidence.ran.resize(record + 1);
    evidence.ran[record] = true;
  }
  Observed& observed(std::uint64_t record) { return evidence.observed[{record, 0}]; }

  Evidence evidence;
};

TEST_F(JudgeTest, SaysNothingOfCleanLaunches) {
  const Report report = judge(recording, evidence);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.checked, 3u);
  EXPECT_EQ(report.unchecked, 0u);
}

TEST_F(JudgeTest, SaysWhatTheGateSaysOfThePlayedRecording) {
  Gate gate(recording);
  gate.on_dispatch(first);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    gate.on_fault(fault(FaultKind::kOutOfBounds, 0x11000 + lane * 4, 0x40, lane));
  }
  gate.on_dispatch(second);
  gate.on_tainted_decision(decision(kKeys));
  gate.on_dispatch(third);
  gate.on_stopped(third, "unsupported");
  gate.on_transfer_fault(
      {FaultKind::kOutOfBounds, AccessKind::kStore, copy, {kKeys, 4096}, 8, 4096});

  observed(first).faults = {{fault(FaultKind::kOutOfBounds, 0x11000, 0x40), 1},
                            {fault(FaultKind::kOutOfBounds, 0x11000, 0x40), 63}};
  observed(second).decisions = {{decision(kKeys), 64}};
  observed(third).stop_cause = "unsupported";
  observed(copy).transfers = {
      {FaultKind::kOutOfBounds, AccessKind::kStore, copy, {kKeys, 4096}, 8, 4096}};
  const Report report = judge(recording, evidence);
  EXPECT_EQ(report.findings.size(), 3u);
  EXPECT_EQ(to_json(report, {}), to_json(gate.report(), {}));
}

TEST_F(JudgeTest, WhatDidNotRunIsUnchecked) {
  evidence.ran[second] = false;
  const Report report = judge(recording, evidence);
  EXPECT_EQ(report.checked, 2u);
  ASSERT_EQ(report.reasons.size(), 1u);
  EXPECT_EQ(report.reasons[0].reason, "it had not run to its end when the program ended");
  EXPECT_EQ(report.reasons[0].first_record, second);
}

TEST_F(JudgeTest, WhatALaunchDidBeforeItWasKilledIsFound) {
  evidence.ran[second] = false;
  observed(second).faults = {{fault(FaultKind::kOutOfBounds, 0x11000, 0x40), 1}};
  const Report report = judge(recording, evidence);
  EXPECT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.unchecked, 1u);
}

/// A graph of a launch, a fill, and the launch again, launched twice.
class JudgeGraphTest : public JudgeTest {
 protected:
  JudgeGraphTest() {
    launch_node = add_node(LaunchKernel{LaunchId{1}});
    fill_node = add_node(Fill{{kKeys, 0}, 0, 1, 8, HostWait::kAsync});
    add(InstantiateGraph{{1}, {}, {{launch_node, {}}, {fill_node, {0}}, {launch_node, {1}}}});
    for (std::uint64_t& replay : replays) note_ran(replay = add(LaunchGraph{{1}}));
  }
  std::uint64_t add_node(RecordBody body) {
    const std::uint64_t record = add(std::move(body));
    recording.records.back().captured = true;
    return record;
  }

  std::uint64_t launch_node = 0;
  std::uint64_t fill_node = 0;
  std::uint64_t replays[2] = {};
};

TEST_F(JudgeGraphTest, CountsTheLaunchesOfEveryReplay) {
  const Report report = judge(recording, evidence);
  EXPECT_EQ(report.checked, 3u + 4u);
  EXPECT_EQ(report.unchecked, 0u);
  EXPECT_TRUE(report.findings.empty());
}

TEST_F(JudgeGraphTest, NamesTheNodeOfAFault) {
  evidence.observed[{replays[1], launch_node}].faults = {
      {fault(FaultKind::kOutOfBounds, 0x11000, 0x40), 1}};
  evidence.observed[{replays[1], fill_node}].transfers = {
      {FaultKind::kOutOfBounds, AccessKind::kStore, replays[1], {kKeys, 0}, 5000, 4096}};
  const Report report = judge(recording, evidence);
  ASSERT_EQ(report.findings.size(), 2u);
  const Place* of_launch = nullptr;
  const Place* of_fill = nullptr;
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.phase, "replay");
    (finding.kernel == "fill" ? of_fill : of_launch) = &finding.places.front();
  }
  ASSERT_TRUE(of_launch != nullptr && of_fill != nullptr);
  EXPECT_EQ(of_launch->record, replays[1]);
  EXPECT_EQ(of_launch->node, launch_node);
  EXPECT_EQ(of_launch->launch, 3u + 2u + 1u);
  EXPECT_EQ(of_fill->node, fill_node);
}

TEST_F(JudgeGraphTest, AGraphThatDidNotRunIsUnchecked) {
  evidence.ran[replays[1]] = false;
  const Report report = judge(recording, evidence);
  EXPECT_EQ(report.checked, 5u);
  EXPECT_EQ(report.unchecked, 2u);
  ASSERT_EQ(report.reasons.size(), 1u);
  EXPECT_EQ(report.reasons[0].first_launch, 6u);
  EXPECT_EQ(report.reasons[0].first_record, replays[1]);
}

TEST_F(JudgeGraphTest, ARefusedGraphMadeNoLaunch) {
  recording.records[replays[0] - 1].status = hip::kErrorInvalidValue;
  const Report report = judge(recording, evidence);
  EXPECT_EQ(report.checked, 5u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kernel, "launch_graph");
}

TEST_F(JudgeTest, JudgesCallsThatFailed) {
  recording.records[copy - 1].status = hip::kErrorInvalidValue;
  recording.records[third - 1].status = hip::kErrorInvalidConfiguration;
  const Report report = judge(recording, evidence);
  EXPECT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.checked, 2u);
  EXPECT_EQ(report.unchecked, 0u);
}

}  // namespace
}  // namespace compass::gate
