// SPDX-License-Identifier: MIT
// What the recorder sees of calls that go through nothing but the runtime's dispatch table.
#include "ir/hip/dispatch_table.h"

#include <gtest/gtest.h>

#include "capture/testing/describe.h"
#include "capture/testing/recorded_run.h"

namespace compass::capture {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kKnown = std::size(hip::kRuntimeTableNames);

struct Outcome {
  Lines lines;  ///< of the journal, between what every one begins with and its end
  std::string errors;
};

/// Runs the program with a table, which must not change what it prints.
Outcome run_with_table(std::size_t function_count, std::size_t size_bytes,
                       const char* tables = "1") {
  const std::vector<std::string> command = {
      test_file("COMPASS_TEST_TABLE_PROGRAM"), test_file("COMPASS_TEST_TABLED_RUNTIME"),
      std::to_string(function_count), std::to_string(size_bytes), tables};
  RecordedRun alone(command, {.preload = false, .environment = {}, .journal_folder = {}});
  EXPECT_EQ(alone.wait(), 0);
  RecordedRun run(command);
  EXPECT_EQ(run.wait(), 0);
  EXPECT_FALSE(run.output().empty());
  EXPECT_EQ(run.output(), alone.output());
  Outcome outcome{{}, run.errors()};
  if (run.journals().empty()) return outcome;
  outcome.lines = Description(read_journal(run.journals().front()).entries).lines;
  std::erase_if(outcome.lines, [](const std::string& line) {
    return line.starts_with("start ") || line.starts_with("device ") || line == "end";
  });
  return outcome;
}

std::size_t bytes_of(std::size_t function_count) { return (function_count + 1) * sizeof(void*); }

TEST(DispatchTable, ShowsCallsThroughIt) {
  const Outcome outcome = run_with_table(kKnown, bytes_of(kKnown));
  const Lines expected = {
      "allocate device1 64",
      "fill 16 of device1 with 0x07 on null blocking",
      "incomplete: hipMemcpyToArray is not recorded",
  };
  EXPECT_EQ(outcome.lines, expected);
}

TEST(DispatchTable, OfANewerRuntimeIsTakenAndItsNewCallsAreNamed) {
  const Outcome outcome = run_with_table(kKnown + 3, bytes_of(kKnown + 3));
  ASSERT_EQ(outcome.lines.size(), 4u);
  EXPECT_EQ(outcome.lines[1], "fill 16 of device1 with 0x07 on null blocking");
  EXPECT_EQ(outcome.lines[3], concat("incomplete: function ", kKnown + 2,
                                     " of HIP's dispatch table is not recorded"));
}

TEST(DispatchTable, WithMoreNewCallsThanCanBeWatchedSaysSo) {
  const Outcome outcome = run_with_table(kKnown + 300, bytes_of(kKnown + 300));
  EXPECT_EQ(outcome.errors,
            "compass-capture: the recording is incomplete: HIP's dispatch table has more functions "
            "that are not known than can be watched\n");
}

TEST(DispatchTable, OfAnOlderRuntimeIsTakenAsFarAsItGoes) {
  const Outcome outcome = run_with_table(209, bytes_of(209));
  EXPECT_EQ(outcome.lines, Lines());
  EXPECT_EQ(outcome.errors, "");
}

TEST(DispatchTable, WithoutASizeThatIsKnownIsLeftAloneAndThatIsSaid) {
  for (const std::size_t size_bytes : {std::size_t{0}, std::size_t{4361}, std::size_t{1} << 32}) {
    const Outcome outcome = run_with_table(kKnown, size_bytes);
    EXPECT_EQ(outcome.lines, Lines());
    EXPECT_EQ(outcome.errors,
              "compass-capture: the HIP runtime's dispatch table has no size that is known: calls "
              "are seen only where they are linked or looked up\n");
  }
}

TEST(DispatchTable, OfASecondRuntimeIsLeftAloneAndTheRecordingIncomplete) {
  const Outcome outcome = run_with_table(kKnown, bytes_of(kKnown), "2");
  ASSERT_EQ(outcome.lines.size(), 4u);
  EXPECT_EQ(outcome.lines[3],
            "incomplete: two HIP runtimes in one process: calls of the second are not recorded");
}

}  // namespace
}  // namespace compass::capture
