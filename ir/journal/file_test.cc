// SPDX-License-Identifier: MIT
#include "ir/journal/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "ir/journal/examples_for_test.h"

namespace compass::journal {
namespace {

class JournalFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "journal_test.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ / "1-0.journal";
  }
  void TearDown() override {
    for (int descriptor = 700; descriptor < 760; ++descriptor) ::close(descriptor);
    std::filesystem::remove_all(folder_);
  }

  std::string write_all_kinds() {
    constexpr std::size_t kFramePrefixBytes = 12;
    Result<Writer> writer = Writer::create(path_.c_str());
    EXPECT_TRUE(writer);
    ends_ = {kHeaderBytes};
    for (const Entry& entry : one_of_each_kind()) {
      EXPECT_EQ(writer->append(entry), ends_.size());
      Bytes payload;
      encode(entry, payload);
      ends_.push_back((ends_.back() + kFramePrefixBytes + payload.size() + 3) & ~std::uint64_t{3});
    }
    writer->end();
    return bytes_of_file();
  }
  std::string bytes_of_file() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Result<Contents> read_back(const std::string& bytes) const {
    std::filesystem::remove(path_);  // some file systems flush a file that is replaced in place
    std::ofstream(path_, std::ios::binary) << bytes;
    return read(path_);
  }

  static constexpr std::size_t kHeaderBytes = 16;
  std::filesystem::path folder_;
  std::filesystem::path path_;
  std::vector<std::uint64_t> ends_;  ///< of the header and of each frame
};

TEST_F(JournalFile, GivesBackWhatWasAppended) {
  write_all_kinds();
  const Result<Contents> contents = read(path_);
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_FALSE(contents->torn);
  const std::vector<Entry> expected = one_of_each_kind();
  ASSERT_EQ(contents->entries.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Bytes one, other;
    encode(contents->entries[i], one);
    encode(expected[i], other);
    EXPECT_EQ(one, other) << "entry " << i;
  }
}

TEST_F(JournalFile, IsPrivateToItsOwner) {
  write_all_kinds();
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(JournalFile, IsNeverOverwritten) {
  write_all_kinds();
  const Result<Writer> second = Writer::create(path_.c_str());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, concat("cannot create ", path_.native(), ": File exists"));
}

TEST_F(JournalFile, CutAnywhereIsReadUpToTheTear) {
  const std::string bytes = write_all_kinds();
  std::size_t whole_frames = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    while (whole_frames + 1 < ends_.size() && ends_[whole_frames + 1] <= size) ++whole_frames;
    const Result<Contents> contents = read_back(bytes.substr(0, size));
    ASSERT_TRUE(contents) << "cut at " << size << ": " << contents.error().message;
    EXPECT_EQ(contents->entries.size(), whole_frames) << "cut at " << size;
    EXPECT_EQ(contents->torn, size != ends_[whole_frames]) << "cut at " << size;
    EXPECT_EQ(contents->tear.empty(), !contents->torn) << "cut at " << size;
  }
}

TEST_F(JournalFile, AFlippedBitEndsTheReadingBeforeItsFrame) {
  const std::string bytes = write_all_kinds();
  std::size_t frame = 0;
  for (std::size_t at = kHeaderBytes; at < bytes.size(); ++at) {
    while (ends_[frame + 1] <= at) ++frame;
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Result<Contents> contents = read_back(damaged);
    ASSERT_TRUE(contents);
    EXPECT_TRUE(contents->torn) << "bit at " << at;
    EXPECT_EQ(contents->entries.size(), frame) << "bit at " << at;
  }
}

TEST_F(JournalFile, AFlippedBitInTheHeaderIsAnError) {
  const std::string bytes = write_all_kinds();
  for (std::size_t at = 0; at < kHeaderBytes; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x01);
    EXPECT_FALSE(read_back(damaged)) << "bit at " << at;
  }
}

TEST_F(JournalFile, OfANewerVersionIsNamedSo) {
  std::string bytes = write_all_kinds();
  bytes[8] = static_cast<char>(kVersion + 1);
  const Result<Contents> contents = read_back(bytes);
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(contents.error().message,
            concat(path_.native(), ": journal version ", kVersion + 1, " is newer than ", kVersion));
}

TEST_F(JournalFile, OfAnOlderVersionIsNamedSo) {
  std::string bytes = write_all_kinds();
  bytes[8] = 1;
  const Result<Contents> contents = read_back(bytes);
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().message,
            concat(path_.native(), ": journal version 1 is older than ", kVersion,
                   ": seal it with the version ",
                   "of compass-capture that wrote it"));
}

TEST_F(JournalFile, IsWholeWithoutItsEnd) {
  {
    Result<Writer> writer = Writer::create(path_.c_str());
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer->append({.thread = 1, .body = EndStep{}}), 1u);
    EXPECT_EQ(writer->append({.thread = 1, .body = EndStep{}}), 2u);
  }  // as a kill leaves it
  const Result<Contents> contents = read(path_);
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->entries.size(), 2u);
  EXPECT_FALSE(contents->torn) << contents->tear;
}

TEST_F(JournalFile, AFrameThatWasBegunAndNotEndedIsATear) {
  std::string bytes = write_all_kinds();
  bytes += std::string(4, '\0') + "checksum" + "payload";
  const Result<Contents> contents = read_back(bytes);
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->entries.size(), one_of_each_kind().size());
  EXPECT_TRUE(contents->torn);
  EXPECT_NE(contents->tear.find("a frame was begun and not ended"), std::string::npos);
}

TEST_F(JournalFile, OfZerosAloneWasCutInItsHeader) {
  const Result<Contents> contents = read_back(std::string(4096, '\0'));
  ASSERT_TRUE(contents);
  EXPECT_TRUE(contents->entries.empty());
  EXPECT_TRUE(contents->torn);
}

TEST_F(JournalFile, ALargeEntryAndManySmallOnesComeBack) {
  constexpr std::size_t kLarge = 20 << 20, kMany = 5000;
  {
    Result<Writer> writer = Writer::create(path_.c_str());
    ASSERT_TRUE(writer);
    for (std::size_t i = 0; i < kMany; ++i) {
      if (i == kMany / 2) writer->append({1, Phase{std::string(kLarge, 'x')}});
      writer->append({1, Phase{std::to_string(i)}});
    }
  }
  const Result<Contents> contents = read(path_);
  ASSERT_TRUE(contents);
  ASSERT_EQ(contents->entries.size(), kMany + 1);
  EXPECT_FALSE(contents->torn) << contents->tear;
  EXPECT_EQ(std::get<Phase>(contents->entries[kMany / 2].body).phase.size(), kLarge);
  EXPECT_EQ(std::get<Phase>(contents->entries.back().body).phase, std::to_string(kMany - 1));
}

TEST_F(JournalFile, RemembersWhatRan) {
  Result<Writer> writer = Writer::create(path_.c_str());
  ASSERT_TRUE(writer);
  for (int i = 0; i < 4; ++i) writer->append({.thread = 1, .body = EndStep{}});
  writer->note_ran(3);
  writer->note_ran(1);
  writer->note_ran(99);  // which is no entry
  const Result<Contents> contents = read(path_);
  ASSERT_TRUE(contents);
  const std::byte no{0}, yes{1};
  EXPECT_EQ(contents->ran, (Bytes{yes, no, yes, no}));
}

TEST_F(JournalFile, KnowsOfNothingThatRanWhereNothingDid) {
  write_all_kinds();
  EXPECT_TRUE(read(path_)->ran.empty());
}

TEST_F(JournalFile, OtherFilesAreNoJournal) {
  const Result<Contents> contents = read_back("SQLite format 3");
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().message,
            concat(path_.native(), ": not a journal: expected \"CMPSJRNL\" at its start"));
  EXPECT_FALSE(read(folder_));
  EXPECT_FALSE(read(folder_ / "absent"));
}

/// What a program does that closes all its descriptors, and opens others.
void reuse_descriptors(const std::filesystem::path& other) {
  std::ofstream(other) << "";
  for (int descriptor = 700; descriptor < 760; ++descriptor) ::close(descriptor);
  const int reused = ::open(other.c_str(), O_WRONLY);
  for (int descriptor = 700; descriptor < 760; ++descriptor) ::dup2(reused, descriptor);
  ::close(reused);
}

TEST_F(JournalFile, AClosedDescriptorIsOpenedAgainAndHarmsNoOtherFile) {
  Result<Writer> writer = Writer::create(path_.c_str());
  ASSERT_TRUE(writer);
  const std::filesystem::path other = folder_ / "other";
  reuse_descriptors(other);
  for (int i = 0; i < 100; ++i) {
    ASSERT_NE(writer->append({.thread = 1, .body = Phase{std::string(10'000, 'x')}}), 0u);
  }
  writer->end();
  EXPECT_EQ(std::filesystem::file_size(other), 0u);
  const Result<Contents> contents = read(path_);
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->entries.size(), 100u);
  EXPECT_FALSE(contents->torn) << contents->tear;
}

TEST_F(JournalFile, AClosedDescriptorOfAFileThatIsGoneEndsTheWritingAndHarmsNoOtherFile) {
  Result<Writer> writer = Writer::create(path_.c_str());
  ASSERT_TRUE(writer);
  const std::filesystem::path other = folder_ / "other";
  reuse_descriptors(other);
  std::filesystem::rename(other, path_);  // where ours was
  bool fails = false;
  for (int i = 0; i < 100 && !fails; ++i) {
    fails = writer->append({.thread = 1, .body = Phase{std::string(10'000, 'x')}}) == 0;
  }
  EXPECT_TRUE(fails);
  EXPECT_EQ(writer->failure(), EBADF);
  writer->end();
  EXPECT_EQ(std::filesystem::file_size(path_), 0u);
}

TEST_F(JournalFile, ALimitOnFileSizesEndsTheWritingAndNotTheProcess) {
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit tight = before;
  tight.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  Result<Writer> writer = Writer::create(path_.c_str());
  ASSERT_TRUE(writer);
  EXPECT_TRUE(writer->append({.thread = 1, .body = End{}}));
  EXPECT_FALSE(writer->append({.thread = 1, .body = Phase{std::string(100, 'x')}}));
  EXPECT_EQ(writer->failure(), EFBIG);
  EXPECT_FALSE(writer->append({.thread = 1, .body = End{}}));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  const Result<Contents> contents = read(path_);
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->entries.size(), 1u);
  EXPECT_FALSE(contents->torn);
}

TEST_F(JournalFile, IsNotLeftWithoutItsHeader) {
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit tight = before;
  tight.rlim_cur = 0;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const Result<Writer> writer = Writer::create(path_.c_str());
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message.find("File too large"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace compass::journal
