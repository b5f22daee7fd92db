// SPDX-License-Identifier: MIT
#include "ir/archive/resolve_for_test.h"

namespace compass::archive {
namespace {

/// Two launches that use memory at 0x1000 and 0x2000; at 0x1000 it is the second generation.
class AccessTableTest : public ResolveTest {
 protected:
  AccessTableTest() {
    add_device();
    add_code();
    allocate(0x1000, 0x100);
    add(journal::Free{0x1000});
    allocate(0x1000, 0x100);
    allocate(0x2000, 0x40);
    first_ = next_entry();
    launch_scale(0x1000);
    second_ = next_entry();
    launch_scale(0x1000);
  }
  /// How many launches have accesses.
  std::size_t launches() { return resolved().launch_accesses.size(); }

  static constexpr std::uint64_t kFirstRecord = 6, kSecondRecord = 7;
  const journal::AllocationKey low_{0x1000, 2}, high_{0x2000, 1};
  std::uint64_t first_ = 0, second_ = 0;
};

TEST_F(AccessTableTest, KeepsEqualSummariesOnce) {
  const AccessRuns rows{{0, 8, 64, 4}}, all{{0, 0x40, 0, 1}};
  const std::uint64_t entry = next_entry();
  add(journal::Accesses{{second_, 0}, {{high_, {}, all}, {low_, rows, {}}}});
  add(journal::Accesses{{first_, 0}, {{low_, rows, {}}, {high_, {}, all}}});
  add(journal::SameAccesses{{second_, 0}, entry});
  const Recording recording = resolved();
  ASSERT_EQ(recording.access_summaries.size(), 1u);
  EXPECT_EQ(recording.access_summaries[0].allocations,
            (std::vector<AllocationAccess>{{{2}, rows, {}}, {{3}, {}, all}}));
  ASSERT_EQ(recording.launch_accesses.size(), 3u);
  EXPECT_EQ(recording.launch_accesses[0].record, kFirstRecord);
  EXPECT_EQ(recording.launch_accesses[1].record, kSecondRecord);
  EXPECT_EQ(recording.launch_accesses[2].record, kSecondRecord);
}

TEST_F(AccessTableTest, TellsNothingTouchedFromNothingKnown) {
  add(journal::Accesses{{first_, 0}, {}});
  const Recording recording = resolved();
  ASSERT_EQ(recording.launch_accesses.size(), 1u);
  EXPECT_TRUE(recording.access_summary(recording.launch_accesses[0].summary).allocations.empty());
}

TEST_F(AccessTableTest, LeavesOutWhatNamesNoLaunch) {
  add(journal::Accesses{{first_ - 1, 0}, {}});  // an allocation
  add(journal::Accesses{{next_entry() + 5, 0}, {}});
  add(journal::Accesses{{first_, second_}, {}});  // no graph
  add(journal::SameAccesses{{first_, 0}, first_});
  EXPECT_EQ(launches(), 0u);
}

TEST_F(AccessTableTest, LeavesOutWhatIsNoSetOfAnAllocationsBytes) {
  const AccessRuns some{{0, 4, 0, 1}};
  add(journal::Accesses{{first_, 0}, {{{0x1000, 3}, some, {}}}});
  add(journal::Accesses{{first_, 0}, {{{0x3000, 1}, some, {}}}});
  add(journal::Accesses{{first_, 0}, {{low_, {}, {}}}});
  add(journal::Accesses{{first_, 0}, {{low_, some, {}}, {low_, {}, some}}});
  add(journal::Accesses{{first_, 0}, {{high_, {{0x40, 4, 0, 1}}, {}}}});
  add(journal::Accesses{{first_, 0}, {{high_, {}, {{0, 4, 4, 2}}}}});
  EXPECT_EQ(launches(), 0u);
}

TEST_F(AccessTableTest, KnowsTheNodesOfAGraph) {
  launch_scale(0x1000, 0x5);
  const std::uint64_t node = journal_.entries.size();
  journal_.entries.back().captured = true;
  add(journal::InstantiateGraph{0xE, 0x9, {{0x61, node, {}}}});
  const std::uint64_t graph = next_entry();
  add(journal::LaunchGraph{0xE, 0});
  add(journal::Accesses{{graph, node}, {{low_, {}, {{0, 4, 0, 1}}}}});
  add(journal::Accesses{{node, 0}, {}});  // a node does nothing by itself
  const Recording recording = resolved();
  ASSERT_EQ(recording.launch_accesses.size(), 1u);
  const LaunchAccesses& accesses = recording.launch_accesses[0];
  EXPECT_EQ(kind_of(recording.records.at(accesses.record - 1)), "launch_graph");
  EXPECT_EQ(kind_of(recording.records.at(accesses.node - 1)), "launch");
  EXPECT_TRUE(recording.records.at(accesses.node - 1).captured);
}

}  // namespace
}  // namespace compass::archive
