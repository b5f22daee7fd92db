// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "driverless/backend.h"

namespace compass {
namespace {

constexpr AllocationId kOut{1}, kIn{2}, kHost{3};
constexpr std::uint64_t kBytes = 256;

struct Seen : Observer {
  std::vector<TaintedDecision> decisions;
  std::vector<std::string> stopped;
  void on_tainted_decision(const TaintedDecision& decision) override {
    decisions.push_back(decision);
  }
  void on_stopped(std::uint64_t, const std::string& cause) override { stopped.push_back(cause); }
};

/// Kernels of memory_faults.cl over `out` and `in`, on the device, and `host`, pinned.
class BackendLaunchTest : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(concat(std::getenv("COMPASS_MEMORY_FAULTS"), "gfx950.co"), std::ios::binary);
    const std::string elf(std::istreambuf_iterator<char>(file), {});
    ASSERT_TRUE(backend.load({CodeObjectId{1}, "", "gfx950", elf.size()}, as_byte_view(elf),
                             {{kernel(1, "index_by"), kernel(2, "copy")}}));
    for (const AllocationId id : {kOut, kIn, kHost}) {
      const auto kind = id == kHost ? AllocationKind::kPinnedHost : AllocationKind::kDevice;
      ASSERT_TRUE(backend.allocate({id, {0x10000 * id.value}, kBytes, kind, 1, {}}));
    }
  }
  static Kernel kernel(std::uint32_t id, const std::string& name) {
    Kernel kernel;
    kernel.id = KernelId{id};
    kernel.code_object = CodeObjectId{1};
    kernel.name = kernel.canonical = name;
    return kernel;
  }
  /// Runs out[in[id] & 63] = 1; what was decided by values that are not known.
  std::vector<TaintedDecision> index_by(AllocationId out, AllocationId in) {
    return launch(1, out, in);
  }
  std::vector<TaintedDecision> copy_by_kernel(AllocationId out, AllocationId in) {
    return launch(2, out, in);
  }
  std::vector<TaintedDecision> launch(std::uint32_t kernel, AllocationId out, AllocationId in) {
    Launch launch{LaunchId{1}, KernelId{kernel}, {1, 1, 1}, {64, 1, 1}, 0, {}};
    launch.arguments.push_back({0, 8, true, {out, 0}, {}});
    launch.arguments.push_back({8, 8, true, {in, 0}, {}});
    begin();
    EXPECT_TRUE(backend.dispatch({}, launch, record));
    EXPECT_TRUE(seen.stopped.empty()) << seen.stopped[0];
    return std::exchange(seen.decisions, {});
  }
  void begin() { backend.begin_record(++record); }
  void forget(AllocationId id) {
    begin();
    ASSERT_TRUE(backend.forget({}, {id, 0}, kBytes));
  }
  void fill(AllocationId id) {
    begin();
    ASSERT_TRUE(backend.fill({}, {id, 0}, 0, 1, kBytes));
  }
  void copy(AllocationId to, AllocationId from) {
    begin();
    ASSERT_TRUE(backend.copy({}, {to, 0}, {from, 0}, kBytes));
  }

  Seen seen;
  std::uint64_t record = 0;
  DriverlessBackend backend{*arch::find("gfx950"), std::getenv("COMPASS_DECODER"), seen};
};

TEST_F(BackendLaunchTest, SaysWhatMadeAnUnknownValueThatDecides) {
  forget(kIn);
  const auto decisions = index_by(kOut, kIn);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_FALSE(decisions[0].undefined);
  EXPECT_EQ(decisions[0].origin_allocation, kIn);
  EXPECT_EQ(decisions[0].origin_writer, 1u);
  EXPECT_EQ(decisions[0].cause, (UnknownCause{UnknownCause::Kind::kContentNotKept, 1}));
}

TEST_F(BackendLaunchTest, ALaunchThatOnlyMovesUnknownBytesPasses) {
  forget(kIn);
  EXPECT_TRUE(copy_by_kernel(kOut, kIn).empty());
  const auto decisions = index_by(kIn, kOut);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].origin_writer, 2u);
  EXPECT_EQ(decisions[0].cause, (UnknownCause{UnknownCause::Kind::kContentNotKept, 1}));
}

TEST_F(BackendLaunchTest, ACopyBringsTheCauseAlong) {
  forget(kIn);
  copy(kOut, kIn);
  const auto decisions = index_by(kIn, kOut);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].origin_writer, 2u);
  EXPECT_EQ(decisions[0].cause, (UnknownCause{UnknownCause::Kind::kContentNotKept, 1}));
}

TEST_F(BackendLaunchTest, WhatAnUncheckedLaunchReachesIsUnknown) {
  fill(kOut);
  forget(kIn);
  EXPECT_EQ(index_by(kOut, kIn).size(), 1u);  // in record 3
  const auto decisions = index_by(kIn, kOut);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].origin_writer, 3u);
  EXPECT_EQ(decisions[0].cause, (UnknownCause{UnknownCause::Kind::kUncheckedLaunch, 3}));
}

TEST_F(BackendLaunchTest, KnownBytesDecideWhatTheyLike) {
  forget(kIn);
  fill(kIn);
  EXPECT_TRUE(index_by(kOut, kIn).empty());
}

TEST_F(BackendLaunchTest, PinnedMemoryIsUnknownUntilSomethingRecordedWritesIt) {
  const auto decisions = index_by(kOut, kHost);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].cause, (UnknownCause{UnknownCause::Kind::kPinnedHost, 0}));
  fill(kIn);
  EXPECT_TRUE(copy_by_kernel(kHost, kIn).empty());
  EXPECT_TRUE(index_by(kOut, kHost).empty());
}

TEST_F(BackendLaunchTest, UndefinedIsNotUnknown) {
  const auto decisions = index_by(kOut, kIn);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_TRUE(decisions[0].undefined);
  EXPECT_EQ(decisions[0].origin_writer, 0u);
  fill(kIn);
  EXPECT_TRUE(index_by(kOut, kIn).empty()) << "the launch before was none that spreads";
}

}  // namespace
}  // namespace compass
