// SPDX-License-Identifier: MIT
// What the recorder writes down of the rarer calls, over the fake runtime.
#include <gtest/gtest.h>

#include "capture/testing/describe.h"
#include "capture/testing/recorded_run.h"

namespace compass::capture {
namespace {

using Lines = std::vector<std::string>;

/// What the recorder wrote of the scenario, between what every journal begins with and its end.
Lines lines_of(const char* scenario) {
  RecordedRun run({test_file("COMPASS_TEST_LINKED_PROGRAM"), scenario});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_EQ(run.journals().size(), 1u);
  if (run.journals().empty()) return {};
  Lines lines = Description(read_journal(run.journals().front()).entries).lines;
  EXPECT_EQ(lines.back(), "end");
  lines.pop_back();
  std::erase_if(lines, [](const std::string& line) {
    return line.starts_with("start ") || line.starts_with("device ");
  });
  return lines;
}

TEST(Hooks, SeeModulesAndLaunchesOfTheirFunctions) {
  const Lines expected = {
      "allocate device1 64",
      "fat-binary code1 ELF",
      "fat-binary code2 ELF",
      "function code1 function3 scale",
      "launch function3 on null 2x1x1 of 64x1x1 lds 0 device1 0300000064000000",
      "again: launch function3 on null 2x1x1 of 64x1x1 lds 0 device1 0300000064000000",
      "launch function3 on null 2x1x1 of 64x1x1 lds 16 device1 0300000064000000",
      "record event4 on null",
      "again: launch function3 on null 2x1x1 of 64x1x1 lds 0 device1 0300000064000000",
      "failed 400: record event4 on null",
      "failed 400: again: launch function3 on null 2x1x1 of 64x1x1 lds 0 device1 "
      "0300000064000000",
      "incomplete: a launch was not recorded: a launch passes 4 bytes, its arguments need 16",
      "unload code1",
      "failed 400: unload code1",
      "global table 32 of code1",
      "fill 32 of table with 0x00000001 on null",
      "unload code1",
      "unload code2",
  };
  EXPECT_EQ(lines_of("modules"), expected);
}

TEST(Hooks, SeeEveryWayToLaunch) {
  const Lines expected = {
      "fat-binary code1 ELF",
      "function code1 function2 scale",
      "allocate device1 64",
      "launch function2 on stream3 1x1x1 of 64x1x1 lds 0 device1 0300000064000000",
      "launch function2 on null 1x1x1 of 64x1x1 lds 0 device1 0300000064000000 cooperative",
      "launch function2 on null 3x1x1 of 64x1x1 lds 8 device1 0300000064000000",
      "function code1 function4 scale",
      "launch function4 on null 4x1x1 of 64x1x1 lds 0 device1 0300000064000000",
  };
  EXPECT_EQ(lines_of("launches"), expected);
}

TEST(Hooks, SeeEveryKindOfMemory) {
  const Lines expected = {
      "allocate device1 100 in order of stream1",
      "allocate managed2 64",
      "allocate device3 768",
      "allocate pinned4 128",
      "free pinned4",
      "free device1 in order of stream1",
      "free managed2",
      "free device3",
  };
  EXPECT_EQ(lines_of("memory"), expected);
}

TEST(Hooks, SeeCopiesAndFillsOfRows) {
  const Lines expected = {
      "allocate device1 4096",
      "copy 6 to device1 from host in 1x3 rows by 48/16/4 kind 1 on null blocking 61626566696a",
      "copy 96 to device1 from device1+193 in 3x2 rows by 512/64/32 kind 3 on null",
      "copy 6 to device1 from host in 1x2 rows by 6/3/4 kind 4 on null blocking 6667686a6b6c",
      "fill 50 of device1 with 0xff in 1x5 rows by 320/64 on null",
      "fill 16 of device1 with 0x01 in 2x2 rows by 512/64 on null blocking",
      "incomplete: hipMemcpy3DAsync of an array is not recorded",
  };
  EXPECT_EQ(lines_of("rows"), expected);
}

TEST(Hooks, SeeSymbolsAndValuesOfStreams) {
  const Lines expected = {
      "fat-binary code1 ELF",
      "function code1 function2 scale",
      "global table 32 of code1",
      "copy 3 to table+8 from host kind 1 on null blocking 616263",
      "copy 4 to table from table+16 kind 3 on null",
      "copy 2 to table from host kind 1 on stream3 6162",
      "fill 8 of table with 0x0000000100000000 on null",
      "wait until 4 bytes at table & 15 are 5 by 2 on null",
      "unload code1",
  };
  EXPECT_EQ(lines_of("symbols"), expected);
}

}  // namespace
}  // namespace compass::capture
