// SPDX-License-Identifier: MIT
#include "replay/retarget.h"

#include <gtest/gtest.h>

namespace compass::replay {
namespace {

void add_code_object(Recording& recording, std::string target,
                     const std::vector<std::string>& kernels) {
  const CodeObjectId id{static_cast<std::uint32_t>(recording.code_objects.size() + 1)};
  recording.code_objects.push_back({id, "", std::move(target), 0});
  for (const std::string& name : kernels) {
    Kernel kernel;
    kernel.id = KernelId{static_cast<std::uint32_t>(recording.kernels.size() + 1)};
    kernel.code_object = id;
    kernel.name = name;
    recording.kernels.push_back(kernel);
  }
}

/// Two fat binaries for two processors, of which the code objects for gfx950 were used.
Recording two_fat_binaries() {
  Recording recording;
  add_code_object(recording, "gfx950", {"a", "b"});
  add_code_object(recording, "gfx942:xnack-", {"b", "a"});
  add_code_object(recording, "gfx950", {"c"});
  recording.launches.push_back({LaunchId{1}, KernelId{2}, {}, {}, 0, {}});
  recording.launches.push_back({LaunchId{2}, KernelId{5}, {}, {}, 0, {}});
  recording.records.push_back({1, {}, {}, {}, "eager", LoadCodeObject{CodeObjectId{1}}});
  recording.records.push_back({2, {}, {}, {}, "eager", LoadCodeObject{CodeObjectId{3}}});
  return recording;
}

std::uint32_t loaded(const Recording& recording, std::size_t index) {
  return std::get<LoadCodeObject>(recording.records[index].body).code_object.value;
}

TEST(Retarget, TurnsLaunchesAndLoadsToTheCounterpart) {
  const auto turned = retarget(two_fat_binaries(), "gfx942");
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->launches[0].kernel, KernelId{3}) << "b of the second code object";
  EXPECT_EQ(loaded(*turned, 0), 2u);
}

TEST(Retarget, KeepsWhatHasNoCounterpart) {
  const auto turned = retarget(two_fat_binaries(), "gfx942");
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->launches[1].kernel, KernelId{5});
  EXPECT_EQ(loaded(*turned, 1), 3u);
}

TEST(Retarget, ChangesNothingForTheRecordedProcessor) {
  const auto turned = retarget(two_fat_binaries(), "gfx950");
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->launches[0].kernel, KernelId{2});
  EXPECT_EQ(loaded(*turned, 0), 1u);
}

TEST(Retarget, SaysWhichProcessorsAreThere) {
  const auto turned = retarget(two_fat_binaries(), "gfx90a");
  ASSERT_FALSE(turned);
  EXPECT_EQ(turned.error().message,
            "no code object for gfx90a was recorded: there are gfx942, gfx950");
}

TEST(Retarget, KeepsFatBinariesWithTheSameKernelsApart) {
  Recording recording;
  for (int i = 0; i < 2; ++i) {
    add_code_object(recording, "gfx950", {"a"});
    add_code_object(recording, "gfx942", {"a"});
  }
  recording.launches.push_back({LaunchId{1}, KernelId{3}, {}, {}, 0, {}});
  const auto turned = retarget(std::move(recording), "gfx942");
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->launches[0].kernel, KernelId{4});
}

}  // namespace
}  // namespace compass::replay
