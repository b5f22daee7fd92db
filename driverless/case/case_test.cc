// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "driverless/case/compare.h"

namespace compass::kernel_case {
namespace {

const Dtype& dtype(std::string_view name) { return *find_dtype(name); }

TEST(Dtype, WidensTheEdgesOfNarrowFloats) {
  EXPECT_EQ(widen(dtype("bf16"), 0x3f80), 1.0);
  EXPECT_EQ(widen(dtype("bf16"), 0x0001), std::ldexp(1.0, -133));
  EXPECT_EQ(widen(dtype("f16"), 0x7bff), 65504.0);
  EXPECT_EQ(widen(dtype("f16"), 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(widen(dtype("f16"), 0xfc00), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(widen(dtype("f32"), 0x00000001), std::ldexp(1.0, -149));
  EXPECT_EQ(widen(dtype("f8e5m2"), 0x7b), 57344.0);
}

TEST(Dtype, TakesOcpE4m3WithoutInfinities) {
  EXPECT_EQ(widen(dtype("f8e4m3"), 0x7e), 448.0);
  EXPECT_EQ(widen(dtype("f8e4m3"), 0x78), 256.0);
  EXPECT_EQ(widen(dtype("f8e4m3"), 0x01), std::ldexp(1.0, -9));
  EXPECT_TRUE(std::isnan(widen(dtype("f8e4m3"), 0x7f)));
  EXPECT_TRUE(std::isnan(widen(dtype("f8e4m3"), 0xff)));
}

TEST(Dtype, NarrowsWhatItWidened) {
  for (const char* name : {"bf16", "f16"}) {
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      const double value = widen(dtype(name), bits);
      if (std::isnan(value)) continue;
      EXPECT_EQ(narrow(dtype(name), value), bits) << name;
    }
  }
  EXPECT_TRUE(std::isnan(widen(dtype("f16"), narrow(dtype("f16"), std::nan("")))));
}

TEST(Dtype, NarrowsToTheNearestEven) {
  EXPECT_EQ(narrow(dtype("bf16"), 1.0 + 1.0 / 256), 0x3f80u);
  EXPECT_EQ(narrow(dtype("bf16"), 1.0 + 3.0 / 256), 0x3f82u);
  EXPECT_EQ(narrow(dtype("f16"), 65519.0), 0x7bffu);
  EXPECT_EQ(narrow(dtype("f16"), 65520.0), 0x7c00u);
  EXPECT_EQ(narrow(dtype("f16"), 1e300), 0x7c00u);
}

TEST(Dtype, PrintsIntegersWithTheirSign) {
  EXPECT_EQ(to_text(dtype("i8"), 0xff), "-1");
  EXPECT_EQ(to_text(dtype("i64"), ~std::uint64_t{0}), "-1");
  EXPECT_EQ(to_text(dtype("u64"), ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(to_text(dtype("bf16"), 0x3e80), "0.25 (0x3e80)");
}

template <class T>
Bytes bytes_of(std::initializer_list<T> values) {
  const auto view = std::as_bytes(std::span(values.begin(), values.size()));
  return {view.begin(), view.end()};
}

template <class T>
Argument buffer(std::string_view type, std::initializer_list<T> values) {
  Argument argument{.name = "o", .dtype = find_dtype(type), .is_buffer = true};
  argument.shape = {values.size()};
  argument.input = argument.expect = bytes_of(values);
  argument.has_expect = true;
  return argument;
}

TEST(Compare, AllowsFloatsTheirTolerance) {
  Argument argument = buffer<float>("f32", {1, 100});
  argument.rtol = 0.01;
  argument.atol = 0.5;
  EXPECT_FALSE(compare(argument, bytes_of<float>({1.5f, 101.5f})));
  const auto mismatch = compare(argument, bytes_of<float>({1.5f, 101.75f}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->element, 1u);
  EXPECT_EQ(mismatch->differing, 1u);
  EXPECT_EQ(mismatch->allowed, 1.5);
}

TEST(Compare, AllowsIntegersNone) {
  Argument argument = buffer<std::int32_t>("i32", {7, -7});
  argument.atol = 10;
  const auto mismatch = compare(argument, bytes_of<std::int32_t>({7, -6}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(to_text(*mismatch->dtype, mismatch->got_bits), "-6");
}

TEST(Compare, TakesInfinitiesAndNansAsThemselves) {
  const float infinity = std::numeric_limits<float>::infinity();
  Argument argument = buffer<float>("f32", {infinity, std::nanf("")});
  argument.rtol = 1;
  EXPECT_FALSE(compare(argument, bytes_of<float>({infinity, -std::nanf("2")})));
  EXPECT_EQ(compare(argument, bytes_of<float>({-infinity, 1}))->differing, 2u);
  argument = buffer<float>("f32", {1, 1});
  argument.atol = 1e30;
  EXPECT_EQ(compare(argument, bytes_of<float>({infinity, std::nanf("")}))->differing, 2u);
}

TEST(Compare, HoldsABufferWithoutExpectToItsBytes) {
  Argument argument = buffer<float>("f32", {0, 1});
  argument.has_expect = false;
  argument.atol = 1;
  EXPECT_FALSE(compare(argument, bytes_of<float>({0, 1})));
  const auto mismatch = compare(argument, bytes_of<float>({-0.0f, 1}));
  ASSERT_TRUE(mismatch);
  EXPECT_TRUE(mismatch->had_to_keep);
}

TEST(Compare, NamesTheFirstElementByItsIndex) {
  Argument argument = buffer<std::uint8_t>("u8", {0, 1, 2, 3, 4, 5});
  argument.shape = {2, 3};
  const auto mismatch = compare(argument, bytes_of<std::uint8_t>({0, 1, 2, 3, 9, 9}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->index, (std::vector<std::uint64_t>{1, 1}));
  EXPECT_EQ(mismatch->differing, 2u);
}

}  // namespace
}  // namespace compass::kernel_case
