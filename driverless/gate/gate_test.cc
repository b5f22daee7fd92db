// SPDX-License-Identifier: MIT
#include "driverless/gate/gate.h"

#include <gtest/gtest.h>

#include "driverless/gate/print.h"
#include "driverless/gate/recording_for_test.h"

namespace compass::gate {
namespace {

TEST_F(GateTest, SaysNothingOfCleanLaunches) {
  Gate gate(recording);
  for (const std::uint64_t record : {first, second, third}) gate.on_dispatch(record);
  const Report report = gate.report();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.checked, 3u);
  EXPECT_EQ(report.unchecked, 0u);
}

TEST_F(GateTest, JoinsLanesLaunchesAndBuffersOfOneRole) {
  Gate gate(recording);
  for (const std::uint64_t record : {first, second}) {
    gate.on_dispatch(record);
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      gate.on_fault(fault(FaultKind::kOutOfBounds, 0x11000 + lane * 4, 0x40, lane));
      gate.on_fault(fault(FaultKind::kOutOfBounds, 0x13000 + lane * 4, 0x48, lane));
    }
  }
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.rule, "out-of-bounds");
  EXPECT_EQ(finding.accesses, 256u);
  EXPECT_EQ(finding.launches, 2u);
  ASSERT_EQ(finding.places.size(), 2u);
  EXPECT_EQ(finding.places[0].argument, "keys");
  EXPECT_EQ(finding.places[0].launch, 1u);
  EXPECT_EQ(describe_address(finding.places[1]),
            "values (allocation 2) + 4096, 0 bytes past its end of 4096");
  EXPECT_EQ(finding.hint,
            "the buffer has 8 rows of 512 bytes, the access is in row 8, counted from 0");
}

TEST_F(GateTest, BlamesTheArgumentThatWasPassed) {
  Gate gate(recording);
  gate.on_dispatch(first);
  Fault far = fault(FaultKind::kOutOfBounds, 0x1ff00, 0x40);
  far.allocation = kLogits;  // nearest of all, but no argument of this launch
  gate.on_fault(far);
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].places[0].allocation, kValues);
}

/// The keys are a block in a larger allocation, and so is what the copy writes.
class BlockGateTest : public GateTest {
 protected:
  BlockGateTest() {
    recording.allocations.push_back(
        {kBlock, {0x10200}, 512, {}, 1, {"hidden", "", "", {4}, {}}, {}, {}, kKeys});
    recording.launches[0].arguments[0].memory = {kBlock, 0};
    Copy& body = std::get<Copy>(recording.records[copy - 1].body);
    body.direction = CopyDirection::kHostToDevice;
    body.destination = {kBlock, 0x100};
    body.source = {{}, 0x7fff};
    body.size_bytes = 4096;
  }
  static constexpr AllocationId kBlock{4};
};

TEST_F(BlockGateTest, NamesTheBlockAndItsSegment) {
  Gate gate(recording);
  gate.on_dispatch(first);
  Fault past = fault(FaultKind::kOutOfBounds, 0x11000, 0x40);
  past.allocation = kKeys;
  gate.on_fault(past);
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(headline(report),
            "error: out-of-bounds: ns::store writes past the end of hidden (allocation 4)");
  EXPECT_EQ(
      describe_address(report.findings[0].places[0]),
      "hidden (allocation 4) + 3584, 3072 bytes past its end of 512, in keys (allocation 1) + "
      "4096, 0 bytes past its end of 4096");
  EXPECT_EQ(report.findings[0].hint,
            "the buffer has 4 rows of 128 bytes, the access is in row 28, counted from 0");
}

TEST_F(BlockGateTest, NamesTheBlockThatUndefinedBytesAreOf) {
  Gate gate(recording);
  gate.on_dispatch(first);
  TaintedDecision inside = decision(kKeys);
  inside.origin_offset_bytes = 0x210;
  gate.on_tainted_decision(inside);
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].places[0].argument, "keys");
  EXPECT_EQ(describe_address(report.findings[0].places[0]),
            "hidden (allocation 4) + 16 of 512 bytes, in keys (allocation 1) + 528 of 4096 bytes");
}

TEST_F(BlockGateTest, ACopyMayLeaveItsBlockButNotTheSegment) {
  Gate gate(recording);
  gate.on_transfer_fault(
      {FaultKind::kOutOfBounds, AccessKind::kStore, copy, {kKeys, 0x300}, 4096, 4096});
  Gate refused(recording);
  recording.records[copy - 1].status = 1;
  refused.on_failed_call(recording.records[copy - 1]);
  for (Gate* const each : {&gate, &refused}) {
    const Report report = each->report();
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(describe_address(report.findings[0].places[0]),
              "hidden (allocation 4) + 256, where 4096 bytes do not fit before its end of 512, in "
              "keys (allocation 1) + 768, where 4096 bytes do not fit before its end of 4096");
  }
  std::get<Copy>(recording.records[copy - 1].body).size_bytes = 1024;
  Gate fits(recording);
  fits.on_failed_call(recording.records[copy - 1]);
  EXPECT_EQ(fits.report().findings.at(0).rule, "failed-call");
}

TEST_F(BlockGateTest, SaysWhichRecordFreedTheSegment) {
  recording.allocations[kBlock.value - 1].parent = kLogits;
  recording.allocations[kBlock.value - 1].address = {0x20200};
  recording.launches[1].arguments[0].memory = {kBlock, 0};
  Gate gate(recording);
  gate.on_dispatch(third);
  Fault freed = fault(FaultKind::kUseAfterFree, 0x20210, 0x8);
  freed.allocation = kLogits;
  gate.on_fault(freed);
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(
      describe_address(report.findings[0].places[0]),
      concat("hidden (allocation 4) + 16 of 512 bytes, in device.0 (allocation 3) + 528 of 4096 "
             "bytes, freed by record ",
             third - 1));
}

TEST_F(GateTest, SaysWhichRecordFreedTheMemory) {
  Gate gate(recording);
  gate.on_dispatch(third);
  Fault freed = fault(FaultKind::kUseAfterFree, 0x20010, 0x8);
  freed.access = AccessKind::kLoad;
  freed.allocation = kLogits;
  gate.on_fault(freed);
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].rule, "use-after-free");
  EXPECT_EQ(report.findings[0].role, "logits");
  EXPECT_EQ(
      describe_address(report.findings[0].places[0]),
      concat("ns::sample.logits (allocation 3) + 16 of 4096 bytes, freed by record ", third - 1));
}

TEST_F(GateTest, CountsArgumentsThatHaveNoNames) {
  recording.kernels[0].arguments[1].name.clear();
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x13000, 0x48));
  EXPECT_EQ(gate.report().findings.at(0).places[0].argument, "arg1");
}

TEST_F(GateTest, NamesNoBufferForNullPointers) {
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x10, 0x40));
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(describe_address(report.findings[0].places[0]), "0x10, in no allocation");
}

TEST_F(GateTest, SaysWhichArgumentIsNull) {
  recording.launches[0].arguments[1].memory = {};
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x2000, 0x40));
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].hint, "argument #1, counted from 0, is null: pass memory that the runtime allocated");
  EXPECT_EQ(headline(report),
            "error: out-of-bounds: ns::store writes memory through values, which is null");
}

TEST_F(GateTest, SaysWhichArgumentNoCallAllocated) {
  recording.launches[0].arguments[0].memory = {AllocationId{}, 0x7fff'0000'1000};
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x7fff'0000'1040, 0x40));
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(
      report.findings[0].hint,
      "argument #0, counted from 0, is memory that no call allocated, such as the host's own: "
      "pass memory that the runtime allocated");
  EXPECT_EQ(headline(report),
            "error: out-of-bounds: ns::store writes memory through keys, which "
            "points into no allocation");
  EXPECT_EQ(describe_address(report.findings[0].places[0]), "keys + 64, in no allocation");
}

TEST_F(GateTest, SaysWhatIsMisaligned) {
  Gate gate(recording);
  gate.on_dispatch(first);
  Fault odd = fault(FaultKind::kMisaligned, 0x10002, 0x40);
  odd.access = AccessKind::kAtomic;
  gate.on_fault(odd);
  EXPECT_EQ(headline(gate.report()),
            "error: misaligned-access: ns::store updates misaligned bytes "
            "of keys (allocation 1)");
}

TEST_F(GateTest, WarnsOfUndefinedValuesThatDecide) {
  Gate gate(recording);
  gate.on_dispatch(third);
  gate.on_tainted_decision(decision(kLogits));
  gate.on_tainted_decision(decision(kLogits));
  const Report report = gate.report();
  EXPECT_EQ(report.checked, 1u);
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.rule, "uninit-read");
  EXPECT_EQ(finding.level, Level::kWarning);
  EXPECT_EQ(finding.accesses, 128u);
  EXPECT_EQ(finding.launches, 1u);
  EXPECT_EQ(to_text(report, {"1.2", "gfx950", "engine", "gfx950", ""}),
            "warning: uninit-read: ns::sample lets undefined bytes of ns::sample.logits "
            "(allocation 3) decide an address [" +
                finding.id + "]\n\n[" + finding.id + R"(]
    kernel       ns::sample(float*)
    argument     logits
    launch       3, record 7, step 1 (decode), phase eager
    lane         workgroup 0,0,0, wavefront 0, lane 0
    instruction  kernel + 0x78: global_store_dword v[0:1], v2, off
    undefined    ns::sample.logits (allocation 3) + 16 of 4096 bytes, loaded at kernel + 0x40
    count        128 lanes in 1 launch
    hint         a new allocation holds what its last owner left: write the buffer before this launch

checked 1 launch, unchecked 2
    2 launches from launch 1 (record 4): it was not played
compass-capture 1.2, engine recorded on gfx950, checked on gfx950
)");
}

TEST_F(GateTest, SaysNothingOfLaunchesThatRestOnUnknownValues) {
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x11000, 0x40));
  TaintedDecision unknown = decision(kKeys);
  unknown.undefined = false;
  unknown.origin_writer = copy;
  unknown.cause = {UnknownCause::Kind::kContentNotKept, copy};
  gate.on_tainted_decision(unknown);
  gate.on_tainted_decision(decision(kKeys));
  gate.on_dispatch(second);
  unknown.cause = {UnknownCause::Kind::kUncheckedLaunch, first};
  unknown.origin_writer = 0;
  unknown.has_origin = false;
  unknown.decision = Decision::kBranch;
  gate.on_tainted_decision(unknown);
  gate.on_stopped(second, "it went astray");
  const Report report = gate.report();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.checked, 0u);
  ASSERT_EQ(report.reasons.size(), 3u);
  EXPECT_EQ(report.reasons[0].reason,
            concat("ns::store: an unknown value decides an address at kernel + 0x78 "
                   "(global_store_dword v[0:1], v2, off), loaded at kernel + 0x40 from keys "
                   "(allocation 1) + 16, last written by record ",
                   copy, ": the content of the copy in record ", copy, " was not kept"));
  EXPECT_EQ(report.reasons[1].reason,
            "ns::store: an unknown value decides a branch at kernel + 0x78 (global_store_dword "
            "v[0:1], v2, off): launch 1 is unchecked");
}

TEST_F(GateTest, FindsFaultyTransfers) {
  Gate gate(recording);
  gate.on_transfer_fault(
      {FaultKind::kOutOfBounds, AccessKind::kStore, copy, {kKeys, 4000}, 100, 4096});
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kernel, "copy");
  EXPECT_EQ(describe_address(report.findings[0].places[0]),
            "keys (allocation 1) + 4000, where 100 bytes do not fit before its end of 4096");
}

TEST_F(GateTest, JudgesFailedCallsBySizesAndLifetimes) {
  Copy too_long;
  too_long.direction = CopyDirection::kDeviceToDevice;
  too_long.source = {kKeys, 0};
  too_long.destination = {kValues, 4092};
  too_long.size_bytes = 8;
  const std::uint64_t records[] = {add(too_long), add(Fill{{kLogits, 0}, 0, 1, 8}),
                                   add(Free{kLogits}), add(LaunchKernel{LaunchId{1}})};
  Gate gate(recording);
  for (const std::uint64_t record : records) {
    recording.records[record - 1].status = 1;
    gate.on_failed_call(recording.records[record - 1]);
  }
  const Report report = gate.report();
  ASSERT_EQ(report.findings.size(), 4u);
  EXPECT_EQ(report.findings[0].rule, "out-of-bounds");
  EXPECT_EQ(report.findings[0].places[0].argument, "destination");
  EXPECT_EQ(report.findings[1].rule, "use-after-free");
  EXPECT_EQ(report.findings[2].rule, "use-after-free");
  EXPECT_EQ(report.findings[2].kernel, "free");
  EXPECT_EQ(report.findings[3].rule, "launch-ran");
  EXPECT_NE(to_text(report, {}).find("error: launch-ran: ns::store was refused with status 1 ["),
            std::string::npos);
  EXPECT_EQ(report.unchecked, 3u) << "a launch that was refused is none to check";
}

TEST_F(GateTest, ACallThatTellsOfAnUncheckedLaunchIsNoFinding) {
  recording.records[copy - 1].status = 719;
  Copy moved;
  moved.direction = CopyDirection::kDeviceToDevice;
  moved.source = {kKeys, 0};
  moved.destination = {kValues, 0};
  moved.size_bytes = 4;
  recording.records[copy - 1].body = moved;
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_stopped(first, "store: v_new_instruction at 0x40 is not supported");
  gate.on_failed_call(recording.records[copy - 1]);
  EXPECT_TRUE(gate.report().findings.empty());
  Gate alone(recording);
  alone.on_failed_call(recording.records[copy - 1]);
  EXPECT_EQ(alone.report().findings.size(), 1u);
}

TEST_F(GateTest, GroupsUncheckedLaunchesByReason) {
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_stopped(first, "store: v_new_instruction at 0x40 is not supported");
  gate.on_dispatch(second);
  gate.on_stopped(second, "store: v_new_instruction at 0x40 is not supported");
  const Report report = gate.report();
  EXPECT_EQ(report.checked, 0u);
  EXPECT_EQ(report.unchecked, 3u);
  ASSERT_EQ(report.reasons.size(), 2u);
  EXPECT_EQ(report.reasons[0].launches, 2u);
  EXPECT_EQ(report.reasons[0].first_launch, 1u);
  EXPECT_EQ(report.reasons[1].reason, "it was not played");
}

TEST_F(GateTest, GivesIdsThatDoNotDependOnTheRecording) {
  const auto id_at = [&](std::uint64_t pc) {
    Gate gate(recording);
    gate.on_dispatch(first);
    gate.on_fault(fault(FaultKind::kOutOfBounds, 0x11000, pc));
    return gate.report().findings.at(0).id;
  };
  const std::string id = id_at(0x40);
  EXPECT_EQ(id.size(), 12u);
  add(Free{kKeys});
  recording.allocations[0].address = {0x10100};
  EXPECT_EQ(id_at(0x80), id);
  recording.steps[0].kind = "prefill";
  EXPECT_NE(id_at(0x40), id);
}

TEST_F(GateTest, PrintsFindingsForPeople) {
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x11000, 0x40, 5));
  gate.on_dispatch(second);
  gate.on_dispatch(third);
  gate.on_stopped(third, "ns::sample(float*): s_new at 0x8 is not supported");
  const Report report = gate.report();
  EXPECT_EQ(to_text(report, {"1.2", "gfx950", "engine", "gfx942", "killed"}),
            "error: out-of-bounds: ns::store writes past the end of keys (allocation 1) [" +
                report.findings[0].id + "]\n\n[" + report.findings[0].id + R"(]
    kernel       ns::store(float*, float*)
    argument     keys
    launch       1, record 4, step 1 (decode), phase eager
    lane         workgroup 0,0,0, wavefront 0, lane 5
    instruction  kernel + 0x40: global_store_dword v[0:1], v2, off
    address      keys (allocation 1) + 4096, 0 bytes past its end of 4096
    count        1 access in 1 launch
    siblings     1 broken: keys (allocation 1); 1 not accessed: values (allocation 2)
    hint         the buffer has 8 rows of 512 bytes, the access is in row 8, counted from 0

checked 2 launches, unchecked 1
    1 launch from launch 3 (record 7): ns::sample(float*): s_new at 0x8 is not supported
the recording is incomplete: killed
compass-capture 1.2, engine recorded on gfx942, checked on gfx950
)");
}

TEST_F(GateTest, PrintsNoControlCharacters) {
  recording.kernels[0].canonical = "\x1b[2Jevil\n";
  Gate gate(recording);
  gate.on_dispatch(first);
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x11000, 0x40));
  const std::string text = to_text(gate.report(), {"", "", "\x1b", "\x1b", "\x1b"});
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_NE(text.find("?[2Jevil? writes"), std::string::npos) << text;
}

TEST_F(GateTest, PrintsJsonForPrograms) {
  Gate gate(recording);
  gate.on_dispatch(first);
  recording.kernels[0].canonical = "not utf-8: \xff";
  gate.on_fault(fault(FaultKind::kOutOfBounds, 0x11000, 0x40));
  const std::string json = to_json(gate.report(), {"1.2", "gfx950", "engine", "gfx950", ""});
  EXPECT_NE(json.find("\"version\": 2,"), std::string::npos) << json;
  EXPECT_NE(json.find("\"offset_bytes\": 4096,"), std::string::npos) << json;
  EXPECT_NE(json.find("\"instruction\": \"global_store_dword v[0:1], v2, off\""), std::string::npos)
      << json;
}

}  // namespace
}  // namespace compass::gate
