// SPDX-License-Identifier: MIT
// What sealing makes of variables, modules, memory in stream order, and rows.
#include "ir/archive/resolve_for_test.h"

namespace compass::archive {
namespace {

TEST_F(ResolveTest, PutsVariablesIntoTheirCodeObject) {
  add_device();
  add_code();
  add(journal::Global{0xfb, "table", 0x5000, 32});
  add(journal::Fill{0x5008, 0, 4, 8, 0, true});
  launch_scale(0x5004);
  add(journal::Global{0xfb, "table", 0x5000, 32});
  add(journal::UnloadFatBinary{0xfb});
  EXPECT_EQ(kinds(), "load_code_object allocate fill launch free unload_code_object");
  const Recording& recording = resolved_.recording;
  ASSERT_EQ(recording.allocations.size(), 1u);
  const Allocation& table = recording.allocations[0];
  EXPECT_EQ(table.kind, AllocationKind::kGlobal);
  EXPECT_EQ(table.code_object, CodeObjectId{1});
  EXPECT_EQ(table.symbol, "table");
  EXPECT_EQ(table.info.name, "table");
  EXPECT_EQ(body<Fill>(2).destination, (MemoryRef{{1}, 8}));
  EXPECT_EQ(recording.launches[0].arguments[0].memory, (MemoryRef{{1}, 4}));
}

TEST_F(ResolveTest, SaysThatAVariableIsThereTwice) {
  add_device();
  add_code(0xfb);
  add_code(0xfc);
  add(journal::Global{0xfb, "table", 0x5000, 32});
  add(journal::Global{0xfc, "table", 0x6000, 32});
  add(journal::Global{0xfd, "table", 0x7000, 32});
  add(journal::End{});
  EXPECT_EQ(kinds(), "load_code_object allocate");
  EXPECT_EQ(resolved_.recording.incomplete_cause,
            "variable table is there more than once: its code was loaded more than once; "
            "variable table is not known: its fat binary is not known");
}

TEST_F(ResolveTest, KeepsModulesThatCouldNotBeUnloaded) {
  add_device();
  add_code();
  launch_scale(0);
  add_failed(journal::UnloadFatBinary{0xfb});
  launch_scale(0);
  EXPECT_EQ(kinds(), "load_code_object launch launch");
}

TEST_F(ResolveTest, FreesInStreamOrderAfterWhatTheStreamWasAskedForBefore) {
  add_device();
  add(journal::CreateStream{0x77, 1});
  add(journal::Allocate{journal::MemoryKind::kDevice, 0x1000, 64, true, 0x77});
  add(journal::Fill{0x1000, 0, 1, 64, 0x77, false});
  add(journal::Free{0x1000, true, 0x77});
  add(journal::Fill{0x1000, 0, 1, 64, 0x77, false});
  EXPECT_EQ(kinds(), "create_stream allocate fill free fill");
  for (const std::size_t record : {1, 3}) {
    EXPECT_EQ(resolved_.recording.records[record].stream, StreamId{1});
  }
  EXPECT_TRUE(body<Allocate>(1).in_stream_order);
  EXPECT_TRUE(body<Free>(3).in_stream_order);
  EXPECT_EQ(body<Fill>(4).destination, (MemoryRef{{1}, 0})) << "in the memory that was freed";
}

TEST_F(ResolveTest, LeavesOutRowsThatDoNotFitTheirBytes) {
  add_device();
  add(journal::Fill{0x1000, 0, 1, 64, 0, true, {3, 1}, {32, 0}});
  add(journal::Copy{0x1000, 0x2000, 64, 3, 0, true, false, {}, {0, 1}, {}, {}});
  EXPECT_EQ(kinds(), "");
  EXPECT_TRUE(resolved_.recording.incomplete_cause.starts_with(
      "a transfer of 64 bytes in 1 slices of 3 rows was left out; "));
}

}  // namespace
}  // namespace compass::archive
