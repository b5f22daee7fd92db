// SPDX-License-Identifier: MIT
#include "driverless/agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

namespace compass {
namespace {

constexpr DeviceAddress kOut{0x10'0000'0000}, kIn{0x20'0000'0000};
constexpr unsigned kCount = 64;

/// Keeps what an observer is told.
struct Seen : Observer {
  std::vector<Fault> faults;
  std::vector<TaintedDecision> decisions;
  std::map<std::uint32_t, TouchedExtents> touched;  // by allocation
  std::vector<std::uint64_t> nonfinite;             // offsets in `out`
  std::string stop_cause;

  void on_nonfinite(std::uint64_t, AllocationId, std::uint64_t offset_bytes) override {
    nonfinite.push_back(offset_bytes);
  }
  void on_fault(const Fault& fault) override { faults.push_back(fault); }
  void on_tainted_decision(const TaintedDecision& decision) override {
    decisions.push_back(decision);
  }
  void on_touched(std::uint64_t, AllocationId allocation, const TouchedExtents& extents) override {
    touched[allocation.value] = extents;
  }
  void on_stopped(std::uint64_t, const std::string& cause) override { stop_cause = cause; }
};

/// An agent with the kernels of memory_faults.cl, and two arrays: `out`, known, and `in`,
/// undefined.
class AgentTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::ifstream file(concat(std::getenv("COMPASS_MEMORY_FAULTS"), GetParam(), ".co"),
                       std::ios::binary);
    elf_.assign(std::istreambuf_iterator<char>(file), {});
    auto loaded = agent_.load(as_byte_view(elf_));
    ASSERT_TRUE(loaded) << loaded.error().message;
    code_ = *loaded;
    map(kOut, out_, AllocationId{1});
    map(kIn, in_, AllocationId{2});
    agent_.memory().note_write(kOut, sizeof out_, ByteState::kKnown, 1);
    std::iota(std::begin(in_), std::end(in_), 100);
  }

  void map(DeviceAddress base, std::int32_t (&storage)[kCount], AllocationId id) {
    const auto mapped = agent_.memory().map({.base = base,
                                             .size_bytes = sizeof storage,
                                             .host = reinterpret_cast<std::byte*>(storage),
                                             .id = id});
    ASSERT_TRUE(mapped);
  }
  void make_known(ByteState state = ByteState::kKnown) {
    agent_.memory().note_write(kIn, sizeof in_, state, 1);
  }

  template <class... Values>
  Seen run(const char* kernel, unsigned workgroups, Values... values) {
    Bytes kernarg;
    const auto add = [&](const auto& value) {
      kernarg.resize((kernarg.size() + sizeof value - 1) / sizeof value * sizeof value);
      const auto* bytes = reinterpret_cast<const std::byte*>(&value);
      kernarg.insert(kernarg.end(), bytes, bytes + sizeof value);
    };
    (add(values), ...);
    Seen seen;
    dispatch_.kernel = Agent::find_kernel(*code_, kernel);
    dispatch_.grid_workgroups = {workgroups, 1, 1};
    dispatch_.workgroup_workitems = {kCount, 1, 1};
    dispatch_.explicit_kernarg = kernarg;
    dispatch_.record = 7;
    const auto done = agent_.dispatch(dispatch_, seen);
    EXPECT_TRUE(done) << done.error().message;
    return seen;
  }

  std::string elf_;
  Agent agent_{*arch::find(GetParam()), std::getenv("COMPASS_DECODER")};
  LoadedCodeObject* code_ = nullptr;
  std::int32_t out_[kCount]{}, in_[kCount]{};
  Dispatch dispatch_;
};

TEST_P(AgentTest, StoresReachMemoryAndAreSummed) {
  const Seen seen = run("store_ids", 1, kOut, 0);
  EXPECT_EQ(out_[63], 63);
  EXPECT_TRUE(seen.faults.empty());
  EXPECT_EQ(seen.touched.at(1).writes, (std::vector<Extent>{{0, 256}}));
  EXPECT_EQ(agent_.memory().find(kOut)->shadow->writer(100), 7u);
}

TEST_P(AgentTest, OutOfBoundsIsSeenToTheByteAndDropped) {
  const Seen seen = run("store_ids", 1, kOut, 1);
  ASSERT_EQ(seen.faults.size(), 1u);
  const Fault& fault = seen.faults[0];
  EXPECT_EQ(fault.kind, FaultKind::kOutOfBounds);
  EXPECT_EQ(fault.access, AccessKind::kStore);
  EXPECT_EQ(fault.lane, 63u);
  EXPECT_EQ(fault.allocation.value, 1u);
  EXPECT_EQ(fault.offset_bytes, 256);
  EXPECT_EQ(fault.instruction.rfind("global_store_dword", 0), 0u);
  EXPECT_EQ(out_[63], 62);
}

TEST_P(AgentTest, ALaunchStopsAtAFindingOnlyWhereAsked) {
  dispatch_.stops_at_findings = true;
  const Seen seen = run("store_ids", 2, kOut, 64);
  EXPECT_EQ(seen.faults[0].workgroup[0], 0u);
  EXPECT_EQ(seen.faults.size(), kCount) << "those of one instruction";
  EXPECT_NE(seen.stop_cause.find("stopped at a finding"), std::string::npos);
}

TEST_P(AgentTest, UseAfterFreeNamesTheFreedAllocation) {
  make_known();
  ASSERT_TRUE(agent_.memory().unmap(kIn));
  const Seen seen = run("copy", 1, kOut, kIn);
  ASSERT_EQ(seen.faults.size(), kCount);
  EXPECT_EQ(seen.faults[3].kind, FaultKind::kUseAfterFree);
  EXPECT_EQ(seen.faults[3].allocation.value, 2u);
  EXPECT_EQ(seen.faults[3].offset_bytes, 12);
  EXPECT_EQ(out_[3], 0);
}

TEST_P(AgentTest, NullIsOutOfBounds) {
  const Seen seen = run("copy", 1, kOut, DeviceAddress{});
  ASSERT_EQ(seen.faults.size(), kCount);
  EXPECT_EQ(seen.faults[0].address.value, 0u);
}

TEST_P(AgentTest, AtomicsMustBeAligned) {
  const Seen seen = run("add_at", 1, kOut);
  ASSERT_EQ(seen.faults.size(), kCount) << seen.stop_cause;
  EXPECT_EQ(seen.faults[1].kind, FaultKind::kMisaligned);
  EXPECT_EQ(seen.faults[1].access, AccessKind::kAtomic);
  EXPECT_EQ(seen.faults[1].offset_bytes, 6);
}

TEST_P(AgentTest, MovingUndefinedBytesIsSilentAndMakesTheTargetUndefined) {
  const Seen seen = run("copy", 1, kOut, kIn);
  EXPECT_TRUE(seen.decisions.empty());
  EXPECT_EQ(out_[5], 105);
  EXPECT_EQ(agent_.memory().find(kOut)->shadow->worst(0, 256), ByteState::kUndefined);
  make_known();
  run("copy", 1, kOut, kIn);
  EXPECT_TRUE(agent_.memory().find(kOut)->shadow->is_known(0, 256));
}

TEST_P(AgentTest, UndefinedDecidesABranch) {
  const Seen seen = run("branch_on", 1, kOut, kIn);
  ASSERT_EQ(seen.decisions.size(), 1u);
  const TaintedDecision& decision = seen.decisions[0];
  EXPECT_EQ(decision.decision, Decision::kBranch);
  EXPECT_TRUE(decision.undefined);
  ASSERT_TRUE(decision.has_origin);
  EXPECT_EQ(decision.origin_allocation.value, 2u);
  EXPECT_EQ(decision.origin_offset_bytes, 0u);
}

TEST_P(AgentTest, AMatrixProductOfUndefinedValuesIsUndefined) {
  const Seen seen = run("branch_on_product", 1, kOut, kIn);
  ASSERT_EQ(seen.stop_cause, "");
  ASSERT_FALSE(seen.decisions.empty());
  EXPECT_TRUE(seen.decisions[0].undefined);
  EXPECT_EQ(seen.decisions[0].origin_allocation.value, 2u);
}

TEST_P(AgentTest, AMatrixProductOfKnownValuesIsKnown) {
  agent_.memory().note_write(kIn, sizeof in_, ByteState::kKnown, 1);
  const Seen seen = run("branch_on_product", 1, kOut, kIn);
  EXPECT_TRUE(seen.decisions.empty());
  EXPECT_EQ(out_[0], 1);
}

TEST_P(AgentTest, UndefinedDecidesExecWithItsLanes) {
  agent_.memory().note_write(kIn, 252, ByteState::kKnown, 1);
  const Seen seen = run("exec_from", 1, kOut, kIn);
  ASSERT_FALSE(seen.decisions.empty());
  EXPECT_EQ(seen.decisions[0].decision, Decision::kExec);
  EXPECT_EQ(seen.decisions[0].origin_offset_bytes, 252u);
}

TEST_P(AgentTest, UnknownDecidesAnAddress) {
  make_known(ByteState::kUnknown);
  const Seen seen = run("index_by", 1, kOut, kIn);
  ASSERT_EQ(seen.decisions.size(), 1u);
  EXPECT_EQ(seen.decisions[0].decision, Decision::kAddress);
  EXPECT_FALSE(seen.decisions[0].undefined);
  EXPECT_EQ(seen.decisions[0].lanes, kCount);
}

TEST_P(AgentTest, WhatIsNotChosenDoesNotMatter) {
  EXPECT_TRUE(run("select_by_known", 1, kOut, kIn, 1).decisions.empty());
  EXPECT_FALSE(run("select_by_known", 1, kOut, kIn, 0).decisions.empty());
}

TEST_P(AgentTest, LdsAndBarrierExchangeValues) {
  make_known();
  const Seen seen = run("reverse_in_lds", 1, kOut, kIn);
  EXPECT_EQ(out_[0], 163);
  EXPECT_EQ(out_[63], 100);
  EXPECT_TRUE(seen.decisions.empty());
  EXPECT_TRUE(agent_.memory().find(kOut)->shadow->is_known(0, 256));
}

TEST_P(AgentTest, LdsStartsUndefined) {
  const Seen seen = run("branch_on_lds", 1, kOut);
  ASSERT_FALSE(seen.decisions.empty());
  EXPECT_EQ(seen.decisions[0].origin_space, AddressSpace::kLds);
  EXPECT_EQ(seen.decisions[0].origin_offset_bytes, 4u);
}

TEST_P(AgentTest, BeyondLdsIsOutOfBounds) {
  const Seen seen = run("beyond_lds", 1, kOut, 2);
  ASSERT_EQ(seen.faults.size(), 2u);
  EXPECT_EQ(seen.faults[0].space, AddressSpace::kLds);
  EXPECT_EQ(seen.faults[0].lane, 62u);
  EXPECT_EQ(seen.faults[0].offset_bytes, 256);
  EXPECT_EQ(seen.faults[0].allocation_bytes, 256u);
}

TEST_P(AgentTest, WhatIsSpilledToScratchKeepsItsState) {
  make_known(ByteState::kUnknown);
  const Seen seen = run("index_through_scratch", 1, kOut, kIn);
  ASSERT_EQ(seen.stop_cause, "");
  ASSERT_EQ(seen.decisions.size(), 1u);
  EXPECT_EQ(seen.decisions[0].decision, Decision::kAddress);
  EXPECT_FALSE(seen.decisions[0].undefined);
  make_known();
  EXPECT_TRUE(run("index_through_scratch", 1, kOut, kIn).decisions.empty());
}

TEST_P(AgentTest, ScratchStartsUndefined) {
  const Seen seen = run("branch_on_scratch", 1, kOut, 2);
  ASSERT_EQ(seen.stop_cause, "");
  ASSERT_FALSE(seen.decisions.empty());
  EXPECT_TRUE(seen.decisions[0].undefined);
  EXPECT_EQ(seen.decisions[0].origin_space, AddressSpace::kScratch);
}

TEST_P(AgentTest, BeyondScratchIsOutOfBounds) {
  const Seen seen = run("beyond_scratch", 1, kOut, 1 << 12);
  ASSERT_EQ(seen.stop_cause, "");
  ASSERT_EQ(seen.faults.size(), kCount);
  EXPECT_EQ(seen.faults[0].space, AddressSpace::kScratch);
  EXPECT_EQ(seen.faults[0].access, AccessKind::kStore);
}

TEST_P(AgentTest, WorkgroupsThatWaitForLaterOnesMakeProgress) {
  const Seen seen = run("wait_for_last", 5, kOut, 5);
  EXPECT_EQ(seen.stop_cause, "");
  EXPECT_EQ(out_[1], 1);
}

/// What has run, but for instructions that do not depend on the kernel.
std::set<std::string> memory_instructions(const Agent& agent) {
  std::set<std::string> found;
  for (const RanInstruction& instruction : agent.instructions_run()) {
    if (instruction.mnemonic.starts_with("global_")) found.insert(instruction.mnemonic);
  }
  return found;
}

TEST_P(AgentTest, TellsOfInfinitiesThatAreStored) {
  agent_.memory().note_write(kIn, sizeof in_, ByteState::kKnown, 1);
  dispatch_.checks_numbers = true;
  std::fill(std::begin(in_), std::end(in_), 1);
  in_[5] = 0;
  const Seen seen = run("store_inverse", 1, kOut, kIn);
  EXPECT_EQ(seen.nonfinite, (std::vector<std::uint64_t>{20}));
}

TEST_P(AgentTest, TellsOfNoInfinityThatIsNotKnown) {
  std::fill(std::begin(in_), std::end(in_), 0);
  dispatch_.checks_numbers = true;
  for (const ByteState state : {ByteState::kUndefined, ByteState::kUnknown}) {
    agent_.memory().note_write(kIn, sizeof in_, state, 1);
    const Seen seen = run("store_inverse", 1, kOut, kIn);
    EXPECT_TRUE(seen.nonfinite.empty());
    EXPECT_EQ(out_[0], 0x7F80'0000);
  }
}

TEST_P(AgentTest, KnowsWhichInstructionsHaveRun) {
  EXPECT_TRUE(agent_.instructions_run().empty());
  run("store_ids", 1, kOut, 0);
  EXPECT_EQ(memory_instructions(agent_), std::set<std::string>{"global_store_dword"});
  run("copy", 2, kOut, kIn);
  agent_.unload(code_);
  EXPECT_EQ(memory_instructions(agent_),
            (std::set<std::string>{"global_load_dword", "global_store_dword"}));
  EXPECT_EQ(agent_.instructions_run().front().architecture, GetParam());
  EXPECT_EQ(agent_.instructions_run().front().basis, Basis::kExact);
}

TEST_P(AgentTest, KnowsWhatMatrixInstructionsRestOn) {
  run("branch_on_product", 1, kOut, kIn);
  const std::vector<RanInstruction> ran = agent_.instructions_run();
  const auto product = std::find_if(ran.begin(), ran.end(), [](const RanInstruction& each) {
    return each.mnemonic.starts_with("v_mfma_f32_16x16x4");
  });
  ASSERT_NE(product, ran.end());
  EXPECT_NE(product->basis, Basis::kExact);
}

INSTANTIATE_TEST_SUITE_P(Architectures, AgentTest, testing::Values("gfx950", "gfx942"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace compass
