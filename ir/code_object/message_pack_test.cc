// SPDX-License-Identifier: MIT
#include "ir/code_object/message_pack.h"

#include <gtest/gtest.h>

#include <string>

namespace compass {
namespace {

using namespace std::string_literals;

TEST(MessagePackReader, ReadsEveryWidthOfUnsignedInteger) {
  const std::string text =
      "\x05\xCC\xFF\xCD\x01\x02\xCE\x00\x01\x00\x00\xCF\x00\x00\x00\x01\x00\x00\x00\x00\xD0\x7F"s;
  MessagePackReader reader(as_byte_view(text));
  EXPECT_EQ(reader.read_unsigned(), 5u);
  EXPECT_EQ(reader.read_unsigned(), 255u);
  EXPECT_EQ(reader.read_unsigned(), 258u);
  EXPECT_EQ(reader.read_unsigned(), 65536u);
  EXPECT_EQ(reader.read_unsigned(), std::uint64_t{1} << 32);
  EXPECT_EQ(reader.read_unsigned(), 127u) << "a signed encoding of a positive number";
  EXPECT_TRUE(reader.ok()) << reader.problem();
}

TEST(MessagePackReader, RefusesNegativeAndWideNumbers) {
  for (const std::string& text : {"\xFF"s, "\xD0\x80"s, "\xCF\x00\x00\x00\x01\x00\x00\x00\x00"s}) {
    MessagePackReader reader(as_byte_view(text));
    EXPECT_EQ(reader.read_unsigned32(), 0u);
    EXPECT_FALSE(reader.ok());
  }
}

TEST(MessagePackReader, SkipsEveryKindOfValue) {
  const std::string text =
      "\x96\xC0\xC3\xCA\x00\x00\x00\x00\xC4\x01\x09\xD4\x01\x02\x82\xA1\x61\x01\xA1\x62\x91\xC2\x2A"s;
  MessagePackReader reader(as_byte_view(text));
  reader.skip();
  EXPECT_EQ(reader.read_unsigned(), 42u);
  EXPECT_TRUE(reader.ok()) << reader.problem();
}

TEST(MessagePackReader, SkipsNestingOfAnyDepthWithoutRecursion) {
  const std::string text = std::string(4'000'000, '\x91') + "\x01\x02";
  MessagePackReader reader(as_byte_view(text));
  reader.skip();
  EXPECT_EQ(reader.read_unsigned(), 2u);
}

TEST(MessagePackReader, RefusesCountsThatTheDocumentCannotHold) {
  for (const std::string& text :
       {"\xDD\xFF\xFF\xFF\xFF\x01"s, "\xDF\xFF\xFF\xFF\xFF\x01"s, "\xDB\xFF\xFF\xFF\xFF\x01"s,
        "\xC6\xFF\xFF\xFF\xFF\x01"s, "\xC9\xFF\xFF\xFF\xFF\x01"s, "\xDC\x00"s, "\xC1"s, ""s,
        "\x93\x92\x01\x02\x01"s}) {
    MessagePackReader reader(as_byte_view(text));
    reader.skip();
    EXPECT_FALSE(reader.ok());
    EXPECT_EQ(reader.read_unsigned(), 0u);
  }
}

TEST(MessagePackReader, SaysWhereAndWhy) {
  const std::string text = "\x01\xA1\x61"s;
  MessagePackReader reader(as_byte_view(text));
  reader.skip();
  EXPECT_EQ(reader.read_map(), 0u);
  EXPECT_EQ(reader.problem(), "MessagePack at byte 1 of 3: expected a map");
}

}  // namespace
}  // namespace compass
