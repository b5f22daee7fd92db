// SPDX-License-Identifier: MIT
#include "driverless/decode/decoder.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace compass::decode {
namespace {

Bytes code_of(std::initializer_list<std::uint32_t> words) {
  Bytes bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.begin(), bytes.size());
  return bytes;
}

Listing decode(const Bytes& code, std::uint64_t entry = 0, const char* processor = "gfx950") {
  Decoder decoder(COMPASS_DECODER, processor);
  auto listing = decoder.decode(code, entry);
  EXPECT_TRUE(listing) << listing.error().message;
  return listing ? *std::move(listing) : Listing{};
}

TEST(Decoder, FollowsControlFlowOnly) {
  // s_cbranch_scc0 +1; s_endpgm; (data) ; s_endpgm: the data word between is never reached.
  const Bytes code = code_of({0xBF840002, 0xBF810000, 0xFFFFFFFF, 0xBF810000});
  const Listing listing = decode(code);
  EXPECT_EQ(listing.instructions.size(), 3u);
  EXPECT_TRUE(listing.instructions.contains(12));
  EXPECT_TRUE(listing.undecodable.empty());
}

TEST(Decoder, ALoopEnds) {
  // s_nop 0; s_cbranch_scc0 -2; s_endpgm
  const Listing listing = decode(code_of({0xBF800000, 0xBF84FFFE, 0xBF810000}));
  EXPECT_EQ(listing.instructions.size(), 3u);
}

TEST(Decoder, SaysWhereNoInstructionIs) {
  const Listing listing = decode(code_of({0xBF800000, 0xFFFFFFFF, 0xFFFFFFFF}));
  EXPECT_EQ(listing.instructions.size(), 1u);
  ASSERT_TRUE(listing.undecodable.contains(4));
}

TEST(Decoder, RunningOffTheEndIsUndecodable) {
  const Listing listing = decode(code_of({0xBF800000}));
  EXPECT_TRUE(listing.undecodable.contains(4));
}

TEST(Decoder, SurvivesBytesThatCrashLlvm) {
  const Bytes code = code_of({0xBF810000, 0xBF800000, 0xD3AE8754, 0x962D34C5});
  Decoder decoder(COMPASS_DECODER, "gfx950");
  const auto first = decoder.decode(code, 4);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->instructions.contains(4));
  ASSERT_TRUE(first->undecodable.contains(8));
  const auto second = decoder.decode(code, 0);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->instructions.at(0).mnemonic, "s_endpgm");
}

TEST(Decoder, NamesAHelperThatIsNotThere) {
  Decoder decoder("/nonexistent/compass-decode", "gfx950");
  const auto listing = decoder.decode(code_of({0xBF810000}), 0);
  ASSERT_FALSE(listing);
  EXPECT_NE(listing.error().message.find("/nonexistent/compass-decode"), std::string::npos);
}

}  // namespace
}  // namespace compass::decode
