// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "capture/testing/describe.h"
#include "capture/testing/recorded_run.h"

namespace compass::capture {
namespace {

using Lines = std::vector<std::string>;

std::string linked_program() { return test_file("COMPASS_TEST_LINKED_PROGRAM"); }
std::string opening_program() { return test_file("COMPASS_TEST_OPENING_PROGRAM"); }
std::string runtime() { return test_file("COMPASS_TEST_RUNTIME"); }

Lines lines_of_only_journal(const RecordedRun& run) {
  const auto journals = run.journals();
  EXPECT_EQ(journals.size(), 1u);
  if (journals.empty()) return {};
  const journal::Contents contents = read_journal(journals.front());
  EXPECT_FALSE(contents.torn) << contents.tear;
  return Description(contents.entries).lines;
}

Lines lines_of_all_calls(const std::string& program) {
  return {
      "start " + program,
      "fat-binary code1 ELF",
      "function code1 function2 scale",
      "phase warmup",
      "called HIP",
      "device 2 gfx950:sramecc+:xnack- Fake device 2",
      "allocate device1 2097152",
      "allocate pinned2 4096",
      "create stream3 flags 1",
      "name device1 x weight bf16 rank 2 strides 0",
      "step decode rows 2/4 requests 2 positions 0",
      "copy 8 to device1 from host kind 1 on null blocking 636f6e74656e7400",
      "copy 7 to device1 from pinned2 kind 4 on stream3 70696e6e656400",
      "copy 7 to host from device1 kind 2 on stream3 blocking",
      "completed: copy 7 to device1 from pinned2 kind 4: what it was",
      "completed: copy 7 to host from device1 kind 2: 70696e6e656400",
      "copy 4 to device1 from device1 kind 4 on null blocking",
      "copy 1048577 to device1 from host kind 1 on null blocking",
      "fill 64 of device1 with 0xab on null blocking",
      "fill 64 of device1 with 0xfffffffe on stream3",
      "launch function2 on stream3 2x1x1 of 64x1x1 lds 256 device1 0300000064000000",
      "create event4 flags 2",
      "record event4 on stream3",
      "wait for event4 on null",
      "synchronize event event4",
      "synchronize stream stream3",
      "synchronize device null",
      "destroy event4",
      "end step",
      "destroy stream3",
      "free pinned2",
      "free device1",
      "unload code1",
      "end",
  };
}

TEST(Recorder, SeesLinkedCalls) {
  RecordedRun run({linked_program(), "all"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.errors(), "");
  EXPECT_EQ(lines_of_only_journal(run), lines_of_all_calls("linked_program"));
}

TEST(Recorder, SeesCallsThroughDlsym) {
  RecordedRun run({opening_program(), "runtime", runtime(), "all"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.errors(), "");
  EXPECT_EQ(lines_of_only_journal(run), lines_of_all_calls("opening_program"));
}

TEST(Recorder, SeesCallsOfAPluginThatBringsTheRuntime) {
  RecordedRun run({opening_program(), "plugin", test_file("COMPASS_TEST_PLUGIN"), "all"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.errors(), "");
  EXPECT_EQ(lines_of_only_journal(run), lines_of_all_calls("opening_program"));
}

TEST(Recorder, ChangesNoResult) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{linked_program(), "all"},
                                                  {opening_program(), "runtime", runtime(), "all"},
                                                  {opening_program(), "lookups", runtime(), "-"}}) {
    RecordedRun with(command);
    RecordedRun without(command, {.preload = false, .environment = {}, .journal_folder = {}});
    EXPECT_EQ(with.wait(), without.wait());
    EXPECT_FALSE(without.output().empty());
    EXPECT_EQ(with.output(), without.output());
    EXPECT_EQ(with.errors(), without.errors());
  }
}

TEST(Recorder, SaysThatTheDeviceIsDeclared) {
  RecordedRun run({linked_program(), "all"},
                  {.preload = true, .environment = {"COMPASS_ARCH=gfx950"}, .journal_folder = {}});
  run.wait();
  const Lines lines = lines_of_only_journal(run);
  EXPECT_EQ(std::count(lines.begin(), lines.end(),
                       "device 2 gfx950:sramecc+:xnack- Fake device 2 declared"),
            1);
}

TEST(Recorder, LeavesNoJournalOfAProcessThatCallsNothing) {
  RecordedRun run({linked_program(), "none"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_TRUE(run.journals().empty());
}

TEST(Recorder, MakesAJournalOfAProcessThatOnlyAnnotates) {
  RecordedRun run({linked_program(), "annotate"});
  EXPECT_EQ(run.wait(), 0);
  const Lines expected = {
      "start linked_program",
      "fat-binary code1 ELF",
      "function code1 function2 scale",
      "pool kv at host of 6 blocks of 512, 4 ends of reserved ranges, says scheduler",
      "sentinel of host write-index kv slot 1 values",
      "sleep 2 kv",
      "wake ",
      "report 8 at host requests 2 ids 0",
      "block b 8 at host in host",
      "end block host",
      "rank 3 of 0",
      "phase ",
      "incomplete: an annotation has 4294967295 entries, of at most 64",
      "name host    rank 0 strides 0",
      "end",
  };
  EXPECT_EQ(lines_of_only_journal(run), expected);
}

TEST(Recorder, SaysThatHipIsCalledAfterAnAnnotation) {
  RecordedRun run({linked_program(), "annotate-and-ask"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.errors(), "");
  const Lines expected = {"start linked_program",
                          "phase warmup",
                          "called HIP",
                          "device 2 gfx950:sramecc+:xnack- Fake device 2",
                          "synchronize device null",
                          "end"};
  EXPECT_EQ(lines_of_only_journal(run), expected);
}

TEST(Recorder, GivesAForkedChildItsOwnJournal) {
  RecordedRun run({linked_program(), "fork"});
  const std::string parent = concat(run.process(), "-0.journal");
  EXPECT_EQ(run.wait(), 0);
  const Lines beginning = {"start linked_program", "fat-binary code1 ELF",
                           "function code1 function2 scale"};
  const std::string device = "device 2 gfx950:sramecc+:xnack- Fake device 2";
  ASSERT_EQ(run.journals().size(), 2u);
  for (const auto& path : run.journals()) {
    Lines expected = beginning;
    expected.push_back(device);
    const bool is_parent = path.filename() == parent;
    const Lines calls = is_parent ? Lines{"allocate device1 100", "free device1",
                                          "allocate device2 300", "free device2"}
                                  : Lines{"allocate device1 200", "free device1"};
    expected.insert(expected.end(), calls.begin(), calls.end());
    expected.push_back("end");
    EXPECT_EQ(Description(read_journal(path).entries).lines, expected);
  }
}

TEST(Recorder, NumbersThreadsAndKeepsTheOrderOfReusedAddresses) {
  RecordedRun run({linked_program(), "threads"});
  EXPECT_EQ(run.wait(), 0);
  ASSERT_EQ(run.journals().size(), 1u);
  std::set<std::uint64_t> live;
  std::map<std::uint32_t, int> entries_by_thread;
  for (const journal::Entry& entry : read_journal(run.journals().front()).entries) {
    if (const auto* made = std::get_if<journal::Allocate>(&entry.body)) {
      EXPECT_TRUE(live.insert(made->address).second);
      ++entries_by_thread[entry.thread];
    } else if (const auto* freed = std::get_if<journal::Free>(&entry.body)) {
      EXPECT_EQ(live.erase(freed->address), 1u);
      ++entries_by_thread[entry.thread];
    }
  }
  EXPECT_TRUE(live.empty());
  EXPECT_EQ(entries_by_thread,
            (std::map<std::uint32_t, int>{{1, 400}, {2, 400}, {3, 400}, {4, 400}}));
}

int fills_in(const std::filesystem::path& path) {
  const std::vector<journal::Entry> entries = read_journal(path).entries;
  EXPECT_TRUE(std::holds_alternative<journal::End>(entries.back().body));
  return static_cast<int>(std::count_if(entries.begin(), entries.end(), [](const auto& entry) {
    return std::holds_alternative<journal::Fill>(entry.body);
  }));
}

TEST(Recorder, HasAThreadThatTakesNoSignals) {
  RecordedRun run({linked_program(), "many-and-signal"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.output(), "2 threads, 0 then 1 signals\n");
  EXPECT_EQ(fills_in(run.journals().at(0)), 5000);
}

TEST(Recorder, HasAThreadThatKeepsNoProcessFromEnding) {
  RecordedRun run({linked_program(), "many-and-main-ends"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(fills_in(run.journals().at(0)), 5000);
}

TEST(Recorder, DoesWithoutAThreadWhereTheSystemMakesNone) {
  RecordedRun run({linked_program(), "many-without-room"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.output(), "1 threads\n");
  EXPECT_EQ(run.errors(), "");
  EXPECT_EQ(fills_in(run.journals().at(0)), 5000);
}

TEST(Recorder, HasAThreadOnBothSidesOfAFork) {
  RecordedRun run({linked_program(), "many-and-fork"});
  const std::string parent = concat(run.process(), "-0.journal");
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.output(), "2 threads, 2 in the child\n");
  ASSERT_EQ(run.journals().size(), 2u);
  for (const auto& path : run.journals()) {
    EXPECT_EQ(fills_in(path), path.filename() == parent ? 10'000 : 5000);
  }
}

/// How many allocations the program had said it made when its output was last flushed.
int said_allocations(const RecordedRun& run) {
  const std::string output = run.output();
  return static_cast<int>(std::count(output.begin(), output.end(), '\n'));
}

TEST(Recorder, LosesNothingThatWasRecordedBeforeAKill) {
  for (const int at_least : {1, 10, 500, 3000}) {
    RecordedRun run({linked_program(), "for-ever"});
    while (said_allocations(run) < at_least)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    run.kill();
    ASSERT_EQ(run.journals().size(), 1u);
    const journal::Contents contents = read_journal(run.journals().front());
    const auto allocations = std::count_if(
        contents.entries.begin(), contents.entries.end(),
        [](const auto& entry) { return std::holds_alternative<journal::Allocate>(entry.body); });
    EXPECT_GE(allocations, said_allocations(run));
    EXPECT_LE(allocations, said_allocations(run) + 1);
    EXPECT_FALSE(std::holds_alternative<journal::End>(contents.entries.back().body));
  }
}

TEST(Recorder, SeesWhatTheRuntimeRefuses) {
  RecordedRun run({linked_program(), "fail"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.errors(), "");
  const Lines expected = {
      "start linked_program",
      "fat-binary code1 ELF",
      "function code1 function2 scale",
      "device 2 gfx950:sramecc+:xnack- Fake device 2",
      "allocate device1 64",
      "launch function2 on null 0x1x1 of 64x1x1 lds 0 device1 0300000064000000",
      "failed 9: launch function2 on null 0x1x1 of 64x1x1 lds 0 device1 0300000064000000",
      "copy 8 to host from device1 kind 4 on null blocking",
      "failed 1: copy 8 to host from device1 kind 4 on null blocking",
      "fill 8 of host with 0x00 on null blocking",
      "failed 1: fill 8 of host with 0x00 on null blocking",
      "fill 8 of device1 with 0xee on null blocking",
      "free device1",
      "failed 1: free device1",
      "fill 8 of device1 with 0x00 on null blocking",
      "free device1",
      "free device1",
      "failed 1: free device1",
      "end",
  };
  EXPECT_EQ(lines_of_only_journal(run), expected);
}

TEST(Recorder, KeepsALaunchThatDidNotEndBeforeAKill) {
  RecordedRun run({linked_program(), "launch-for-ever"});
  const auto is_launch = [](const journal::Entry& entry) {
    return std::holds_alternative<journal::Launch>(entry.body);
  };
  while (said_allocations(run) < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (int wait_ms = 0; wait_ms < 10'000; ++wait_ms) {
    if (is_launch(read_journal(run.journals().at(0)).entries.back())) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  run.kill();
  const std::vector<journal::Entry> entries = read_journal(run.journals().at(0)).entries;
  EXPECT_TRUE(is_launch(entries.back()));
}

TEST(Recorder, PassesCallsThroughWhereItCannotWrite) {
  RecordedRun without({linked_program(), "all"},
                      {.preload = false, .environment = {}, .journal_folder = {}});
  without.wait();
  RecordedRun run({linked_program(), "all"},
                  {.preload = true, .environment = {}, .journal_folder = "/proc/nowhere"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.output(), without.output());
  EXPECT_TRUE(run.errors().starts_with(
      "compass-capture: nothing is recorded: cannot create /proc/nowhere/"));
}

// The recorder is out of memory by an exception, which must be caught however it is linked.
TEST(Recorder, EndsTheRecordingWhereMemoryIsExhausted) {
  RecordedRun run({linked_program(), "exhausted"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.errors(), "compass-capture: out of memory, the recording ends here\n");
  ASSERT_EQ(run.journals().size(), 2u);  // the other says why it ends
  const Lines lines = Description(read_journal(run.journals().front()).entries).lines;
  EXPECT_EQ(lines.back(), "allocate device1 64");
}

/// The modules of the innermost frames in the lines of a run with call sites, and how many entries
/// say where they are from.
struct SitesSeen {
  std::set<std::string> innermost;
  std::ptrdiff_t called_from = 0;
};
SitesSeen sites_of(const std::vector<std::string>& command, const char* wanted) {
  RecordedRun run(command, {.preload = true,
                            .environment = {concat("COMPASS_CALLSITES=", wanted)},
                            .journal_folder = {}});
  EXPECT_EQ(run.wait(), 0);
  SitesSeen seen;
  for (const std::string& line : lines_of_only_journal(run)) {
    if (line.starts_with("from ")) ++seen.called_from;
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("call site ") || colon == std::string::npos) continue;
    const std::size_t slash = line.find_first_of("/ ", colon + 3);
    seen.innermost.insert(line.substr(colon + 2, slash - colon - 2));
  }
  return seen;
}

TEST(Recorder, SaysWhereTheProgramAskedIfThatIsWanted) {
  // Of its calls, two allocate, seven copy or fill, and one launches.
  const SitesSeen linked = sites_of({linked_program(), "all"}, "names");
  EXPECT_EQ(linked.innermost, std::set<std::string>{"linked_program"});
  EXPECT_EQ(linked.called_from, 10);
  const SitesSeen plugin =
      sites_of({opening_program(), "plugin", test_file("COMPASS_TEST_PLUGIN"), "all"}, "names");
  EXPECT_EQ(plugin.innermost, std::set<std::string>{"libplugin.so"});
  EXPECT_EQ(sites_of({linked_program(), "all"}, "").called_from, 0);
}

TEST(Recorder, SaysThatTheJournalFolderIsMissingFromTheEnvironment) {
  RecordedRun run({linked_program(), "all"},
                  {.preload = true, .environment = {"COMPASS_JOURNAL_DIR="}, .journal_folder = {}});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.errors(), "compass-capture: COMPASS_JOURNAL_DIR is not set, nothing is recorded\n");
}

TEST(Recorder, SaysWhatItCouldNotRecord) {
  RecordedRun run({linked_program(), "all"}, {.preload = true,
                                              .environment = {"COMPASS_TEST_CODE_OBJECT=/bin/true"},
                                              .journal_folder = {}});
  EXPECT_EQ(run.wait(), 0);
  const Lines lines = lines_of_only_journal(run);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.starts_with("incomplete: "); }),
            2);
  EXPECT_TRUE(run.errors().starts_with("compass-capture: the recording is incomplete: "));
  const std::string errors = run.errors();
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1);
}

}  // namespace
}  // namespace compass::capture
