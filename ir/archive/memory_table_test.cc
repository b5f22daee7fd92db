// SPDX-License-Identifier: MIT
#include "ir/archive/memory_table.h"

#include <gtest/gtest.h>

namespace compass::archive {
namespace {

class MemoryTableTest : public testing::Test {
 protected:
  AllocationId allocate(std::uint64_t address, std::uint64_t size_bytes) {
    return table_.allocate(AllocationKind::kDevice, {address}, size_bytes);
  }
  std::vector<Allocation> allocations_;
  MemoryTable table_{allocations_};
};

MemoryRef at(AllocationId allocation, std::uint64_t offset_bytes) {
  return {allocation, offset_bytes};
}

TEST_F(MemoryTableTest, GivesOnePastTheEndToTheAllocationThatStartsThere) {
  const AllocationId first = allocate(0x1000, 0x100);
  EXPECT_EQ(table_.find_live({0x1100}), at(first, 0x100));
  EXPECT_EQ(table_.find_live({0x1101}), at({}, 0x1101));
  EXPECT_EQ(table_.find_live({0xfff}), at({}, 0xfff));
  const AllocationId second = allocate(0x1100, 0x100);
  EXPECT_EQ(table_.find_live({0x1100}), at(second, 0));
  EXPECT_EQ(table_.find_live({0x10ff}), at(first, 0xff));
}

TEST_F(MemoryTableTest, FindsTheMostRecentlyFreed) {
  const AllocationId large = allocate(0x1000, 0x1000);
  table_.free(large);
  const AllocationId small = allocate(0x1400, 0x100);
  EXPECT_EQ(table_.find({0x1480}), at(small, 0x80));
  table_.free(small);
  EXPECT_EQ(table_.find({0x1480}), at(small, 0x80));
  EXPECT_EQ(table_.find({0x1080}), at(large, 0x80));
  EXPECT_EQ(table_.find({0x1500}), at(large, 0x500));
  EXPECT_EQ(table_.find({0x2000}), at({}, 0x2000));
  EXPECT_EQ(table_.find_live({0x1480}), at({}, 0x1480));
  const AllocationId again = allocate(0x0f00, 0x2000);
  table_.free(again);
  EXPECT_EQ(table_.find({0x1480}), at(again, 0x580));
}

TEST_F(MemoryTableTest, CountsGenerationsByAddress) {
  table_.free(allocate(0x1000, 16));
  const AllocationId again = allocate(0x1000, 32);
  EXPECT_EQ(allocations_[again.value - 1].generation, 2u);
  EXPECT_EQ(table_.starting_at({0x1000}), again);
  EXPECT_FALSE(table_.starting_at({0x1001}));
}

TEST_F(MemoryTableTest, ListsWhatANewAllocationOverlaps) {
  const AllocationId first = allocate(0x1000, 0x100);
  const AllocationId second = allocate(0x1100, 0x100);
  EXPECT_TRUE(table_.overlapping({0x1200}, 0x100).empty());
  EXPECT_EQ(table_.overlapping({0x10ff}, 1), std::vector{first});
  EXPECT_EQ(table_.overlapping({0x1000}, ~0ull), (std::vector{first, second}));
}

}  // namespace
}  // namespace compass::archive
