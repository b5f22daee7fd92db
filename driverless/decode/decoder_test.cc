// SPDX-License-Identifier: MIT
#include "driverless/decode/decoder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <initializer_list>

namespace compass::decode {
namespace {

Bytes code_of(std::initializer_list<std::uint32_t> words) {
  Bytes bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.begin(), bytes.size());
  return bytes;
}

/// A helper that does `first` when it is started for the first time, and then is the decoder.
std::string helper_that_first(const std::string& first) {
  const auto name = testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path = concat(testing::TempDir(), "decoder_test.", ::getpid(), ".", name);
  std::ofstream file(path);
  file << "#!/bin/sh\n"
       << "if [ -e " << path << ".ran ]; then exec " << COMPASS_DECODER << " $1; fi\n"
       << "touch " << path << ".ran\n"
       << first << "\n";
  file.close();
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
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

TEST(Decoder, StartsAgainAHelperThatEndsWithinAnAnswer) {
  const Bytes code = code_of({0xBF800000, 0xBF810000});
  Decoder decoder(helper_that_first("head -c 40 >/dev/null; printf abc"), "gfx950");
  const auto listing = decoder.decode(code, 0);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->instructions.size(), 2u);
  EXPECT_TRUE(listing->undecodable.empty());
}

TEST(Decoder, StartsAgainAHelperThatEndedBetweenAnswers) {
  const Bytes code = code_of({0xBF800000, 0xBF810000});
  const std::string answers_once = concat("head -c 40 | ", COMPASS_DECODER, " $1");
  Decoder decoder(helper_that_first(answers_once), "gfx950");
  for (int run = 0; run < 2; ++run) {
    const auto listing = decoder.decode(code, 0);
    ASSERT_TRUE(listing) << listing.error().message;
    EXPECT_EQ(listing->instructions.size(), 2u);
  }
}

TEST(Decoder, KeepsNoFileOfTheProgramOpen) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);  // not close-on-exec
  Decoder decoder(COMPASS_DECODER, "gfx950");
  ASSERT_TRUE(decoder.decode(code_of({0xBF810000}), 0));
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "the pipe has no other end any more";
  ::close(ends[0]);
}

TEST(Decoder, GivesUpOnEndlessCode) {
  Bytes code(std::size_t{4} * (kMostInstructions + 100));
  for (std::size_t at = 0; at < code.size(); at += 4) code[at + 2] = std::byte{0x80};
  for (std::size_t at = 0; at < code.size(); at += 4) code[at + 3] = std::byte{0xBF};
  const Listing listing = decode(code);
  EXPECT_EQ(listing.instructions.size(), kMostInstructions);
  ASSERT_TRUE(listing.undecodable.contains(4 * kMostInstructions));
  EXPECT_EQ(listing.undecodable.at(4 * kMostInstructions).cause,
            "the kernel has more than 131072 instructions");
}

TEST(Decoder, GivesUpOnBytesThatCrashLlvmAgainAndAgain) {
  // Branches, each to a crash of its own.
  std::vector<std::uint32_t> words;
  constexpr std::uint32_t kCrashes = 30;
  for (std::uint32_t n = 0; n < kCrashes; ++n) {
    words.push_back(0xBF840000 | (kCrashes - n - 1 + 1 + 2 * n));
  }
  words.push_back(0xBF810000);
  for (std::uint32_t n = 0; n < kCrashes; ++n) {
    words.insert(words.end(), {0xD3AE8754, 0x962D34C5});
  }
  Bytes code(words.size() * 4);
  std::memcpy(code.data(), words.data(), code.size());
  const Listing listing = decode(code);
  EXPECT_EQ(listing.instructions.size(), kCrashes + 1);
  EXPECT_EQ(listing.undecodable.size(), kCrashes);
}

TEST(Decoder, NamesAHelperThatIsNotThere) {
  Decoder decoder("/nonexistent/compass-decode", "gfx950");
  const auto listing = decoder.decode(code_of({0xBF810000}), 0);
  ASSERT_FALSE(listing);
  EXPECT_NE(listing.error().message.find("/nonexistent/compass-decode"), std::string::npos);
}

volatile sig_atomic_t children_seen = 0;

TEST(Decoder, TheProgramDoesNotNoticeTheHelper) {
  struct sigaction action {
  }, old{};
  action.sa_handler = [](int) { children_seen = children_seen + 1; };
  ASSERT_EQ(::sigaction(SIGCHLD, &action, &old), 0);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Decoder decoder(COMPASS_DECODER, "gfx950");
  ASSERT_TRUE(decoder.decode(code_of({0xBF810000}), 0));
  ::close(ends[1]);
  char byte;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "the helper holds the pipe open";
  ::close(ends[0]);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "the helper is a child to wait for";
  EXPECT_EQ(children_seen, 0);
  ::sigaction(SIGCHLD, &old, nullptr);
}

TEST(Decoder, ADescriptorThatTheProgramTookIsLeftAlone) {
  Decoder decoder(COMPASS_DECODER, "gfx950");
  ASSERT_TRUE(decoder.decode(code_of({0xBF810000}), 0));
  int socket = -1;  // the helper's, the only one that is open
  for (int descriptor = 3; descriptor < 1024; ++descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode)) socket = descriptor;
  }
  ASSERT_GE(socket, 3);
  const int file = ::open("/dev/null", O_WRONLY);
  ASSERT_EQ(::dup2(file, socket), socket);
  const auto listing = decoder.decode(code_of({0xBF800000, 0xBF810000}), 0);
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->instructions.size(), 2u);
  EXPECT_NE(::fcntl(socket, F_GETFD), -1) << "the program's file was closed";
  ::close(socket);
  ::close(file);
}

TEST(Decoder, AForkedChildHasAHelperOfItsOwn) {
  Decoder decoder(COMPASS_DECODER, "gfx950");
  ASSERT_TRUE(decoder.decode(code_of({0xBF810000}), 0));
  const auto size_of = [&](std::size_t count) {
    Bytes code(4 * count, std::byte{0});
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t word = n + 1 < count ? 0xBF800000 : 0xBF810000;
      std::memcpy(&code[4 * n], &word, sizeof word);
    }
    const auto listing = decoder.decode(code, 0);
    return listing ? listing->instructions.size() : 0;
  };
  const pid_t child = ::fork();
  bool all_right = true;
  for (std::size_t n = 1; n < 200; ++n)
    all_right = all_right && size_of(child == 0 ? n : 2 * n) == (child == 0 ? n : 2 * n);
  if (child == 0) ::_exit(all_right ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(all_right);
}

}  // namespace
}  // namespace compass::decode
