// SPDX-License-Identifier: MIT
#include "driverless/gate/judge.h"

#include "driverless/gate/recording_for_test.h"
#include "ir/hip/abi.h"

namespace compass::gate {
namespace {

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
