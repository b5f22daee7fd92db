// SPDX-License-Identifier: MIT
#include "driverless/code_object/relocation.h"

#include <gtest/gtest.h>

#include <array>

namespace compass {
namespace {

constexpr DeviceAddress kBase{0x6000'0001'0000};
constexpr std::uint64_t kLowest = 0x1000;

/// A relocation of `type` at byte 8 of the image, of a symbol at image byte 0x20.
ElfRelocation make_relocation(std::uint32_t type, std::int64_t addend = 4) {
  return {.address = kLowest + 8,
          .type = type,
          .symbol_address = kLowest + 0x20,
          .symbol_name = "counter",
          .addend = addend};
}

std::uint64_t relocated(const ElfRelocation& relocation) {
  std::array<std::byte, 32> image{};
  const auto result = relocate(relocation, kLowest, kBase, image);
  EXPECT_TRUE(result) << result.error().message;
  return load<std::uint64_t>(image, 8);
}

TEST(Relocation, OfNothingNeedsNoImage) {
  EXPECT_TRUE(relocate({.address = kLowest, .type = 0}, kLowest, kBase, {}));
}

TEST(Relocation, FollowsTheGuide) {
  EXPECT_EQ(relocated(make_relocation(0)), 0u);
  EXPECT_EQ(relocated(make_relocation(1)), 0x0001'0024u) << "ABS32_LO";
  EXPECT_EQ(relocated(make_relocation(2)), 0x6000u) << "ABS32_HI";
  EXPECT_EQ(relocated(make_relocation(3)), 0x6000'0001'0024u) << "ABS64";
  EXPECT_EQ(relocated(make_relocation(4)), 0x1cu) << "REL32";
  EXPECT_EQ(relocated(make_relocation(5, -0x20)), 0xffff'ffff'ffff'fff8u) << "REL64";
  EXPECT_EQ(relocated(make_relocation(10, -0x20)), 0xffff'fff8u) << "REL32_LO";
  EXPECT_EQ(relocated(make_relocation(11, -0x20)), 0xffff'ffffu) << "REL32_HI";
  EXPECT_EQ(relocated(make_relocation(13, 0x1040)), 0x6000'0001'0040u) << "RELATIVE64";
}

std::string refusal(const ElfRelocation& relocation) {
  std::array<std::byte, 32> image{};
  const auto result = relocate(relocation, kLowest, kBase, image);
  return result ? "accepted" : result.error().message;
}

TEST(Relocation, SaysWhatIsWrong) {
  EXPECT_EQ(refusal(make_relocation(7)),
            "relocation at 0x1008: R_AMDGPU_GOTPCREL is not supported");
  EXPECT_EQ(refusal(make_relocation(99)),
            "relocation at 0x1008: relocation type 99 is not supported");
  EXPECT_EQ(refusal(make_relocation(6)),
            "relocation at 0x1008: 0x600000010024 does not fit 32 bits");
  ElfRelocation relocation = make_relocation(3);
  relocation.undefined = true;
  EXPECT_EQ(refusal(relocation), "relocation at 0x1008: the symbol counter is not defined");
  relocation = make_relocation(3);
  relocation.address = kLowest + 25;
  EXPECT_EQ(refusal(relocation), "relocation at 0x1019: outside the image of 32 bytes");
  relocation.address = 0;
  EXPECT_EQ(refusal(relocation), "relocation at 0x0: outside the image of 32 bytes");
}

}  // namespace
}  // namespace compass
