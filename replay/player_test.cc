// SPDX-License-Identifier: MIT
#include "replay/player.h"

#include <gtest/gtest.h>

#include <vector>

namespace compass::replay {
namespace {

std::string text(MemoryRef place) {
  return concat(place.allocation.value, "+", place.offset_bytes);
}

/// Writes down every call.
class LoggingBackend : public Backend {
 public:
  Result<void> allocate(const Allocation& a) override { return log("allocate ", a.id.value); }
  Result<void> free(AllocationId a) override { return log("free ", a.value); }
  Result<void> load(const CodeObject& c, ByteView elf, std::span<const Kernel> kernels) override {
    return log("load ", c.id.value, " ", as_text(elf), " kernels ", kernels.size());
  }
  Result<void> unload(CodeObjectId c) override { return log("unload ", c.value); }
  Result<void> write(StreamId s, MemoryRef to, ByteView bytes) override {
    return log("write s", s.value, " ", text(to), " ", as_text(bytes));
  }
  Result<void> forget(StreamId s, MemoryRef to, std::uint64_t size) override {
    return log("forget s", s.value, " ", text(to), " ", size);
  }
  Result<void> copy(StreamId s, MemoryRef to, MemoryRef from, std::uint64_t size) override {
    return log("copy s", s.value, " ", text(to), " ", text(from), " ", size);
  }
  Result<void> fill(StreamId s, MemoryRef to, std::uint64_t value, std::uint32_t value_bytes,
                    std::uint64_t size) override {
    return log("fill s", s.value, " ", text(to), " ", value, " ", value_bytes, " ", size);
  }
  Result<Bytes> read(StreamId s, MemoryRef from, std::uint64_t size) override {
    const auto logged = log("read s", s.value, " ", text(from), " ", size);
    return Bytes(size);
  }
  /// Only the second row of the tests' copies has an unknown byte.
  Result<Bytes> unknown(MemoryRef from, std::uint64_t size) override {
    if (from.offset_bytes != unknown_offset) return Bytes();
    Bytes bytes(size);
    bytes.back() = std::byte{1};
    return bytes;
  }
  std::uint64_t unknown_offset = ~std::uint64_t{0};
  Result<void> dispatch(StreamId s, const Launch& launch, std::uint64_t record) override {
    const std::string at =
        launch.arguments.empty() ? "" : concat(" at ", text(launch.arguments[0].memory));
    return log("dispatch s", s.value, " ", launch.id.value, " record ", record, at);
  }
  Result<void> record_event(StreamId s, EventId e) override {
    return log("record s", s.value, " e", e.value);
  }
  Result<void> wait_event(StreamId s, EventId e) override {
    return log("wait s", s.value, " e", e.value);
  }
  Result<void> synchronize() override { return log("synchronize"); }
  Result<void> synchronize_stream(StreamId s) override { return log("synchronize s", s.value); }
  Result<void> synchronize_event(EventId e) override { return log("synchronize e", e.value); }

  std::vector<std::string> calls;
  std::string refused;  ///< the call that fails

 private:
  template <class... Parts>
  Result<void> log(const Parts&... parts) {
    calls.push_back(concat(parts...));
    if (calls.back() == refused) return Error{ErrorCode::kSystem, "no memory"};
    return {};
  }
};

class PlayerTest : public testing::Test, public PlayObserver {
 protected:
  PlayerTest() {
    for (std::uint32_t id = 1; id <= 3; ++id) {
      recording.allocations.push_back(
          {AllocationId{id}, {std::uint64_t{id} * 0x1000}, 64, {}, 1, {}});
    }
    recording.allocations[2].kind = AllocationKind::kPinnedHost;
  }

  void add(RecordBody body, std::uint32_t stream = 1) {
    recording.records.push_back({recording.records.size() + 1, ThreadId{1}, StreamId{stream},
                                 StepId{}, "eager", std::move(body)});
  }
  void add_copy(CopyDirection direction, MemoryRef destination, MemoryRef source,
                std::string content, HostWait wait = HostWait::kAsync) {
    add(Copy{direction, wait, destination, source, 4, std::move(content)});
  }
  Result<void> play() {
    const auto contents = [](const std::string& sha256) -> Result<Bytes> {
      if (sha256 == "lost") return Error{ErrorCode::kNotFound, "no content lost"};
      const ByteView bytes = as_byte_view(sha256);
      return Bytes(bytes.begin(), bytes.end());
    };
    Player player(recording, contents, backend);
    return player.play(*this);
  }
  std::vector<std::string> calls() {
    EXPECT_TRUE(play());
    return backend.calls;
  }
  void add_node(RecordBody body) {
    add(std::move(body), 0);
    recording.records.back().captured = true;
  }
  void on_node(const Record& record, const Record& node) override {
    nodes.push_back(concat(record.sequence, ":", node.sequence));
  }
  void on_record(const Record& record) override { seen.push_back(record.sequence); }
  void on_failed(const Record& record) override { failed.push_back(record.sequence); }
  bool wants_reads() const override { return true; }
  void on_read(const Record&, ByteView bytes) override { bytes_read += bytes.size(); }

  bool wants_results() const override { return true; }
  void on_result(const Record& record, const PlayedResult& result) override {
    const auto& [recorded, played, unknown] = result;
    results.push_back(
        concat(record.sequence, ": ", as_text(recorded), ", ", played.size(), " bytes"));
    for (std::size_t at = 0; at < unknown.size(); ++at) {
      if (unknown[at] != std::byte{0}) results.back() += concat(", unknown ", at);
    }
  }

  using Calls = std::vector<std::string>;
  static constexpr MemoryRef kDeviceA{AllocationId{1}, 8};
  static constexpr MemoryRef kDeviceB{AllocationId{2}, 0};
  static constexpr MemoryRef kPinned{AllocationId{3}, 16};
  static constexpr MemoryRef kPageable{AllocationId{}, 0x7fff};
  Recording recording;
  LoggingBackend backend;
  std::vector<std::uint64_t> seen;
  std::vector<std::uint64_t> failed;
  std::vector<std::string> nodes;
  std::vector<std::string> results;
  std::uint64_t bytes_read = 0;
};

TEST_F(PlayerTest, LaunchesOfGraphsPlayTheirNodesAsTheyAreThen) {
  recording.kernels.resize(1);
  recording.launches.push_back({LaunchId{1}, KernelId{1}, {}, {}, 0, {}});
  add(Allocate{AllocationId{1}});
  add_node(LaunchKernel{LaunchId{1}});
  add_node(Fill{kDeviceA, 7, 4, 32, HostWait::kAsync});
  add_node(ChildNode{{{2, {}}, {3, {0}}}});
  add(InstantiateGraph{{1}, {1}, {{3, {}}, {4, {0}}}});
  add(LaunchGraph{{1}}, 2);
  add(EnableNode{{1}, 1, false});
  add(LaunchGraph{{1}}, 3);
  add(SetNode{{1}, 0, 2});
  add(UpdateExecutable{{1}, {{2, {}}, {2, {0}}}});
  add(LaunchGraph{{1}}, 3);
  EXPECT_EQ(calls(),
            (Calls{"allocate 1", "fill s2 1+8 7 4 32", "dispatch s2 1 record 6",
                   "fill s2 1+8 7 4 32", "fill s3 1+8 7 4 32", "dispatch s3 1 record 11"}));
  EXPECT_EQ(nodes, (Calls{"6:3", "6:2", "6:3", "8:3", "11:2"}));
}

TEST_F(PlayerTest, WhatANodeCopiesFromTheHostIsUnknown) {
  add(Allocate{AllocationId{1}});
  add(Allocate{AllocationId{3}});
  add_node(Copy{CopyDirection::kHostToDevice, HostWait::kAsync, kDeviceA, kPageable, 4, "abcd"});
  add_node(Copy{CopyDirection::kHostToDevice, HostWait::kAsync, kDeviceA, kPinned, 4, "abcd"});
  add(InstantiateGraph{{1}, {}, {{3, {}}, {4, {}}}});
  add(LaunchGraph{{1}}, 2);
  EXPECT_EQ(calls(), (Calls{"allocate 1", "allocate 3", "forget s2 1+8 4", "forget s2 3+16 4",
                            "copy s2 1+8 3+16 4"}));
}

TEST_F(PlayerTest, WhatANodeCopiesFromTheHostIsWhatWasThereAtItsLaunch) {
  add(Allocate{AllocationId{1}});
  add_node(Copy{CopyDirection::kHostToDevice, HostWait::kAsync, kDeviceA, kPageable, 4, {}});
  add(InstantiateGraph{{1}, {}, {{2, {}}}});
  add(LaunchGraph{{1}, {{2, "abcd", {}}}}, 2);
  add(LaunchGraph{{1}, {{2, "efgh", {}}}}, 2);
  EXPECT_EQ(calls(), (Calls{"allocate 1", "write s2 1+8 abcd", "write s2 1+8 efgh"}));
}

TEST_F(PlayerTest, OfASourceThatChangedTheBytesThatDifferAreUnknown) {
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPageable, "abcd");
  Copy& copy = std::get<Copy>(recording.records.back().body);
  copy.completed.source = "aBCd";
  EXPECT_EQ(calls(), (Calls{"write s1 1+8 abcd", "forget s1 1+9 2"}));
  backend.calls.clear();
  copy.completed.copied = CopiedBytes::kEnqueued;
  EXPECT_EQ(calls(), Calls{"write s1 1+8 abcd"});
  backend.calls.clear();
  copy.completed.copied = CopiedBytes::kCompleted;
  EXPECT_EQ(calls(), Calls{"write s1 1+8 aBCd"});
}

TEST_F(PlayerTest, WhatTheHostWroteIsThere) {
  add(Allocate{AllocationId{3}});
  add(HostWrite{kPinned, 4, "abcd"});
  add(HostWrite{kPinned, 4, {}});
  add(Free{AllocationId{3}});
  add(HostWrite{kPinned, 4, "abcd"});
  EXPECT_EQ(calls(), (Calls{"allocate 3", "write s0 3+16 abcd", "forget s0 3+16 4", "free 3"}));
}

TEST_F(PlayerTest, ResultsAreComparedWithThoseOfTheRecording) {
  add(Allocate{AllocationId{3}});
  for (const MemoryRef& to : {kPageable, kPinned}) {
    add_copy(CopyDirection::kDeviceToHost, to, kDeviceA, {});
    std::get<Copy>(recording.records.back().body).completed.result = "abcd";
  }
  add_copy(CopyDirection::kDeviceToHost, kPageable, kDeviceA, {});  // its result was not kept
  EXPECT_EQ(calls(), (Calls{"allocate 3", "read s1 1+8 4", "copy s1 3+16 1+8 4", "read s1 3+16 4",
                            "read s1 1+8 4"}));
  EXPECT_EQ(results, (Calls{"2: abcd, 4 bytes", "3: abcd, 4 bytes"}));
}

TEST_F(PlayerTest, UnknownBytesOfAResultAreThoseOfItsRow) {
  add(Copy{CopyDirection::kDeviceToHost,
           HostWait::kAsync,
           kPageable,
           kDeviceB,
           4,
           "",
           RowCounts{2, 1},
           {},
           {16, 0}});
  std::get<Copy>(recording.records.back().body).completed.result = "abcd";
  backend.unknown_offset = kDeviceB.offset_bytes + 16;
  EXPECT_TRUE(play());
  EXPECT_EQ(results, Calls{"1: abcd, 4 bytes, unknown 3"});
}

TEST_F(PlayerTest, MemoryOfGraphsIsThereFromALaunchToItsFree) {
  add_node(Allocate{AllocationId{1}});
  add_node(Free{AllocationId{1}});
  add(InstantiateGraph{{1}, {}, {{1, {}}, {2, {0}}}});
  add(Fill{{AllocationId{2}, 0}, 7, 4, 32, HostWait::kAsync});
  add(LaunchGraph{{1}}, 2);
  add(LaunchGraph{{1}}, 2);
  EXPECT_EQ(calls(), (Calls{"fill s1 2+0 7 4 32", "allocate 1", "free 1", "allocate 1", "free 1"}));
}

TEST_F(PlayerTest, MemoryOfGraphsMayBeTheProgramsToFree) {
  add_node(Allocate{AllocationId{1}});
  add(InstantiateGraph{{1}, {}, {{1, {}}}});
  add(LaunchGraph{{1}}, 2);
  add(Free{AllocationId{1}});
  add(LaunchGraph{{1}}, 2);
  EXPECT_EQ(calls(), (Calls{"allocate 1", "free 1", "allocate 1"}));
}

TEST_F(PlayerTest, MemoryOfAGraphThatIsNeverLaunchedNeverIs) {
  add_node(Allocate{AllocationId{1}});
  add(Fill{{AllocationId{1}, 0}, 7, 4, 32, HostWait::kAsync});
  recording.records.back().status = 1;
  add(Free{AllocationId{1}});
  EXPECT_EQ(calls(), Calls{});
}

TEST_F(PlayerTest, BlocksAreTheirSegmentsToABackend) {
  recording.kernels.resize(1);
  recording.allocations.push_back({AllocationId{4}, {0x1010}, 32, {}, 1, {}, {}, {}, {1}});
  recording.allocations.push_back({AllocationId{5}, {0x1018}, 16, {}, 1, {}, {}, {}, {4}});
  recording.launches.push_back(
      {LaunchId{1}, KernelId{1}, {}, {}, 0, {{0, 8, true, {AllocationId{5}, 2}, {}}}});
  const MemoryRef block{AllocationId{4}, 4};
  add(Allocate{AllocationId{1}});
  add(AllocateBlock{AllocationId{4}});
  add(AllocateBlock{AllocationId{5}});
  add_copy(CopyDirection::kHostToDevice, block, kPageable, "abcd");
  add_copy(CopyDirection::kDeviceToDevice, {AllocationId{5}, 0}, block, "");
  add_copy(CopyDirection::kDeviceToHost, kPageable, block, "");
  add(Fill{block, 7, 4, 8, HostWait::kAsync});
  add(Fill{block, 7, 4, 8, HostWait::kAsync});
  recording.records.back().status = 1;
  add(LaunchKernel{LaunchId{1}});
  add(LaunchKernel{LaunchId{1}});
  add(FreeBlock{AllocationId{4}});
  EXPECT_EQ(calls(), (Calls{"allocate 1", "write s1 1+20 abcd", "copy s1 1+24 1+20 4",
                            "read s1 1+20 4", "fill s1 1+20 7 4 8", "forget s1 1+20 8",
                            "dispatch s1 1 record 9 at 1+26", "dispatch s1 1 record 10 at 1+26"}));
}

TEST_F(PlayerTest, KeepsTheOrderOfTheRecords) {
  recording.code_objects.push_back({CodeObjectId{1}, "elf1", "gfx950", 4});
  recording.kernels.resize(2);
  recording.kernels[1].code_object = CodeObjectId{1};
  recording.launches.push_back({LaunchId{1}, KernelId{2}, {}, {}, 0, {}});
  add(LoadCodeObject{CodeObjectId{1}});
  add(Allocate{AllocationId{1}});
  add(BeginStep{});
  add(CreateStream{});
  add(Fill{kDeviceA, 7, 4, 32, HostWait::kAsync}, 2);
  add(LaunchKernel{LaunchId{1}}, 2);
  add(EndStep{});
  add(Free{AllocationId{1}});
  add(UnloadCodeObject{CodeObjectId{1}});
  EXPECT_EQ(calls(), (Calls{"load 1 elf1 kernels 1", "allocate 1", "fill s2 1+8 7 4 32",
                            "dispatch s2 1 record 6", "free 1", "unload 1"}));
  EXPECT_EQ(seen.size(), 9u);
}

TEST_F(PlayerTest, WaitsOnlyWhereTheHostWaited) {
  add(RecordEvent{EventId{5}});
  add(WaitEvent{EventId{5}}, 2);
  add(Synchronize{SyncScope::kDevice, {}});
  add(Synchronize{SyncScope::kStream, {}}, 2);
  add(Synchronize{SyncScope::kEvent, EventId{5}});
  EXPECT_EQ(calls(), (Calls{"record s1 e5", "wait s2 e5", "synchronize", "synchronize s2",
                            "synchronize e5"}));
}

TEST_F(PlayerTest, WaitsForBlockingTransfers) {
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPageable, "abcd", HostWait::kBlocking);
  add_copy(CopyDirection::kDeviceToDevice, kDeviceA, kDeviceB, "", HostWait::kBlocking);
  add(Fill{kDeviceA, 0, 1, 8, HostWait::kBlocking});
  EXPECT_EQ(calls(), (Calls{"write s1 1+8 abcd", "synchronize s1", "copy s1 1+8 2+0 4",
                            "synchronize s1", "fill s1 1+8 0 1 8", "synchronize s1"}));
}

TEST_F(PlayerTest, ForgetsWhatWasNotKept) {
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPageable, "");
  EXPECT_EQ(calls(), (Calls{"forget s1 1+8 4"}));
}

TEST_F(PlayerTest, FillsPinnedSourcesBeforeTheCopy) {
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPinned, "abcd");
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPinned, "");
  EXPECT_EQ(calls(), (Calls{"write s1 3+16 abcd", "copy s1 1+8 3+16 4", "forget s1 3+16 4",
                            "copy s1 1+8 3+16 4"}));
}

TEST_F(PlayerTest, LeavesFaultySourcesToTheBackend) {
  add_copy(CopyDirection::kHostToDevice, kDeviceA, {AllocationId{3}, 62}, "abcd");
  add(Free{AllocationId{3}});
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPinned, "abcd");
  EXPECT_EQ(calls(), (Calls{"copy s1 1+8 3+62 4", "free 3", "copy s1 1+8 3+16 4"}));
}

TEST_F(PlayerTest, ReadsBackForThePageableHost) {
  add_copy(CopyDirection::kDeviceToHost, kPageable, kDeviceB, "");
  add_copy(CopyDirection::kDeviceToHost, kPinned, kDeviceB, "");
  EXPECT_EQ(calls(), (Calls{"read s1 2+0 4", "copy s1 3+16 2+0 4"}));
  EXPECT_EQ(bytes_read, 4u);
}

TEST_F(PlayerTest, GivesNoBytesToWhoWantsNone) {
  add_copy(CopyDirection::kDeviceToHost, kPageable, kDeviceA, {});
  PlayObserver indifferent;
  Player player(recording, {}, backend);
  ASSERT_TRUE(player.play(indifferent));
  EXPECT_EQ(backend.calls.size(), 1u);
  EXPECT_EQ(bytes_read, 0u);
}

TEST_F(PlayerTest, SkipsCopiesWithinTheHost) {
  add_copy(CopyDirection::kHostToHost, kPageable, kPageable, "abcd");
  add_copy(CopyDirection::kHostToHost, kPageable, kPinned, "abcd");
  EXPECT_EQ(calls(), Calls{});
}

TEST_F(PlayerTest, PassesCopiesToNowhereOn) {
  add_copy(CopyDirection::kHostToDevice, kPageable, kPageable, "abcd");
  EXPECT_EQ(calls(), (Calls{"write s1 0+32767 abcd"}));
}

TEST_F(PlayerTest, PlaysNothingThatHadFailed) {
  recording.launches.push_back({LaunchId{1}, KernelId{1}, {}, {}, 0, {}});
  add(LaunchKernel{LaunchId{1}});
  add(Free{AllocationId{1}});
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPageable, "");
  add_copy(CopyDirection::kHostToDevice, {AllocationId{2}, 62}, kPageable, "");
  add_copy(CopyDirection::kDeviceToHost, kPageable, kDeviceB, "");
  add(Fill{kDeviceB, 0, 1, 8, HostWait::kBlocking});
  for (Record& record : recording.records) record.status = 9;
  EXPECT_EQ(calls(), (Calls{"forget s1 1+8 4", "forget s1 2+0 8"}));
  EXPECT_EQ(failed, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(bytes_read, 0u);
}

TEST_F(PlayerTest, PlaysCopiesAndFillsRowByRow) {
  const RowCounts two_rows{2, 1};
  add(Copy{CopyDirection::kHostToDevice,
           HostWait::kBlocking,
           kDeviceA,
           kPageable,
           4,
           "abcd",
           two_rows,
           {16, 0},
           {8, 0}});
  add(Copy{CopyDirection::kHostToDevice,
           HostWait::kAsync,
           kDeviceA,
           kPinned,
           4,
           "abcd",
           two_rows,
           {16, 0},
           {8, 0}});
  add(Copy{CopyDirection::kDeviceToHost,
           HostWait::kAsync,
           kPageable,
           kDeviceB,
           4,
           "",
           RowCounts{1, 2},
           {},
           {16, 32}});
  add(Fill{kDeviceB, 7, 1, 8, HostWait::kAsync, RowCounts{2, 2}, {16, 32}});
  EXPECT_EQ(calls(),
            (Calls{"write s1 1+8 ab", "write s1 1+24 cd", "synchronize s1", "write s1 3+16 ab",
                   "copy s1 1+8 3+16 2", "write s1 3+24 cd", "copy s1 1+24 3+24 2", "read s1 2+0 2",
                   "read s1 2+32 2", "fill s1 2+0 7 1 2", "fill s1 2+16 7 1 2",
                   "fill s1 2+32 7 1 2", "fill s1 2+48 7 1 2"}));
  EXPECT_EQ(bytes_read, 4u);
}

TEST_F(PlayerTest, ForgetsTheLiveRowsOfWhatHadFailed) {
  add(Fill{kDeviceB, 7, 1, 6, HostWait::kAsync, RowCounts{3, 1}, {32, 0}});
  recording.records[0].status = 1;
  EXPECT_EQ(calls(), (Calls{"forget s1 2+0 2", "forget s1 2+32 2"}));
}

TEST_F(PlayerTest, NamesTheRecordThatFailed) {
  add(Allocate{AllocationId{1}});
  add(Allocate{AllocationId{2}});
  backend.refused = "allocate 2";
  const auto result = play();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "record 2 (allocate): no memory");
}

TEST_F(PlayerTest, FailsWhereContentIsMissingOrOfAnotherSize) {
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPageable, "lost");
  auto result = play();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "record 1 (copy): no content lost");
  recording.records.clear();
  add_copy(CopyDirection::kHostToDevice, kDeviceA, kPageable, "abc");
  result = play();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "record 1 (copy): content abc holds 3 bytes, the copy has 4");
}

}  // namespace
}  // namespace compass::replay
