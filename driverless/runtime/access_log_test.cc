// SPDX-License-Identifier: MIT
#include "driverless/runtime/access_log.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

class AccessLogTest : public testing::Test {
 protected:
  /// The body of the entry that is made of these, numbered `number` in the journal.
  journal::Body add(std::uint64_t launch, std::vector<journal::AllocationAccesses> allocations,
                    std::uint64_t number) {
    const auto entry = journal::decode(log_.encode({launch, 0}, std::move(allocations)));
    EXPECT_TRUE(entry) << entry.error().message;
    log_.set_number(number);
    return entry->body;
  }

  static std::vector<journal::AllocationAccesses> reads(std::uint64_t base, std::uint64_t first) {
    return {{{base, 1}, {{first, 4, 0, 1}}, {}}};
  }

  AccessLog log_;
};

TEST_F(AccessLogTest, NamesTheEntryThatSaysTheSame) {
  ASSERT_TRUE(std::holds_alternative<journal::Accesses>(add(1, reads(0x1000, 0), 10)));
  ASSERT_TRUE(std::holds_alternative<journal::Accesses>(add(2, reads(0x1000, 8), 11)));
  ASSERT_TRUE(std::holds_alternative<journal::Accesses>(add(3, reads(0x2000, 0), 12)));
  const journal::Body again = add(4, reads(0x1000, 8), 13);
  ASSERT_TRUE(std::holds_alternative<journal::SameAccesses>(again));
  EXPECT_EQ(std::get<journal::SameAccesses>(again).entry, 11u);
  EXPECT_EQ(std::get<journal::SameAccesses>(again).doer.entry, 4u);
}

TEST_F(AccessLogTest, NamesNoEntryThatWasNotWritten) {
  add(1, reads(0x1000, 0), 0);
  EXPECT_TRUE(std::holds_alternative<journal::Accesses>(add(2, reads(0x1000, 0), 11)));
}

TEST_F(AccessLogTest, KeepsNoMoreThanItMay) {
  constexpr std::size_t kRuns = std::size_t{1} << 17;  // 4 MiB
  for (std::uint64_t base = 0; base < 16; ++base) {
    journal::AllocationAccesses accesses{{base, 1}, AccessRuns(kRuns), {}};
    add(1, {std::move(accesses)}, base + 1);
  }
  EXPECT_TRUE(
      std::holds_alternative<journal::Accesses>(add(2, {{{0, 1}, AccessRuns(kRuns), {}}}, 17)));
}

}  // namespace
}  // namespace compass
