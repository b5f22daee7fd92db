// SPDX-License-Identifier: MIT
#include "driverless/runtime/handle_registry.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/hip/abi.h"

namespace compass {
namespace {

using Registry = HandleRegistry<hip::Stream, std::string>;

TEST(HandleRegistry, FindsWhatWasAdded) {
  Registry registry(0x1000);
  const hip::Stream a = registry.add("a");
  const hip::Stream b = registry.add("b");
  EXPECT_NE(a, b);
  ASSERT_NE(registry.find(a), nullptr);
  EXPECT_EQ(*registry.find(a), "a");
  EXPECT_EQ(*registry.find(b), "b");
}

TEST(HandleRegistry, TakesAnyValue) {
  Registry registry(0x1000);
  const hip::Stream a = registry.add("a");
  EXPECT_EQ(registry.find(nullptr), nullptr);
  EXPECT_EQ(registry.find(reinterpret_cast<hip::Stream>(reinterpret_cast<char*>(a) + 1)), nullptr);
  EXPECT_FALSE(registry.remove(reinterpret_cast<hip::Stream>(~std::uint64_t{0})));
}

TEST(HandleRegistry, NeverGivesAHandleTwice) {
  Registry registry(0x1000);
  const hip::Stream a = registry.add("a");
  EXPECT_TRUE(registry.remove(a));
  EXPECT_FALSE(registry.remove(a)) << "removed twice";
  EXPECT_EQ(registry.find(a), nullptr);
  EXPECT_NE(registry.add("b"), a);
}

}  // namespace
}  // namespace compass
