// SPDX-License-Identifier: MIT
#include "ir/text/signature.h"

#include <gtest/gtest.h>

namespace compass::text {
namespace {

using Types = std::vector<std::string>;

template <class Value>
std::string text_of(std::string_view type, Value value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return value_text(type, bytes);
}

TEST(ParameterTypes, AreThoseOfTheCanonicalName) {
  EXPECT_EQ(parameter_types("void f<int, g(3)>(float const*, std::pair<int, char>, int)"),
            (Types{"float const*", "std::pair<int, char>", "int"}));
  EXPECT_EQ(parameter_types("f(void (*)(int), int)"), (Types{"void (*)(int)", "int"}));
  EXPECT_EQ(parameter_types("triton_kernel"), Types{});
  EXPECT_EQ(parameter_types("f()"), Types{});
  EXPECT_EQ(parameter_types(")"), Types{});
}

TEST(ValueText, WritesFloatsAsDecimalNumbers) {
  EXPECT_EQ(text_of("float", 1e-5f), "1e-05");
  EXPECT_EQ(text_of("float", 2.0f), "2.0");
  EXPECT_EQ(text_of("double", -0.25), "-0.25");
  EXPECT_EQ(text_of("float", std::uint32_t{0x7fc00001}), "0x7fc00001") << "not finite";
  EXPECT_EQ(text_of("", 1e-5f), "0x3727c5ac");
  EXPECT_EQ(text_of("unsigned int", 7u), "7");
}

TEST(ValueText, KeepsSilentAboutWhatMayHavePadding) {
  EXPECT_EQ(text_of("ns::Params", std::uint64_t{5}), "");
  EXPECT_EQ(text_of("HIP_vector_type<float, 2u>", std::uint64_t{5}), "5");
  EXPECT_EQ(text_of("unsigned long", std::uint64_t{5}), "5");
}

}  // namespace
}  // namespace compass::text
