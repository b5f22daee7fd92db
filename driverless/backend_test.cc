// SPDX-License-Identifier: MIT
#include "driverless/backend.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

class Log : public Observer {
 public:
  void on_transfer_fault(const TransferFault& fault) override { faults.push_back(fault); }
  void on_stopped(std::uint64_t record, const std::string& cause) override {
    stopped.push_back(concat(record, ": ", cause));
  }
  std::vector<TransferFault> faults;
  std::vector<std::string> stopped;
};

constexpr AllocationId kA{1};
constexpr AllocationId kB{2};

class DriverlessBackendTest : public testing::Test {
 protected:
  Result<void> allocate(AllocationId id, std::uint64_t address, std::uint64_t size_bytes,
                        AllocationKind kind = AllocationKind::kDevice) {
    return backend.allocate({id, {address}, size_bytes, kind, 1, {}});
  }
  std::string contents(AllocationId id, std::uint64_t size_bytes) {
    return std::string(as_text(*backend.read({}, {id, 0}, size_bytes)));
  }
  Result<void> launch(AllocationId id) {
    Launch launch{LaunchId{1}, KernelId{1}, {1, 1, 1}, {64, 1, 1}, 0, {}};
    launch.arguments.push_back({0, 8, true, {id, 0}, {}});
    return backend.dispatch({}, launch, 9);
  }
  /// A code object that no agent can load.
  void load_nonsense() {
    Kernel kernel;
    kernel.id = KernelId{1};
    kernel.code_object = CodeObjectId{1};
    kernel.canonical = "axpy";
    kernel.arguments = {{"x", "global_buffer", ArgumentKind::kGlobalBuffer, 0, 8}};
    ASSERT_TRUE(backend.load({CodeObjectId{1}, "", "gfx950", 8}, as_byte_view("nonsense"),
                             std::span(&kernel, 1)));
  }

  Log log;
  DriverlessBackend backend{*arch::find("gfx950"), "no-decoder", log};
};

TEST_F(DriverlessBackendTest, FillsWithValuesOfEightBytes) {
  ASSERT_TRUE(allocate(kA, 0x1000, 16));
  ASSERT_TRUE(backend.fill({}, {kA, 0}, 0x6867'6665'6463'6261, 8, 16));
  EXPECT_EQ(contents(kA, 16), "abcdefghabcdefgh");
}

TEST_F(DriverlessBackendTest, JudgesTheMemoryThatAStreamWaitsFor) {
  ASSERT_TRUE(allocate(kA, 0x1000, 16));
  ASSERT_TRUE(backend.wait_value({}, {.place = {kA, 8}, .value_bytes = 8}));
  EXPECT_TRUE(log.faults.empty());
  ASSERT_TRUE(backend.wait_value({}, {.place = {kA, 12}, .value_bytes = 8}));
  EXPECT_EQ(log.faults.size(), 1u);
}

TEST_F(DriverlessBackendTest, KeepsVariablesOfCodeThatCannotBeLoaded) {
  load_nonsense();
  for (const AllocationId id : {kA, kB}) {
    ASSERT_TRUE(backend.allocate(
        {id, {0x1000}, 8, AllocationKind::kGlobal, 1, {}, CodeObjectId{1}, "table"}));
  }
  ASSERT_TRUE(backend.fill({}, {kA, 0}, 'a', 1, 8));
  ASSERT_TRUE(backend.fill({}, {kB, 0}, 'b', 1, 8));
  EXPECT_EQ(contents(kA, 8), "aaaaaaaa");
  EXPECT_TRUE(backend.free(kA));
  EXPECT_EQ(contents(kB, 8), "bbbbbbbb");
}

TEST_F(DriverlessBackendTest, WritesCopiesFillsAndReads) {
  ASSERT_TRUE(allocate(kA, 0x1000, 8));
  ASSERT_TRUE(allocate(kB, 0x2000, 8));
  ASSERT_TRUE(backend.write({}, {kA, 2}, as_byte_view("abcd")));
  ASSERT_TRUE(backend.copy({}, {kB, 0}, {kA, 2}, 4));
  ASSERT_TRUE(backend.fill({}, {kB, 4}, 0x6867, 2, 4));
  EXPECT_EQ(contents(kB, 8), "abcdghgh");
  EXPECT_TRUE(log.faults.empty());
}

TEST_F(DriverlessBackendTest, ZeroesLargeRangesToTheByte) {
  ASSERT_TRUE(allocate(kA, 0x10000, 40000));
  ASSERT_TRUE(backend.fill({}, {kA, 0}, 'x', 1, 40000));
  ASSERT_TRUE(backend.fill({}, {kA, 5}, 0, 1, 39000));
  const std::string bytes = contents(kA, 40000);
  EXPECT_EQ(bytes.substr(0, 5), "xxxxx");
  EXPECT_EQ(bytes.substr(5, 39000), std::string(39000, '\0'));
  EXPECT_EQ(bytes.substr(39005), std::string(995, 'x'));
}

TEST_F(DriverlessBackendTest, HoldsAllocationsLargerThanTheHost) {
  ASSERT_TRUE(allocate(kA, 0x7000'0000'0000, std::uint64_t{250} << 30));
  ASSERT_TRUE(backend.fill({}, {kA, 0}, 0, 1, std::uint64_t{250} << 30));
  ASSERT_TRUE(backend.write({}, {kA, std::uint64_t{249} << 30}, as_byte_view("far")));
  EXPECT_EQ(as_text(*backend.read({}, {kA, std::uint64_t{249} << 30}, 3)), "far");
}

TEST_F(DriverlessBackendTest, FillsAndCopiesWhatIsLargerThanTheHost) {
  constexpr std::uint64_t kBytes = (std::uint64_t{100} << 30) + 3;
  ASSERT_TRUE(allocate(kA, 0x5000'0000'0000, kBytes));
  ASSERT_TRUE(backend.fill({}, {kA, 1}, 0x64636261, 4, kBytes - 1));
  const auto at = [&](std::uint64_t offset) {
    return std::string(as_text(*backend.read({}, {kA, offset}, 4)));
  };
  EXPECT_EQ(at(1), "abcd");
  EXPECT_EQ(at(4096), "dabc");
  EXPECT_EQ(at((std::uint64_t{64} << 30) + 2), "bcda");
  EXPECT_EQ(at(kBytes - 4), "cdab");
  ASSERT_TRUE(backend.fill({}, {kA, 8}, 0, 1, kBytes - 16));
  EXPECT_EQ(at(std::uint64_t{64} << 30), std::string(4, '\0'));
  EXPECT_EQ(at(6), std::string("bc\0\0", 4));
  ASSERT_TRUE(backend.read_unused({}, {kA, 0}, kBytes));
  EXPECT_TRUE(log.faults.empty());
}

TEST_F(DriverlessBackendTest, CopiesWhatWasNeverWrittenAsItIs) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 30;
  ASSERT_TRUE(allocate(kA, 0x5000'0000'0000, kBytes));
  ASSERT_TRUE(allocate(kB, 0x7000'0000'0000, kBytes));
  ASSERT_TRUE(backend.write({}, {kA, kBytes - 4}, as_byte_view("last")));
  ASSERT_TRUE(backend.fill({}, {kB, 0}, 'x', 1, kBytes));
  ASSERT_TRUE(backend.copy({}, {kB, 0}, {kA, 0}, kBytes));
  EXPECT_EQ(as_text(*backend.read({}, {kB, kBytes - 5}, 5)), std::string_view("\0last", 5));
}

TEST_F(DriverlessBackendTest, HoldsNoMoreThanTheDevice) {
  constexpr std::uint64_t kHalf = std::uint64_t{144} << 30;
  ASSERT_TRUE(allocate(kA, 0x5000'0000'0000, kHalf));
  EXPECT_EQ(allocate(kB, 0x7000'0000'0000, kHalf + 1).error().message,
            "allocation 2 of 154618822657 bytes does not fit: of 309237645312 bytes of the device "
            "154618822656 are taken");
  ASSERT_TRUE(backend.free(kA));
  EXPECT_TRUE(allocate(kB, 0x7000'0000'0000, kHalf + 1));
}

TEST_F(DriverlessBackendTest, ClipsAndReportsTransfersPastTheEnd) {
  ASSERT_TRUE(allocate(kA, 0x1000, 4));
  backend.begin_record(7);
  ASSERT_TRUE(backend.write({}, {kA, 2}, as_byte_view("abcd")));
  ASSERT_EQ(log.faults.size(), 1u);
  EXPECT_EQ(log.faults[0].kind, FaultKind::kOutOfBounds);
  EXPECT_EQ(log.faults[0].access, AccessKind::kStore);
  EXPECT_EQ(log.faults[0].record, 7u);
  EXPECT_EQ(log.faults[0].size_bytes, 4u);
  EXPECT_EQ(log.faults[0].allocation_bytes, 4u);
  EXPECT_EQ(contents(kA, 4), std::string("\0\0ab", 4));
}

TEST_F(DriverlessBackendTest, ReportsTransfersWithFreedMemory) {
  ASSERT_TRUE(allocate(kA, 0x1000, 4));
  ASSERT_TRUE(backend.free(kA));
  EXPECT_TRUE(backend.read({}, {kA, 0}, 4)->empty());
  ASSERT_EQ(log.faults.size(), 1u);
  EXPECT_EQ(log.faults[0].kind, FaultKind::kUseAfterFree);
  EXPECT_EQ(log.faults[0].access, AccessKind::kLoad);
}

TEST_F(DriverlessBackendTest, ReportsTransfersToNowhere) {
  ASSERT_TRUE(backend.fill({}, {AllocationId{}, 0x1234}, 0, 1, 4));
  ASSERT_EQ(log.faults.size(), 1u);
  EXPECT_EQ(log.faults[0].kind, FaultKind::kOutOfBounds);
}

TEST_F(DriverlessBackendTest, RefusesAddressesThatTheAgentKeeps) {
  const auto result = allocate(kA, Agent::kReservedBase.value - 4, 8);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUnsupported);
  EXPECT_TRUE(allocate(kB, Agent::kReservedBase.value - 8, 8));
}

TEST_F(DriverlessBackendTest, RefusesRecordsThatContradictEachOther) {
  EXPECT_FALSE(backend.free(kA));
  EXPECT_FALSE(backend.write({}, {kA, 0}, as_byte_view("x")));
  ASSERT_TRUE(allocate(kA, 0x1000, 4));
  EXPECT_FALSE(allocate(kA, 0x2000, 4));
  EXPECT_FALSE(allocate(kB, 0x1002, 4));
  ASSERT_TRUE(backend.free(kA));
  EXPECT_FALSE(backend.free(kA));
  EXPECT_FALSE(launch(kA)) << "no code is loaded";
}

TEST_F(DriverlessBackendTest, StopsLaunchesWhoseCodeCannotBeLoaded) {
  load_nonsense();
  ASSERT_TRUE(allocate(kA, 0x1000, 4));
  ASSERT_TRUE(launch(kA));
  ASSERT_EQ(log.stopped.size(), 1u);
  EXPECT_EQ(log.stopped[0].rfind("9: axpy: its code object cannot be loaded: ", 0), 0u)
      << log.stopped[0];
}

}  // namespace
}  // namespace compass
