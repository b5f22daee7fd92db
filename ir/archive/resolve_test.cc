// SPDX-License-Identifier: MIT
#include "ir/archive/resolve_for_test.h"
#include "ir/archive/sha256.h"

namespace compass::archive {
namespace {

TEST_F(ResolveTest, TakesDeviceAndProgram) {
  add(journal::Start{7, 1, 0, "decoder"});
  add(journal::DeviceSeen{1, "gfx942", "other", false});
  add(journal::DeviceSeen{0, "gfx950:sramecc+:xnack-", "AMD Instinct MI355X", true});
  add(journal::End{});
  const Recording recording = resolved();
  EXPECT_EQ(recording.program, "decoder");
  EXPECT_EQ(recording.device.architecture, "gfx950");
  EXPECT_EQ(recording.device.name, "AMD Instinct MI355X");
  EXPECT_TRUE(recording.device.declared);
  EXPECT_TRUE(recording.complete);
}

TEST_F(ResolveTest, LoadsTheCodeThatIsLaunchedAndNoMore) {
  add_device();
  add_code();
  allocate(0x1000, 0x100);
  launch_scale(0x1010);
  launch_scale(0x1010);
  launch_scale(0x1020);
  add(journal::UnloadFatBinary{0xfb});
  EXPECT_EQ(kinds(), "allocate load_code_object launch launch launch unload_code_object");
  const Recording& recording = resolved_.recording;
  ASSERT_EQ(recording.kernels.size(), 1u);
  EXPECT_EQ(recording.kernels[0].name, "scale");
  ASSERT_EQ(recording.code_objects.size(), 1u);
  EXPECT_EQ(recording.code_objects[0].target, "gfx950");
  EXPECT_EQ(resolved_.contents.count(recording.code_objects[0].sha256), 1u);
  ASSERT_EQ(recording.launches.size(), 1u);
  const Launch& launch = recording.launches[0];
  EXPECT_EQ(launch.grid_workgroups, (std::array<std::uint32_t, 3>{3, 1, 1}));
  ASSERT_EQ(launch.arguments.size(), 3u);
  EXPECT_EQ(launch.arguments[0].memory, (MemoryRef{{1}, 0x10}));
  EXPECT_EQ(launch.arguments[1].bytes, Bytes{std::byte{2}});
  EXPECT_EQ(launch.arguments[2].size_bytes, 4u);
}

TEST_F(ResolveTest, TakesCodeOutOfACompressedBundle) {
  add_device();
  add(journal::FatBinary{0xfb,
                         read_test_input("COMPASS_FIXTURE_CORPUS", "/fat_binary/version3.ccob")});
  add(journal::Function{0xfb, 0x51, "add"});
  launch_scale(0);
  EXPECT_EQ(kinds(), "load_code_object launch");
  ASSERT_EQ(resolved_.contents.size(), 1u);
  const auto& [key, elf] = *resolved_.contents.begin();
  EXPECT_EQ(sha256(elf), key);
  EXPECT_EQ(resolved_.recording.code_objects[0].sha256, key);
}

TEST_F(ResolveTest, CountsLoadsOfTheSameCode) {
  add_device();
  add_code(0xfb);
  launch_scale(0);
  add_code(0xfc);
  launch_scale(0);
  add(journal::UnloadFatBinary{0xfb});
  launch_scale(0);
  add(journal::UnloadFatBinary{0xfc});
  EXPECT_EQ(kinds(), "load_code_object launch launch launch unload_code_object");
  EXPECT_EQ(resolved_.recording.code_objects.size(), 1u);
}

TEST_F(ResolveTest, SaysWhichLaunchesItLeftOut) {
  add(journal::DeviceSeen{0, "gfx942", "", false});
  add_code();
  launch_scale(0);
  add(journal::Launch{0x99, 0, {1, 1, 1}, {1, 1, 1}, 0, {}});
  add(journal::End{});
  const Recording recording = resolved();
  EXPECT_TRUE(recording.records.empty());
  EXPECT_FALSE(recording.complete);
  EXPECT_NE(recording.incomplete_cause.find("launches of scale were left out: "),
            std::string::npos);
  EXPECT_NE(recording.incomplete_cause.find("an unregistered function"), std::string::npos);
}

TEST_F(ResolveTest, NumbersStreamsAndEventsByCreation) {
  add(journal::CreateStream{0xaa, 1});
  add(journal::CreateEvent{0xe0, 2});
  add(journal::RecordEvent{0xe0, 0xaa});
  add(journal::WaitEvent{0, 0xe0});
  add(journal::DestroyStream{0xaa});
  add(journal::CreateStream{0xaa, 0});
  add(journal::Synchronize{journal::SyncScope::kStream, 0xaa});
  add(journal::Synchronize{journal::SyncScope::kEvent, 0xe0});
  const Recording recording = resolved();
  EXPECT_EQ(recording.records[2].stream, StreamId{1});
  EXPECT_EQ(recording.records[3].stream, StreamId{0});
  EXPECT_EQ(body<WaitEvent>(3).event, EventId{1});
  EXPECT_EQ(recording.records[6].stream, StreamId{2});
  EXPECT_EQ(body<Synchronize>(7).event, EventId{1});
}

TEST_F(ResolveTest, CreatesStreamsThatItDidNotSeeCreated) {
  add(journal::Fill{0, 0, 1, 0, 1, false});  // the legacy stream by its other name
  add(journal::Fill{0, 0, 1, 0, 2, false}, 1);
  add(journal::Fill{0, 0, 1, 0, 2, false}, 2);
  add(journal::Fill{0, 0, 1, 0, 2, false}, 1);
  EXPECT_EQ(kinds(), "fill create_stream fill create_stream fill fill");
  const Recording& recording = resolved_.recording;
  EXPECT_EQ(recording.records[0].stream, StreamId{0});
  EXPECT_EQ(recording.records[4].stream, StreamId{2});
  EXPECT_EQ(recording.records[5].stream, StreamId{1});
}

TEST_F(ResolveTest, FindsTheDirectionOfADefaultCopy) {
  allocate(0x1000, 0x100);
  allocate(0x2000, 0x100, journal::MemoryKind::kPinnedHost);
  const auto direction = [&](std::uint64_t to, std::uint64_t from, std::uint32_t kind) {
    add(journal::Copy{to, from, 4, kind, 0, true, false, {}});
    const Recording recording = resolved();
    return name_of(body<Copy>(recording.records.size() - 1).direction);
  };
  EXPECT_EQ(direction(0x1000, 0x2000, 4), "h2d");
  EXPECT_EQ(direction(0x1000, 0x7fff, 4), "h2d");
  EXPECT_EQ(direction(0x2000, 0x1000, 4), "d2h");
  EXPECT_EQ(direction(0x1010, 0x1000, 4), "d2d");
  EXPECT_EQ(direction(0x7ffe, 0x2000, 4), "h2h");
  EXPECT_EQ(direction(0x7ffe, 0x2000, 2), "d2h");
  EXPECT_EQ(direction(0x1010, 0x1000, 1024), "d2d");
}

TEST_F(ResolveTest, KeepsContentsOnce) {
  allocate(0x1000, 0x100);
  const Bytes ids(4, std::byte{9});
  add(journal::Copy{0x1000, 0x7000, 4, 1, 0, false, true, ids});
  add(journal::Copy{0x1000, 0x7000, 4, 1, 0, false, true, ids});
  add(journal::Copy{0x1000, 0x7000, 9, 1, 0, false, true, ids});  // not all of it
  EXPECT_EQ(body<Copy>(1).content, sha256(ids));
  EXPECT_EQ(body<Copy>(1).wait, HostWait::kAsync);
  EXPECT_EQ(body<Copy>(1).source, (MemoryRef{{}, 0x7000}));
  EXPECT_EQ(body<Copy>(2).content, sha256(ids));
  EXPECT_EQ(body<Copy>(3).content, "");
  EXPECT_EQ(resolved_.contents.size(), 1u);
}

TEST_F(ResolveTest, TellsUsesOfTheSameAddressApart) {
  allocate(0x1000, 0x100);
  add(journal::Free{0x1000});
  add(journal::Fill{0x1010, 0, 1, 4, 0, true});
  allocate(0x1000, 0x80);
  add(journal::Fill{0x1010, 0, 1, 4, 0, true});
  EXPECT_EQ(body<Fill>(2).destination, (MemoryRef{{1}, 0x10}));
  EXPECT_EQ(body<Fill>(4).destination, (MemoryRef{{2}, 0x10}));
  EXPECT_EQ(resolved_.recording.allocations[1].generation, 2u);
}

TEST_F(ResolveTest, FreesWhatANewAllocationOverlaps) {
  allocate(0x1000, 0x100);
  allocate(0x1080, 0x100);
  add(journal::Free{0x5000});
  add(journal::Free{0});
  add(journal::End{});
  EXPECT_EQ(kinds(), "allocate free allocate");
  EXPECT_EQ(resolved_.recording.incomplete_cause,
            "memory was allocated over memory whose free was not recorded; memory was freed whose "
            "allocation was not recorded");
}

TEST_F(ResolveTest, GivesAFailureToTheEntryThatItNames) {
  add_device();
  add_code();
  allocate(0x1000, 0x100);
  const std::uint64_t launch = next_entry();
  launch_scale(0x1000);
  add(journal::Fill{0x1000, 0, 1, 4, 0, true}, 2);
  add(journal::Failed{launch, 9}, 2);
  const std::uint64_t copy = next_entry();
  add(journal::Copy{0x1000, 0x9000, 4, 1, 0, true, true, Bytes(4)}, 2);
  add(journal::Failed{copy, -5}, 2);
  add(journal::Failed{0, 7}, 3);
  add(journal::Failed{99, 7}, 3);
  EXPECT_EQ(kinds(), "allocate load_code_object launch fill copy");
  std::vector<std::int32_t> statuses;
  for (const Record& record : resolved_.recording.records) statuses.push_back(record.status);
  EXPECT_EQ(statuses, (std::vector<std::int32_t>{0, 0, 9, 0, 999}));
  EXPECT_EQ(body<Copy>(4).content, "");
}

TEST_F(ResolveTest, MakesTheSameLaunchOfAnEntryThatSaysSo) {
  add_device();
  add_code();
  allocate(0x1000, 0x100);
  const std::uint64_t first = next_entry();
  launch_scale(0x1000);
  add(journal::SameLaunch{first});
  add(journal::Free{0x1000});
  allocate(0x1000, 0x100);
  const std::uint64_t after = next_entry();
  add(journal::SameLaunch{first});
  add(journal::Failed{after, 9});
  EXPECT_EQ(kinds(), "allocate load_code_object launch launch free allocate launch");
  EXPECT_EQ(body<LaunchKernel>(2).launch, body<LaunchKernel>(3).launch);
  EXPECT_EQ(resolved_.recording.launch(body<LaunchKernel>(3).launch).arguments[0].memory,
            (MemoryRef{{1}, 0}));
  EXPECT_EQ(resolved_.recording.launch(body<LaunchKernel>(6).launch).arguments[0].memory,
            (MemoryRef{{2}, 0}))
      << "its pointer leads to other memory now";
  EXPECT_EQ(resolved_.recording.records[6].status, 9);
  EXPECT_EQ(resolved_.recording.incomplete_cause, "the process did not end in order");
}

TEST_F(ResolveTest, SaysThatTheSameLaunchIsOfNoEntry) {
  add_device();
  add(journal::SameLaunch{1});
  EXPECT_EQ(kinds(), "");
  EXPECT_NE(resolved_.recording.incomplete_cause.find("a launch was left out"), std::string::npos);
}

/// Two launches that touch the second memory at 0x1000, whose first generation is gone.
class EvidenceTest : public ResolveTest {
 protected:
  void SetUp() override {
    add_device();
    add_code();
    allocate(0x1000, 0x100);
    add(journal::Free{0x1000});
    allocate(0x1000, 0x100);
    first_ = next_entry();
    launch_scale(0x1000);
    second_ = next_entry();
    launch_scale(0x1000);
  }
  static constexpr std::uint64_t kFirstRecord = 5, kSecondRecord = 6;
  std::uint64_t first_ = 0, second_ = 0;
};

TEST_F(EvidenceTest, KnowsWhichRecordsRan) {
  journal_.ran.assign(second_, std::byte{0});
  journal_.ran[second_ - 1] = std::byte{1};
  journal_.ran[0] = std::byte{1};  // an entry that is no record
  EXPECT_EQ(kinds(), "allocate free allocate load_code_object launch launch");
  EXPECT_FALSE(resolved_.evidence.has_run(kFirstRecord));
  EXPECT_TRUE(resolved_.evidence.has_run(kSecondRecord));
  EXPECT_FALSE(resolved_.evidence.has_run(kSecondRecord + 1));
}

TEST_F(EvidenceTest, TellsGenerationsApart) {
  Fault fault;
  fault.instruction = "global_store_dword";
  add(journal::Faults{{second_, 0}, fault, {0x1000, 2}, 64});
  fault.kind = FaultKind::kUseAfterFree;
  add(journal::Faults{{second_, 0}, fault, {0x1000, 1}, 1});
  add(journal::Faults{{second_, 0}, fault, {0x9000, 1}, 1});
  add(journal::Faults{{77, 0}, fault, {0x1000, 1}, 1});
  resolved();
  ASSERT_EQ(resolved_.evidence.observed.size(), 1u);
  const Observed& seen = resolved_.evidence.observed.at({kSecondRecord, 0});
  ASSERT_EQ(seen.faults.size(), 3u);
  EXPECT_EQ(seen.faults[0].first.allocation, AllocationId{2});
  EXPECT_EQ(seen.faults[0].accesses, 64u);
  EXPECT_EQ(seen.faults[0].first.instruction, "global_store_dword");
  EXPECT_EQ(seen.faults[1].first.allocation, AllocationId{1});
  EXPECT_EQ(seen.faults[2].first.allocation, AllocationId{0});
}

TEST_F(EvidenceTest, NamesWritersByTheirRecords) {
  TaintedDecision decision;
  decision.origin_writer = first_;
  add(journal::Decisions{{second_, 0}, decision, {0x1000, 2}, 3});
  add(journal::Stopped{{first_, 0}, "unsupported"});
  resolved();
  const DecisionGroup& group = resolved_.evidence.observed.at({kSecondRecord, 0}).decisions.at(0);
  EXPECT_EQ(group.first.origin_writer, kFirstRecord);
  EXPECT_EQ(group.first.origin_allocation, AllocationId{2});
  EXPECT_EQ(group.lanes, 3u);
  EXPECT_EQ(resolved_.evidence.observed.at({kFirstRecord, 0}).stop_cause, "unsupported");
}

TEST_F(EvidenceTest, FindsWhereAFaultyTransferLay) {
  const std::uint64_t fill = next_entry();
  add(journal::Fill{0x1080, 0, 1, 0x100, 0, false});
  add(journal::FaultyTransfer{
      {fill, 0}, {FaultKind::kOutOfBounds, AccessKind::kStore, 0, {}, 0x100, 0}, 0x1080});
  resolved();
  const TransferFault& fault = resolved_.evidence.observed.at({7, 0}).transfers.at(0);
  EXPECT_EQ(fault.record, 7u);
  EXPECT_EQ(fault.start, (MemoryRef{{2}, 0x80}));
  EXPECT_EQ(fault.allocation_bytes, 0x100u);
}

TEST_F(ResolveTest, KeepsWhatAFailedEndLeft) {
  allocate(0x1000, 0x100);
  add_failed(journal::Free{0x1000});
  add(journal::Fill{0x1010, 0, 1, 4, 0, true});
  add(journal::Free{0x1000});
  allocate(0x0ff0, 0x100);
  add_failed(journal::Free{0x1000});
  add(journal::CreateStream{5, 0});
  add_failed(journal::DestroyStream{5});
  add(journal::Synchronize{journal::SyncScope::kStream, 5});
  add(journal::End{});
  EXPECT_EQ(kinds(),
            "allocate free fill free allocate free create_stream destroy_stream synchronize");
  EXPECT_TRUE(resolved_.recording.complete) << resolved_.recording.incomplete_cause;
  EXPECT_EQ(body<Fill>(2).destination, (MemoryRef{{1}, 0x10}));
  EXPECT_EQ(body<Free>(5).allocation, AllocationId{1}) << "the second free of the first";
}

TEST_F(ResolveTest, PutsNamesOntoAllocations) {
  allocate(0x1000, 0x100);
  allocate(0x2000, 0x100);
  add(journal::NameBuffer{0x1000, "kv", "kv-cache", "bf16", {2, 64}, {64, 1}});
  add(journal::NameBuffer{0x1080, "ignored", "", "", {}, {}});
  add(journal::NameBuffer{0x2080, "inside", "weight", "f32", {32}, {}});
  add(journal::NameBuffer{0x2100, "past the end", "", "", {}, {}});
  add(journal::NameBuffer{0x9000, "nowhere", "", "", {}, {}});
  const Recording recording = resolved();
  EXPECT_EQ(recording.allocations[0].info.name, "kv");
  EXPECT_EQ(recording.allocations[0].info.role, "kv-cache");
  EXPECT_EQ(recording.allocations[0].info.shape, (std::vector<std::int64_t>{2, 64}));
  EXPECT_EQ(recording.allocations[1].info.name, "inside");
  EXPECT_EQ(recording.allocations[1].info.role, "");
}

TEST_F(ResolveTest, KeepsStepsAndPhasesByThread) {
  add(journal::Fill{0, 0, 1, 0, 0, true}, 5);
  add(journal::BeginStep{"decode", true, false, 3, 4, {1, 2}, {5, 6}, {0, 7}}, 9);
  add(journal::Phase{"captured"}, 9);
  add(journal::Fill{0, 0, 1, 0, 0, true}, 9);
  add(journal::Fill{0, 0, 1, 0, 0, true}, 5);
  add(journal::BeginStep{"prefill", false, true, 1, 1, {}, {}, {}}, 9);
  add(journal::EndStep{}, 9);
  add(journal::EndStep{}, 9);
  EXPECT_EQ(kinds(), "fill begin_step fill fill end_step begin_step end_step");
  const std::vector<Record>& records = resolved_.recording.records;
  EXPECT_EQ(records[0].thread, ThreadId{1});
  EXPECT_EQ(records[2].thread, ThreadId{2});
  EXPECT_EQ(records[2].step, StepId{1});
  EXPECT_EQ(records[2].phase, "captured");
  EXPECT_EQ(records[3].step, StepId{0});
  EXPECT_EQ(records[3].phase, "eager");
  EXPECT_EQ(records[6].step, StepId{2});
  EXPECT_EQ(resolved_.recording.steps[0].may_end, (std::vector<bool>{false, true}));
}

TEST_F(ResolveTest, SaysWhyItIsIncomplete) {
  EXPECT_EQ(resolved().incomplete_cause, "the process did not end in order");
  journal_.torn = true;
  journal_.tear = "byte 99: the file ends inside a frame";
  add(journal::Incomplete{"graphs are not recorded"});
  add(journal::Incomplete{"graphs are not recorded"});
  EXPECT_EQ(
      resolved().incomplete_cause,
      "graphs are not recorded; the journal is torn at byte 99: the file ends inside a frame");
}

/// Entries of every kind, with few enough handles and addresses that they meet.
class RandomEntries {
 public:
  journal::Entry next() {
    const std::uint32_t thread = below(3);
    return {thread, body()};
  }

 private:
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % end;
  }
  std::uint64_t address() { return below(20) == 0 ? ~0ull - below(8) : below(64) * 16; }
  std::uint64_t handle() { return below(5); }
  std::uint64_t entry() { return below(200); }

  journal::Body body() {
    switch (below(21)) {
      case 0:
        return journal::FatBinary{handle(), below(2) == 0 ? two_kernels() : Bytes(below(99))};
      case 1:
        return journal::UnloadFatBinary{handle()};
      case 2:
        return journal::Function{handle(), handle(), below(2) == 0 ? "scale" : "reverse"};
      case 3:
        return journal::Free{address()};
      case 4:
        return journal::CreateStream{handle(), below(2)};
      case 5:
        return journal::DestroyStream{handle()};
      case 6:
        return journal::CreateEvent{handle(), below(2)};
      case 7:
        return journal::DestroyEvent{handle()};
      case 8:
        return journal::RecordEvent{handle(), handle()};
      case 9:
        return journal::WaitEvent{handle(), handle()};
      case 10:
        return journal::Synchronize{static_cast<journal::SyncScope>(below(3)), handle()};
      case 11:
        return journal::BeginStep{"decode", true, false, 1, 1, {1}, {}, {1}};
      case 12:
        return journal::EndStep{};
      case 13:
        return journal::NameBuffer{address(), "name", "", "", {}, {}};
      case 14:
        return journal::Failed{entry(), static_cast<std::int32_t>(below(4)) - 1};
      case 15:
        return journal::SameLaunch{entry()};
      case 16:
        return evidence_body();
      case 17:
        return journal::Global{handle(), below(2) == 0 ? "table" : "", address(), below(40)};
      case 18:
        return journal::WaitValue{address(), 1, 1, 4 * below(3), {}, handle()};
      default:
        return memory_body();
    }
  }
  journal::Body memory_body() {
    switch (below(4)) {
      case 0:
        return journal::Copy{
            address(), address(), 4, below(6), handle(), true, true, Bytes(4), {below(4), below(3)},
            {8, 16},   {4, 8}};
      case 1:
        return journal::Fill{address(), 1, below(9), 64, handle(), false, {below(4), 1}, {8, 16}};
      case 2: {
        journal::Launch launch{handle(), handle(), {1, 1, 1}, {64, 1, 1}, 0, Bytes(below(20))};
        const std::uint64_t pointer = address();
        if (launch.kernarg.size() >= 8) std::memcpy(launch.kernarg.data(), &pointer, 8);
        return launch;
      }
      default:
        return journal::Allocate{static_cast<journal::MemoryKind>(below(3)), address(),
                                 below(20) == 0 ? ~0ull : below(200)};
    }
  }

  journal::Body evidence_body() {
    const journal::Doer doer{entry(), below(2) == 0 ? 0 : entry()};
    const journal::AllocationKey key{address(), below(3)};
    switch (below(7)) {
      case 0:
        return journal::Stopped{doer, "cause"};
      case 1:
        return journal::Faults{doer, {}, key, 1};
      case 2:
        return journal::Decisions{doer, {}, key, 1};
      case 3:
        if (below(2) == 0) return journal::Accesses{doer, {}};
        return journal::Accesses{doer, {{key, {{below(9), below(9), below(20), below(4)}}, {}}}};
      case 4:
        return journal::SameAccesses{doer, entry()};
      case 5:
        return journal::Nonfinite{doer, key, below(300)};
      default:
        return journal::FaultyTransfer{doer, {}, address()};
    }
  }

  std::uint64_t state_ = 1;
};

TEST_F(ResolveTest, MakesAValidRecordingOfAnyEntries) {
  add_device();
  RandomEntries entries;
  for (int i = 0; i < 20000; ++i) journal_.entries.push_back(entries.next());
  const Recording recording = resolved();
  EXPECT_GT(recording.records.size(), 1000u);
  EXPECT_GT(recording.launches.size(), 5u);
  EXPECT_FALSE(recording.complete);
}

TEST_F(ResolveTest, SharesLaunchesThatDifferInOffsets) {
  add_device();
  add_code();
  allocate(0x1000, 0x100);
  allocate(0x2000, 0x100);
  for (const std::uint64_t address : {0x1010, 0x1020, 0x1010, 0x2010}) launch_scale(address);
  EXPECT_EQ(kinds(), "allocate allocate load_code_object launch launch launch launch");
  const Recording& recording = resolved_.recording;
  ASSERT_EQ(recording.launches.size(), 2u);
  EXPECT_EQ(recording.launches[0].arguments[0].memory, (MemoryRef{{1}, 0x10}));
  const auto place_in = [&](std::size_t record) {
    return recording.launch_of(std::get<LaunchKernel>(recording.records[record].body))
        .arguments[0]
        .memory;
  };
  EXPECT_EQ(place_in(3), (MemoryRef{{1}, 0x10}));
  EXPECT_EQ(place_in(4), (MemoryRef{{1}, 0x20}));
  EXPECT_EQ(place_in(5), (MemoryRef{{1}, 0x10}));
  EXPECT_EQ(place_in(6), (MemoryRef{{2}, 0x10}));
  EXPECT_TRUE(std::get<LaunchKernel>(recording.records[5].body).offsets.empty());
  EXPECT_EQ(recording.first_uses.at(1).kernel, recording.kernels[0].id);
}

TEST_F(ResolveTest, KeepsMarksOfAProcessThatNeverCallsHip) {
  add(journal::Start{7, 1, 0, "scheduler"});
  EXPECT_FALSE(has_anything_to_keep(journal_));
  add(journal::BeginStep{});
  EXPECT_TRUE(has_anything_to_keep(journal_));
}

TEST_F(ResolveTest, TellsCallsFromRegistrations) {
  add_device();
  add(journal::FatBinary{1, {}});
  add(journal::Function{1, 2, "f"});
  add(journal::End{});
  EXPECT_FALSE(has_anything_to_keep(journal_));
  add(journal::Synchronize{});
  EXPECT_TRUE(has_anything_to_keep(journal_));
}

}  // namespace
}  // namespace compass::archive
