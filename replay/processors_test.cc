// SPDX-License-Identifier: MIT
#include "replay/processors.h"

#include <gtest/gtest.h>

namespace compass::replay {
namespace {

Recording with_targets(const std::vector<std::string>& targets) {
  Recording recording;
  for (const std::string& target : targets) recording.code_objects.push_back({{}, "", target, 0});
  return recording;
}

TEST(CheckProcessor, TakesAnyFeatureFlags) {
  EXPECT_TRUE(check_processor(with_targets({"gfx942", "gfx942:xnack-"}), "gfx942"));
}

TEST(CheckProcessor, TakesRecordingsWithoutCode) {
  EXPECT_TRUE(check_processor(with_targets({}), "gfx942"));
}

TEST(CheckProcessor, NamesWhatIsThere) {
  const auto checked = check_processor(with_targets({"gfx950:xnack-", "gfx950"}), "gfx942");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "no code objects for gfx942 were recorded, but for gfx950");
}

}  // namespace
}  // namespace compass::replay
