// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "ir/archive/reader.h"
#include "ir/archive/sample_recording.h"
#include "ir/archive/sqlite.h"
#include "ir/archive/writer.h"

namespace compass::archive {
namespace {

constexpr const char* kForeignStep =
    " cannot be opened: its table step is missing or not one that `compass-capture` made";

class ArchiveTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "archive_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "run 100%?#.compass";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write_sample() {
    const auto written = write(path_, sample_recording(), sample_contents());
    ASSERT_TRUE(written) << written.error().message;
  }
  std::string bytes_of_file() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void replace_file(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  void run_sql(const std::string& sql) const {
    const auto database = Database::open_to_write(path_);
    ASSERT_TRUE(database);
    const auto ok = database->execute(sql);
    ASSERT_TRUE(ok) << ok.error().message;
  }
  std::string open_error() const {
    const auto archive = Archive::open(path_);
    return archive ? "opened" : archive.error().message;
  }
  std::string recording_error() const {
    const auto archive = Archive::open(path_);
    if (!archive) return archive.error().message;
    const auto recording = archive->recording();
    return recording ? "read" : recording.error().message;
  }
  /// Reads all that can be read: what a damaged file must survive.
  void read_everything() const {
    const auto archive = Archive::open(path_);
    if (!archive) return;
    const auto recording = archive->recording();
    if (recording) {
      EXPECT_LE(recording->records.size(), 1000u);
    }
    for (const auto& [sha256, bytes] : sample_contents()) {
      const auto content = archive->content(sha256);
      if (content) {
        EXPECT_EQ(as_text(*content), as_text(bytes));
      }
    }
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

TEST_F(ArchiveTest, GivesBackExactlyWhatWasWritten) {
  write_sample();
  const auto archive = Archive::open(path_);
  ASSERT_TRUE(archive) << archive.error().message;
  const auto recording = archive->recording();
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_EQ(everything(*recording), everything(sample_recording()));
  for (const auto& [sha256, bytes] : sample_contents()) {
    const auto content = archive->contents()(sha256);
    ASSERT_TRUE(content) << content.error().message;
    EXPECT_EQ(as_text(*content), as_text(bytes));
  }
  EXPECT_EQ(archive->size_bytes(), std::filesystem::file_size(path_));
}

TEST_F(ArchiveTest, IsPrivateAndLeavesNothingBeside) {
  write_sample();
  write_sample();
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(ArchiveTest, IsNotWrittenWithoutItsContents) {
  const auto written = write(path_, sample_recording(), {});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("are missing"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ArchiveTest, SaysWhyItCannotBeWritten) {
  std::filesystem::create_directory(path_);
  auto written = write(path_, sample_recording(), sample_contents());
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("found a directory"), std::string::npos);
  written = write(folder_ / "missing" / "x", sample_recording(), sample_contents());
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("cannot be created: No such file"), std::string::npos);
}

TEST_F(ArchiveTest, IsWrittenWhereALinkLeads) {
  std::filesystem::create_directory(folder_ / "far");
  std::filesystem::create_symlink("far/file", path_);
  write_sample();
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "far" / "file"));
  write_sample();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "far"), {}), 1);
}

TEST_F(ArchiveTest, TakesThePlaceOfNothingButAFile) {
  const auto error_of = [](const std::filesystem::path& output) {
    const auto written = write(output, sample_recording(), sample_contents());
    return written ? "written" : written.error().message;
  };
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_NE(error_of(path_).find("found a FIFO"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_fifo(path_));
  EXPECT_NE(error_of("/dev/null").find("found a device"), std::string::npos);
  EXPECT_NE(error_of("").find("found no name"), std::string::npos);
  std::filesystem::create_symlink("loop", folder_ / "loop");
  EXPECT_NE(error_of(folder_ / "loop").find("leads nowhere"), std::string::npos);
}

TEST_F(ArchiveTest, HoldsTextThatIsNotUtf8) {
  Recording recording = sample_recording();
  recording.allocations[0].info.name = "caf\xc3\xa9 \xff \xed\xa0\x80";
  ASSERT_TRUE(write(path_, recording, sample_contents()));
  const auto read = Archive::open(path_)->recording();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->allocations[0].info.name,
            "caf\xc3\xa9 \xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_F(ArchiveTest, SaysWhatIsNoArchive) {
  EXPECT_EQ(open_error(), path_.string() + " does not exist");
  const std::string no_archive = path_.string() +
                                 " is no archive: expected an SQLite file that "
                                 "`compass-capture record` wrote, found ";
  replace_file("");
  EXPECT_EQ(open_error(), no_archive + "an empty file");
  replace_file("hello");
  EXPECT_EQ(open_error(), no_archive + "a file of 5 bytes that starts with 68 65 6c 6c 6f");
  replace_file("CMPSJRNL" + std::string(200, 'x'));
  EXPECT_EQ(open_error(), no_archive + "a journal: `compass-capture seal` makes an archive of it");
  replace_file("");
  run_sql("CREATE TABLE t (x)");
  EXPECT_EQ(open_error(), no_archive + "one with application id 0x00000000");
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(open_error(), no_archive + "a directory");
}

TEST_F(ArchiveTest, RefusesANewerFormat) {
  write_sample();
  run_sql("PRAGMA user_version = 3");
  EXPECT_EQ(open_error(), path_.string() + " has format version 3, this program reads 1 to 2");
}

TEST_F(ArchiveTest, NamesThePlaceOfWhatIsWrong) {
  const std::string archive = "archive " + path_.string() + ": ";
  write_sample();
  run_sql("UPDATE record SET step = 9 WHERE sequence = 9");
  EXPECT_EQ(recording_error(), archive + "record 9: names step 9, there are 1");
  write_sample();
  run_sql("UPDATE record SET sequence = 100 WHERE sequence = 44");
  EXPECT_EQ(recording_error(), archive + "record 44: is numbered 100");
  write_sample();
  run_sql("UPDATE kernel SET message = x'ff'");
  EXPECT_EQ(recording_error(), archive + "table kernel, row 1: not a message compass.ir.v1.Kernel");
  write_sample();
  run_sql("DELETE FROM launch");
  EXPECT_EQ(recording_error(), archive + "record 9: names launch 1, there are 0");
  write_sample();
  run_sql("UPDATE allocation SET message = (SELECT message FROM allocation WHERE id = 1)");
  EXPECT_EQ(recording_error(), archive + "table allocation, row 2: is numbered 1");
  write_sample();
  run_sql("DROP TABLE step");
  EXPECT_EQ(recording_error(), path_.string() + kForeignStep);
}

TEST_F(ArchiveTest, RunsNoViewInPlaceOfATable) {
  write_sample();
  run_sql(
      "DROP TABLE step; CREATE VIEW step AS WITH RECURSIVE n(x) AS "
      "(SELECT 1 UNION ALL SELECT x FROM n) SELECT x AS message, x AS id FROM n");
  EXPECT_EQ(recording_error(), path_.string() + kForeignStep);
}

TEST_F(ArchiveTest, ComputesNoColumn) {
  write_sample();
  run_sql(
      "DROP TABLE step; CREATE TABLE step (id INTEGER PRIMARY KEY, message BLOB AS "
      "(zeroblob(900000000))); INSERT INTO step (id) VALUES (1)");
  EXPECT_EQ(recording_error(), path_.string() + kForeignStep);
}

TEST_F(ArchiveTest, RefusesKernelsOfAbsurdSizes) {
  Recording recording = sample_recording();
  recording.kernels[0].kernarg_size_bytes = 0xffff'fff0;
  const auto written = write(path_, recording, sample_contents());
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find(
                "kernel 1: has 4294967280 bytes of kernarg, at most 1048576 are allowed"),
            std::string::npos);
}

TEST_F(ArchiveTest, ChecksContents) {
  const std::string ids = sha256(as_byte_view(kSampleIds));
  const auto error_after = [&](const std::string& sql) {
    write_sample();
    run_sql(sql + " WHERE sha256 = '" + ids + "'");
    const auto content = Archive::open(path_)->content(ids);
    return content ? "read" : content.error().message;
  };
  const std::string place = "archive " + path_.string() + ", content " + ids + ": ";
  EXPECT_EQ(error_after("DELETE FROM blob"), place + "the archive does not hold it");
  EXPECT_EQ(error_after("UPDATE blob SET size_bytes = 9"),
            place + "the zstandard frame holds 8 bytes, its row says 9");
  EXPECT_EQ(error_after("UPDATE blob SET zstd = x'00'"), place + "no zstandard frame with a size");
  EXPECT_NE(error_after("UPDATE blob SET size_bytes = -1").find("the most is"), std::string::npos);
  EXPECT_NE(error_after("UPDATE blob SET (size_bytes, zstd) = (SELECT size_bytes, zstd FROM blob "
                        "ORDER BY size_bytes DESC LIMIT 1)")
                .find("its bytes have the SHA-256 "),
            std::string::npos);
}

TEST_F(ArchiveTest, SurvivesBeingCutAnywhere) {
  write_sample();
  std::uintmax_t size = std::filesystem::file_size(path_);
  while (size != 0) {
    size -= size <= 200 ? 1 : 97;
    std::filesystem::resize_file(path_, size);
    EXPECT_NE(open_error(), "opened") << size;
  }
}

TEST_F(ArchiveTest, SurvivesFlippedBits) {
  write_sample();
  const std::string whole = bytes_of_file();
  std::uint32_t random = 1;
  for (int round = 0; round < 1000; ++round) {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    std::map<std::size_t, char> damaged;
    for (int flips = 0; flips <= round % 3; ++flips) {
      random = random * 1664525 + 1013904223;
      const std::size_t place = (random >> 3) % whole.size();
      damaged[place] = static_cast<char>(whole[place] ^ (1 << (random & 7)));
    }
    for (const auto& [place, byte] : damaged) {
      file.seekp(static_cast<std::streamoff>(place)).put(byte);
    }
    file.flush();
    read_everything();
    for (const auto& [place, byte] : damaged) {
      file.seekp(static_cast<std::streamoff>(place)).put(whole[place]);
    }
  }
}

TEST_F(ArchiveTest, ListsLaunchesAndCopiesInHostOrder) {
  Recording recording = sample_recording();
  recording.launches.push_back(recording.launches[0]);
  recording.launches[1].id = {2};
  recording.launches[1].dynamic_lds_bytes = 0;
  for (const std::uint32_t launch : {2u, 1u, 2u}) {
    Record record = recording.records[8];
    record.sequence = recording.records.size() + 1;
    record.body = LaunchKernel{{launch}};
    recording.records.push_back(record);
  }
  ASSERT_TRUE(write(path_, recording, sample_contents()));
  const auto database = Database::open_to_write(path_);
  ASSERT_TRUE(database);
  const auto column = [&](const std::string& sql) {
    auto rows = database->prepare(sql);
    EXPECT_TRUE(rows) << rows.error().message;
    std::string text;
    while (*rows->step()) text += concat(rows->text(0), ' ');
    return text;
  };
  EXPECT_EQ(column("SELECT record FROM launches"), "9 35 35 35 45 46 47 ");
  EXPECT_EQ(column("SELECT node FROM launches WHERE phase = 'replay'"), "26 26 26 ");
  EXPECT_EQ(column("SELECT launch FROM launches WHERE distinct_launch = 2"), "5 7 ");
  EXPECT_EQ(column("SELECT record FROM copies"), "5 15 20 ");
}

TEST_F(ArchiveTest, RefusesAStatusThatIsNone) {
  write_sample();
  run_sql("UPDATE record SET status = -1 WHERE sequence = 9");
  EXPECT_NE(recording_error().find("record 9: status "), std::string::npos);
}

TEST_F(ArchiveTest, ShowsNamesInItsViews) {
  write_sample();
  const auto database = Database::open_to_write(path_);
  ASSERT_TRUE(database);
  const auto first_row = [&](const std::string& sql) {
    auto row = database->prepare(sql);
    EXPECT_TRUE(row) << row.error().message;
    const auto found = row->step();
    EXPECT_TRUE(found && *found) << sql;
    std::string text;
    for (int i = 0; i < 4; ++i) text += concat(i == 0 ? "" : "|", row->text(i));
    return text;
  };
  EXPECT_EQ(first_row("SELECT record, step, kernel, grid_y FROM launches"),
            "9|1|axpy(float*, float, int)|2");
  EXPECT_EQ(first_row("SELECT launch, distinct_launch, status, record FROM launches"), "1|1|0|9");
  EXPECT_EQ(first_row("SELECT record, status, direction, wait FROM copies WHERE status <> 0"),
            "15|719|d2h|blocking");
  EXPECT_EQ(
      first_row("SELECT distinct_launch, name, hex(1), value FROM arguments WHERE name = 'a'"),
      "1|a|31|01000080");
  EXPECT_EQ(first_row("SELECT name, allocation_name, allocation_offset, size_bytes FROM arguments"),
            "x|hidden|16|8");
  EXPECT_EQ(first_row("SELECT direction, destination_name, size_bytes, wait FROM copies"),
            "h2d|hidden|8|async");
  EXPECT_EQ(first_row("SELECT name, shape, allocated_by, freed_by FROM allocations"),
            "hidden|3x256|3|19");
  EXPECT_EQ(first_row("SELECT name, target, launches, vgpr_count FROM kernels"),
            "axpy(float*, float, int)|gfx950|4|8");
  EXPECT_EQ(first_row("SELECT kind, launches, first_record, last_record FROM steps"),
            "decode|1|8|10");
}

}  // namespace
}  // namespace compass::archive
