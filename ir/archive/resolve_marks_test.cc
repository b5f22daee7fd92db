// SPDX-License-Identifier: MIT
#include "ir/archive/resolve_for_test.h"

namespace compass::archive {
namespace {

/// A journal whose device memory is [0x1000, 0x2000), with blocks in it.
class ResolveMarksTest : public ResolveTest {
 protected:
  ResolveMarksTest() {
    add_device();
    add_code();
    allocate(0x1000, 0x1000);
  }
  void block(std::uint64_t address, std::uint64_t size, const std::string& name = "") {
    add(journal::AllocateBlock{0x1000, address, size, name});
  }
  void end_block(std::uint64_t address) { add(journal::FreeBlock{address}); }
  /// Where the n-th launch's pointer leads.
  MemoryRef pointer(std::size_t launch) {
    for (const Record& record : recording().records) {
      const auto* body = std::get_if<LaunchKernel>(&record.body);
      if (body == nullptr || launch-- != 0) continue;
      return recording().launch_of(*body).arguments[0].memory;
    }
    return {};
  }
  const Recording& recording() {
    if (resolved_.recording.records.empty()) resolved();
    return resolved_.recording;
  }
  std::string cause() {
    add(journal::End{});
    return resolved().incomplete_cause;
  }
};

TEST_F(ResolveMarksTest, KeepsWhatIsSaidOfPoolsSleepAndOutput) {
  allocate(0x3000, 0x40, journal::MemoryKind::kPinnedHost);
  add(journal::DeclarePool{0x1100, "kv", "block", "runner", 6, 512, {0, 0, 4, 5, 9}});
  add(journal::DeclarePool{0, "kv", "block", "scheduler", 6, 0, {}});
  add(journal::DeclareSentinel{0x3000, "write-index", "kv", "slot", {-1, -2}});
  add(journal::Sleep{2, "kv"});
  add(journal::Wake{"kv"});
  add(journal::ReportOutput{0x3008, 8, {7}, {483}});
  const Recording recording = resolved();
  EXPECT_EQ(kinds(),
            "allocate allocate declare_pool declare_pool declare_sentinel sleep wake report");
  const auto pool = body<DeclarePool>(2);
  EXPECT_EQ(pool.memory, (MemoryRef{{1}, 0x100}));
  EXPECT_EQ(pool.unit + pool.said_by, "blockrunner");
  EXPECT_EQ(pool.rows, 6u);
  EXPECT_EQ(pool.row_bytes, 512u);
  EXPECT_EQ(pool.reserved, (std::vector<RowRange>{{0, 0}, {4, 5}}));
  EXPECT_TRUE(body<DeclarePool>(3).memory.is_null());
  EXPECT_EQ(body<DeclareSentinel>(4).memory, (MemoryRef{{2}, 0}));
  EXPECT_EQ(body<DeclareSentinel>(4).values, (std::vector<std::int64_t>{-1, -2}));
  EXPECT_EQ(body<Sleep>(5).level, 2);
  EXPECT_EQ(body<Wake>(6).tag, "kv");
  EXPECT_EQ(body<ReportOutput>(7).memory, (MemoryRef{{2}, 8}));
  EXPECT_EQ(body<ReportOutput>(7).ids, std::vector<std::int64_t>{483});
}

TEST_F(ResolveMarksTest, PlacesAreInTheInnermostLiveBlock) {
  block(0x1000, 0x800, "outer");
  block(0x1000, 0x100, "first");
  block(0x1100, 0x100, "second");
  for (const std::uint64_t address : {0x1000, 0x10ff, 0x1100, 0x1200, 0x1800, 0x2000}) {
    launch_scale(address);
  }
  EXPECT_EQ(pointer(0), (MemoryRef{{3}, 0}));
  EXPECT_EQ(pointer(1), (MemoryRef{{3}, 0xff}));
  EXPECT_EQ(pointer(2), (MemoryRef{{4}, 0}));
  EXPECT_EQ(pointer(3), (MemoryRef{{2}, 0x200}));
  EXPECT_EQ(pointer(4), (MemoryRef{{1}, 0x800}));
  EXPECT_EQ(pointer(5), (MemoryRef{{1}, 0x1000}));
  EXPECT_EQ(recording().allocation({4}).parent, AllocationId{2});
  EXPECT_EQ(recording().allocation({4}).info.name, "second");
  EXPECT_EQ(recording().in_root({{4}, 8}), (MemoryRef{{1}, 0x108}));
}

TEST_F(ResolveMarksTest, AFreedBlocksBytesAreItsParentsThenAnotherGenerations) {
  block(0x1100, 0x100);
  launch_scale(0x1110);
  end_block(0x1100);
  launch_scale(0x1110);
  block(0x1100, 0x80);
  launch_scale(0x1110);
  EXPECT_EQ(
      kinds(),
      "allocate allocate_block load_code_object launch free_block launch allocate_block launch");
  EXPECT_EQ(pointer(0), (MemoryRef{{2}, 0x10}));
  EXPECT_EQ(pointer(1), (MemoryRef{{1}, 0x110}));
  EXPECT_EQ(pointer(2), (MemoryRef{{3}, 0x10}));
  EXPECT_EQ(recording().allocation({2}).generation, 1u);
  EXPECT_EQ(recording().allocation({3}).generation, 2u);
  EXPECT_EQ(recording().allocation({1}).generation, 1u);
}

TEST_F(ResolveMarksTest, BlocksEndWithWhatTheyAreAPartOf) {
  block(0x1000, 0x800);
  block(0x1100, 0x100);
  block(0x1200, 0x100);
  end_block(0x1000);
  block(0x1000, 0x100);
  add(journal::Free{0x1000});
  end_block(0x1000);
  EXPECT_EQ(
      kinds(),
      "allocate allocate_block allocate_block allocate_block free_block free_block free_block "
      "allocate_block free_block free");
  EXPECT_EQ(body<FreeBlock>(4).allocation, AllocationId{4});
  EXPECT_EQ(body<FreeBlock>(5).allocation, AllocationId{3});
  EXPECT_EQ(body<FreeBlock>(6).allocation, AllocationId{2});
  EXPECT_EQ(cause(), "");
}

TEST_F(ResolveMarksTest, AFreeThatFailedEndsNoBlock) {
  block(0x1000, 0x100);
  add_failed(journal::Free{0x1000});
  launch_scale(0x1000);
  EXPECT_EQ(pointer(0), (MemoryRef{{2}, 0}));
}

TEST_F(ResolveMarksTest, NamesGoToTheInnermostBlock) {
  block(0x1000, 0x100);
  add(journal::NameBuffer{0x1000, "hidden", "activation", "bf16", {2}, {}});
  add(journal::NameBuffer{0x1800, "segment", "", "", {}, {}});
  EXPECT_EQ(recording().allocation({2}).info.role, "activation");
  EXPECT_EQ(recording().allocation({1}).info.name, "segment");
}

TEST_F(ResolveMarksTest, ABlockOutsideOfItsMemoryIsLeftOutAndSaid) {
  allocate(0x4000, 0x100);
  block(0x0, 0x10);    // says nothing
  block(0x1000, 0x0);  // has no bytes
  end_block(0x1000);   // is not known
  EXPECT_EQ(kinds(), "allocate allocate");
  EXPECT_EQ(cause(), "");
  for (const auto& [address, size] : {std::pair{0x3000ull, 0x10ull},
                                      {0x2000, 1},
                                      {0xfff, 2},
                                      {0x1fff, 2},
                                      {0x1000, ~0ull},
                                      {~0ull, ~0ull},
                                      {0x4000, 0x10}}) {
    journal_.entries.pop_back();
    block(address, size);
    EXPECT_EQ(cause(), "a block was marked outside of the memory that it is a part of") << address;
    EXPECT_EQ(kinds(), "allocate allocate");
    journal_.entries.pop_back();
  }
}

TEST_F(ResolveMarksTest, ABlockOverAnotherEndsThatFirst) {
  block(0x1100, 0x100);
  block(0x1180, 0x10);
  block(0x1300, 0x100);
  block(0x1180, 0x200);
  EXPECT_EQ(
      kinds(),
      "allocate allocate_block allocate_block allocate_block free_block free_block free_block "
      "allocate_block");
  EXPECT_EQ(recording().allocation({5}).parent, AllocationId{1});
  EXPECT_EQ(cause(), "a block was marked over another whose free was not marked");
}

TEST_F(ResolveMarksTest, TheSameBytesAgainAreAnotherBlock) {
  block(0x1100, 0x100);
  block(0x1100, 0x100);
  EXPECT_EQ(kinds(), "allocate allocate_block free_block allocate_block");
  EXPECT_EQ(recording().allocation({3}).generation, 2u);
  EXPECT_NE(cause(), "");
}

// Whatever is marked, live blocks lie in each other or apart, and the recording is valid.
TEST_F(ResolveMarksTest, AnyMarksGiveAValidRecording) {
  std::uint64_t state = 1;
  const auto next = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t address = 0x1000 + 0x10 * next(0x102);
    switch (next(4)) {
      case 0:
        end_block(address);
        break;
      case 1:
        launch_scale(address);
        break;
      default:
        block(address, 0x10 * next(0x40));
    }
  }
  const Recording recording = resolved();
  EXPECT_GT(recording.allocations.size(), 500u);
  for (const Allocation& block : recording.allocations) {
    if (block.parent) {
      EXPECT_LT(block.parent, block.id);
    }
  }
}

}  // namespace
}  // namespace compass::archive
