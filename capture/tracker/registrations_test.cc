// SPDX-License-Identifier: MIT
#include "capture/tracker/registrations.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "capture/testing/recorded_run.h"

namespace compass::capture {
namespace {

/// A code object with the kernel `scale(uint32_t*, uint8_t, uint32_t)`.
std::string code_object() {
  std::ifstream file(test_file("COMPASS_TEST_CODE_OBJECT"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::byte* start_of(const std::string& text) { return as_byte_view(text).data(); }

TEST(Registrations, KnowWhereALaunchsArgumentsBelong) {
  const std::string code = code_object();
  Registrations registrations;
  const auto added = registrations.add(1, start_of(code));
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_LE((*added)->bytes.size(), code.size());
  EXPECT_TRUE(registrations.add_function({1, 100, "scale"}));
  const auto layout = registrations.layout(100, "gfx950:sramecc+:xnack-");
  ASSERT_TRUE(layout) << layout.error().message;
  ASSERT_EQ((*layout)->slots.size(), 3u);
  EXPECT_EQ((*layout)->slots[1].offset_bytes, 8u);
  EXPECT_EQ((*layout)->slots[1].size_bytes, 1u);
  EXPECT_EQ((*layout)->slots[2].offset_bytes, 12u);
  EXPECT_EQ((*layout)->size_bytes, 16u);
}

TEST(Registrations, KnowTheLayoutWithoutKnowingTheDevice) {
  const std::string code = code_object();
  Registrations registrations;
  ASSERT_TRUE(registrations.add(1, start_of(code)));
  registrations.add_function({1, 100, "scale"});
  EXPECT_TRUE(registrations.layout(100, ""));
}

TEST(Registrations, ReadCompressedFatBinaries) {
  std::ifstream file(test_file("COMPASS_TEST_COMPRESSED"), std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  Registrations registrations;
  const auto added = registrations.add(1, start_of(code));
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ((*added)->bytes.size(), code.size()) << "recorded as it is";
  registrations.add_function({1, 100, "add"});
  const auto layout = registrations.layout(100, "gfx942:sramecc+:xnack-");
  ASSERT_TRUE(layout) << layout.error().message;
  EXPECT_EQ((*layout)->size_bytes, 12u);
}

TEST(Registrations, RefuseWhatTheyDoNotKnow) {
  const std::string code = code_object();
  Registrations registrations;
  EXPECT_FALSE(registrations.add(1, start_of("no code at all, whatever the caller says of it")));
  EXPECT_FALSE(registrations.add_function({1, 100, "scale"}));
  EXPECT_FALSE(registrations.layout(100, ""));
  ASSERT_TRUE(registrations.add(1, start_of(code)));
  registrations.add_function({1, 100, "absent"});
  const auto layout = registrations.layout(100, "");
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().message, "the code object has no kernel absent");
}

TEST(Registrations, EndWithTheirFatBinary) {
  const std::string code = code_object();
  Registrations registrations;
  ASSERT_TRUE(registrations.add(1, start_of(code)));
  ASSERT_TRUE(registrations.add(2, start_of(code)));
  registrations.add_function({1, 100, "scale"});
  registrations.add_function({2, 200, "scale"});
  EXPECT_TRUE(registrations.remove(1));
  EXPECT_FALSE(registrations.remove(1));
  EXPECT_FALSE(registrations.layout(100, ""));
  EXPECT_TRUE(registrations.layout(200, ""));
  EXPECT_EQ(registrations.fat_binaries().size(), 1u);
}

TEST(Registrations, KeepTheBytesOfModules) {
  Registrations registrations;
  {
    const std::string code = code_object();
    const ByteView bytes = as_byte_view(code);
    registrations.add_owned(1, Bytes(bytes.begin(), bytes.end()));
  }
  ASSERT_TRUE(registrations.add_function({1, 100, "scale"}));
  EXPECT_FALSE(registrations.add_function({1, 100, "scale"})) << "known already";
  EXPECT_EQ(registrations.find_function(100)->kernel, "scale");
  EXPECT_FALSE(registrations.find_function(101));
  auto removed = registrations.remove(1);
  ASSERT_TRUE(removed);
  EXPECT_FALSE(registrations.layout(100, ""));
  registrations.put_back(std::move(*removed));
  EXPECT_TRUE(registrations.layout(100, ""));
}

TEST(Registrations, ForgetVariablesWithTheirFatBinary) {
  const std::string code = code_object();
  Registrations registrations;
  ASSERT_TRUE(registrations.add(1, start_of(code)));
  registrations.add_variable({1, 300, "table"});
  ASSERT_TRUE(registrations.find_variable(300));
  EXPECT_EQ(registrations.find_variable(300)->name, "table");
  registrations.remove(1);
  EXPECT_FALSE(registrations.find_variable(300));
}

}  // namespace
}  // namespace compass::capture
