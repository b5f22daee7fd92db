// SPDX-License-Identifier: MIT
#include "ir/archive/seal.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "ir/archive/reader.h"
#include "ir/journal/file.h"

namespace compass::archive {
namespace {

class SealTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "seal_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    output_ = folder_ / "run.compass";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write_journal(const std::string& name, std::vector<journal::Body> bodies) {
    const std::filesystem::path path = folder_ / name;
    auto writer = journal::Writer::create(path.c_str());
    EXPECT_TRUE(writer);
    EXPECT_TRUE(writer->append({1, journal::Start{42, 1, 0, name}}));
    for (journal::Body& body : bodies) EXPECT_TRUE(writer->append({1, std::move(body)}));
    writer->end();
    return path;
  }
  std::string seal_error(const std::vector<std::filesystem::path>& journals) const {
    const auto sealed = seal(journals, output_);
    EXPECT_FALSE(std::filesystem::exists(output_));
    return sealed ? "sealed" : sealed.error().message;
  }

  std::filesystem::path folder_;
  std::filesystem::path output_;
};

const journal::Body kAllocation = journal::Allocate{journal::MemoryKind::kDevice, 0x1000, 64};

TEST_F(SealTest, MakesAnArchive) {
  const auto idle = write_journal("shell", {journal::End{}});
  const auto busy = write_journal("decoder", {kAllocation, journal::Free{0x1000}, journal::End{}});
  const auto sealed = seal(std::vector{idle, busy}, output_);
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_EQ(sealed->records, 2u);
  EXPECT_TRUE(sealed->complete);
  const auto archive = Archive::open(output_);
  ASSERT_TRUE(archive) << archive.error().message;
  const auto recording = archive->recording();
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_EQ(recording->program, "decoder");
  EXPECT_EQ(recording->allocations.at(0).size_bytes, 64u);
}

TEST_F(SealTest, KeepsWhatIsBeforeATear) {
  const auto path = write_journal("decoder", {kAllocation, journal::Free{0x1000}, journal::End{}});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  const auto sealed = seal(std::vector{path}, output_);
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_EQ(sealed->records, 2u);
  EXPECT_FALSE(sealed->complete);
  EXPECT_NE(sealed->incomplete_cause.find("the journal is torn at byte "), std::string::npos);
}

TEST_F(SealTest, SaysWhyTheRecorderGaveUp) {
  const auto path = write_journal("7-0.journal", {kAllocation});
  std::filesystem::create_symlink("disk full", folder_ / "7.stopped");
  const auto sealed = seal(std::vector{path}, output_);
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_FALSE(sealed->complete);
  EXPECT_EQ(sealed->incomplete_cause, "the process did not end in order; disk full");
}

TEST_F(SealTest, DoesNotReplaceItsOwnJournal) {
  const auto path = write_journal("decoder", {kAllocation, journal::End{}});
  const auto sealed = seal(std::vector{path}, path);
  ASSERT_FALSE(sealed);
  EXPECT_NE(sealed.error().message.find("would replace the journal"), std::string::npos);
  EXPECT_TRUE(journal::read(path));
}

TEST_F(SealTest, WaitsForNoFifo) {
  const auto path = folder_ / "decoder.journal";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(seal_error({path}).find("not a regular file"), std::string::npos);
  EXPECT_NE(seal_error({folder_}).find("not a regular file"), std::string::npos);
}

TEST_F(SealTest, SaysThatNothingCalledHip) {
  EXPECT_EQ(seal_error({}), "no journal was written: no HIP call seen");
  const auto idle = write_journal("shell", {journal::End{}});
  EXPECT_EQ(seal_error({idle}), "no HIP call and no mark that a recording holds in " +
                                    idle.string() + " (shell, process 42)");
  const auto missing = folder_ / "missing";
  EXPECT_EQ(seal_error({missing}), "journal " + missing.string() + " does not exist");
}

TEST_F(SealTest, JoinsProcessesByStartAndThenByRank) {
  const auto journal = [&](const char* name, journal::Start start) {
    const auto path = folder_ / name;
    auto writer = journal::Writer::create(path.c_str());
    EXPECT_TRUE(writer->append({1, std::move(start)}));
    EXPECT_TRUE(writer->append({1, kAllocation}));
    EXPECT_TRUE(writer->append({1, journal::End{}}));
    writer->end();
    return path;
  };
  const std::vector<std::filesystem::path> journals = {
      journal("a", {12, 11, 300, "rank1", ContentsMode::kIndex, false, 1, 2}),
      journal("b", {13, 11, 400, "rank0", ContentsMode::kIndex, false, 0, 2}),
      journal("c", {10, 1, 100, "launcher"}),
      journal("d", {14, 12, 500, "helper", ContentsMode::kIndex, false, 1, 2})};
  write_journal("e", {journal::End{}});  // of a shell, process 42
  const auto sealed = seal(journals, output_);
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_EQ(sealed->processes, 4u);
  EXPECT_EQ(description(*sealed, "x"), "4 records of 4 processes to x");
  const auto processes = Archive::open(output_)->processes();
  ASSERT_TRUE(processes) << processes.error().message;
  std::string found;
  for (const Recording& each : *processes) {
    found += concat(each.program, ' ', each.process.rank.value_or(9), ' ',
                    each.process.ranks.value_or(9), " of ", each.process.parent.value, "; ");
  }
  EXPECT_EQ(found, "launcher 9 9 of 0; rank0 0 2 of 0; rank1 1 2 of 0; helper 1 2 of 3; ");
}

TEST_F(SealTest, LooksForAParentBehindProcessesThatItDoesNotKeep) {
  const auto journal = [&](const char* name, journal::Start start, bool is_kept) {
    auto writer = journal::Writer::create((folder_ / name).c_str());
    EXPECT_TRUE(writer->append({1, std::move(start)}));
    if (is_kept) {
      EXPECT_TRUE(writer->append({1, kAllocation}));
    }
    writer->end();
  };
  journal("a.journal", {10, 1, 100, "engine"}, true);
  journal("b.journal", {20, 10, 200, "sh"}, false);
  journal("c.journal", {30, 20, 300, "worker"}, true);
  ASSERT_TRUE(seal(std::vector{folder_}, output_));
  const auto processes = Archive::open(output_)->processes();
  ASSERT_TRUE(processes && processes->size() == 2);
  EXPECT_EQ((*processes)[1].process.parent.value, 1u);
}

TEST_F(SealTest, TakesAJournalOnce) {
  const auto path = write_journal("decoder", {kAllocation, journal::End{}});
  std::filesystem::copy_file(path, folder_ / "copy");
  const auto sealed = seal(std::vector{path, path, folder_ / "copy"}, output_);
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_EQ(sealed->processes, 1u);
}

TEST_F(SealTest, SaysWhichProcessIsIncomplete) {
  const auto whole = write_journal("a", {kAllocation, journal::End{}});
  const auto killed = write_journal("b", {kAllocation});
  const auto sealed = seal(std::vector{whole, killed}, output_);
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_FALSE(sealed->complete);
  EXPECT_EQ(sealed->incomplete_cause, "process 2: the process did not end in order");
}

TEST_F(SealTest, TakesTheJournalsOfAFolder) {
  const auto inside = folder_ / "run.compass.journal-x1y2z3";
  std::filesystem::create_directory(inside);
  EXPECT_EQ(seal_error({inside}), "no journal was written: no HIP call seen");
  write_journal(inside / "7-0.journal", {journal::End{}});
  write_journal(inside / "8-0.journal", {kAllocation, journal::End{}});
  std::ofstream(inside / "notes.txt") << "no journal";
  const auto sealed = seal(std::vector{inside}, output_);
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_EQ(sealed->records, 1u);
}

TEST_F(SealTest, NamesAFileOnceInAnError) {
  const auto wrong = folder_ / "wrong";
  std::ofstream(wrong) << "no journal at all";
  EXPECT_EQ(seal_error({wrong}),
            "journal " + wrong.string() + ": not a journal: expected \"CMPSJRNL\" at its start");
}

TEST(SealCommand, QuotesForAShell) {
  EXPECT_EQ(seal_command("/tmp/a b", "it's"), "compass-capture seal '/tmp/a b' -o 'it'\\''s'");
}

}  // namespace
}  // namespace compass::archive
