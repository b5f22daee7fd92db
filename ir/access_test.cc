// SPDX-License-Identifier: MIT
#include "ir/access.h"

#include <gtest/gtest.h>

#include <utility>

namespace compass {
namespace {

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

AccessRuns runs_of(const Ranges& ranges) {
  AccessRunBuilder builder;
  for (const auto& [begin, end] : ranges) builder.add(begin, end);
  return builder.finish();
}

TEST(AccessRuns, JoinRangesThatTouch) {
  EXPECT_EQ(runs_of({{0, 64}, {64, 128}, {128, 130}}), (AccessRuns{{0, 130, 0, 1}}));
}

TEST(AccessRuns, KeepRowsShort) {
  EXPECT_EQ(runs_of({{8, 16}, {72, 80}, {136, 144}}), (AccessRuns{{8, 8, 64, 3}}));
  EXPECT_EQ((AccessRun{8, 8, 64, 3}.end()), 144u);
}

TEST(AccessRuns, EndWhereSizeOrDistanceChanges) {
  EXPECT_EQ(runs_of({{0, 4}, {8, 12}, {16, 20}, {32, 36}, {48, 52}, {60, 68}}),
            (AccessRuns{{0, 4, 8, 3}, {32, 4, 16, 2}, {60, 8, 0, 1}}));
}

TEST(AccessRuns, DoNotDependOnHowRangesWereCut) {
  EXPECT_EQ(runs_of({{0, 2}, {2, 4}, {8, 12}, {16, 17}, {17, 20}}), (AccessRuns{{0, 4, 8, 3}}));
}

TEST(AccessRuns, StartFromNothingAfterFinish) {
  AccessRunBuilder builder;
  builder.add(100, 104);
  EXPECT_EQ(builder.finish(), (AccessRuns{{100, 4, 0, 1}}));
  builder.add(0, 4);
  EXPECT_EQ(builder.finish(), (AccessRuns{{0, 4, 0, 1}}));
  EXPECT_TRUE(builder.finish().empty());
}

TEST(AccessRuns, OfABuilderAreCanonical) {
  for (const Ranges& ranges : {Ranges{}, Ranges{{0, 52}}, Ranges{{0, 4}, {8, 12}, {16, 20}},
                               Ranges{{0, 4}, {8, 12}, {13, 17}, {18, 22}, {30, 52}}}) {
    EXPECT_TRUE(are_canonical(runs_of(ranges), 52));
  }
}

TEST(AccessRuns, ThatNoBuilderMakesAreNotCanonical) {
  for (const AccessRuns& runs : {
           AccessRuns{{0, 0, 0, 1}},                       // nothing
           AccessRuns{{0, 4, 0, 0}},                       // no range
           AccessRuns{{0, 4, 8, 1}},                       // a distance to nothing
           AccessRuns{{0, 4, 4, 2}},                       // one range in two pieces
           AccessRuns{{0, 4, 0, 1}, {4, 8, 0, 1}},         // the same
           AccessRuns{{8, 4, 0, 1}, {0, 8, 0, 1}},         // not in order
           AccessRuns{{0, 4, 0, 1}, {8, 4, 0, 1}},         // could be one run
           AccessRuns{{0, 4, 8, 2}, {16, 4, 8, 2}},        // the same
           AccessRuns{{96, 8, 0, 1}},                      // beyond the end
           AccessRuns{{0, 4, 8, 14}},                      // the same
           AccessRuns{{0, 4, std::uint64_t{1} << 63, 3}},  // wraps
           AccessRuns{{~std::uint64_t{0}, 2, 0, 1}},       // wraps
           AccessRuns{{0, 4, 8, std::uint64_t{1} << 62}},  // wraps
       }) {
    EXPECT_FALSE(are_canonical(runs, 100)) << runs.front().first << " " << runs.size();
  }
}

}  // namespace
}  // namespace compass
