// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "ir/archive/query.h"
#include "ir/archive/reader.h"
#include "ir/archive/rewrite.h"
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
  void ask(const std::string& sql) const {
    auto query = Query::open(path_, sql);
    if (!query) return;
    for (int rows = 0; rows < 1000; ++rows) {
      const auto more = query->step();
      if (!more || !*more) return;
      for (std::size_t i = 0; i < query->columns().size(); ++i) {
        static_cast<void>(query->value(i));
      }
    }
  }
  static std::string bytes_in(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Reads all that can be read: what a damaged file must survive.
  void read_everything() const {
    const auto archive = Archive::open(path_);
    if (!archive) return;
    const auto processes = archive->processes();
    const std::size_t count = processes ? processes->size() : 1;
    EXPECT_LE(count, 1000u);
    for (std::uint32_t id = 1; id <= count; ++id) {
      const auto recording = archive->recording({id});
      if (recording) {
        EXPECT_LE(recording->records.size(), 1000u);
      }
      const auto outline = archive->outline({id});
      if (outline) {
        EXPECT_LE(
            peak_of(AllocationKind::kDevice, outline->recording, outline->tally).allocations.size(),
            1000u);
      }
      const auto steps = archive->steps({id}, {{1}, {2}});
      if (steps) {
        EXPECT_LE(steps->records.size(), 1000u);
      }
    }
    static_cast<void>(archive->sizes().has_value());
    static_cast<void>(archive->recorder().has_value());
    static_cast<void>(archive->call_sites({1}).has_value());
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
  run_sql("PRAGMA user_version = 5");
  EXPECT_EQ(open_error(), path_.string() + " has format version 5, this program reads 1 to 4");
}

TEST_F(ArchiveTest, NamesThePlaceOfWhatIsWrong) {
  const std::string archive = "archive " + path_.string() + ": ";
  write_sample();
  run_sql("UPDATE context SET step = 9 WHERE phase = 'warmup'");
  EXPECT_EQ(recording_error(), archive + "record 9: names step 9, there are 1");
  write_sample();
  run_sql("UPDATE record SET id = 100 WHERE id = 44");
  EXPECT_EQ(recording_error(), archive + "record 44: is numbered 45");
  write_sample();
  run_sql("DELETE FROM record WHERE id = 45");
  EXPECT_EQ(recording_error(), archive + "has 44 records of 45");
  write_sample();
  run_sql("UPDATE record SET context = 99 WHERE id = 7");
  EXPECT_EQ(recording_error(),
            archive + "record 7: names context 99, which the process does not have");
  write_sample();
  run_sql("UPDATE record SET kind = 0 WHERE id = 6");
  EXPECT_EQ(recording_error(), archive + "record 6: is a fill of another kind");
  write_sample();
  run_sql("UPDATE record SET offsets = x'0f0203' WHERE id = 45");
  EXPECT_EQ(recording_error(),
            archive + "record 45: names offset 983555 of allocation 1, which holds 131072 bytes");
  write_sample();
  run_sql("UPDATE record SET offsets = x'010203040506070809' WHERE id = 45");
  EXPECT_EQ(recording_error(), archive + "record 45: has 9 bytes of offsets for 1 pointers");
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

TEST_F(ArchiveTest, NamesWhatIsWrongWithCoverage) {
  const std::string archive = "archive " + path_.string() + ": ";
  const auto error_after = [&](const std::string& sql) {
    write_sample();
    run_sql(sql);
    return recording_error();
  };
  EXPECT_EQ(error_after("UPDATE coverage_gap SET record = 1"),
            archive + "the coverage of record 1 is of no launch");
  EXPECT_EQ(error_after("UPDATE coverage_gap SET reason = 7"),
            archive +
                "table coverage_gap: record 9 has reason 7 and node 0, there are 1 reasons "
                "and 45 records");
  EXPECT_EQ(error_after("UPDATE coverage SET launches = 0"),
            archive + "the coverage lacks 1 of 0 launches");
  EXPECT_EQ(error_after("UPDATE coverage_reason SET id = 3"),
            archive + "table coverage_reason: is numbered 3");
  EXPECT_EQ(error_after("UPDATE instruction_run SET basis = 'hope' WHERE mnemonic = 's_endpgm'"),
            archive + "table instruction_run: s_endpgm rests on 'hope'");
}

TEST_F(ArchiveTest, IsRewrittenToTheByte) {
  write_sample();
  const std::filesystem::path other = folder_ / "other.compass";
  const auto rewrite_to = [&](const std::filesystem::path& output, bool changes) {
    const auto archive = Archive::open(path_);
    ASSERT_TRUE(archive);
    const auto written = rewrite(*archive, output, [&](Recording& recording) {
      if (changes) recording.coverage.reset();
      return Result<void>();
    });
    ASSERT_TRUE(written) << written.error().message;
  };
  rewrite_to(other, false);
  EXPECT_EQ(bytes_in(other), bytes_in(path_));
  rewrite_to(path_, true);
  EXPECT_NE(bytes_in(other), bytes_in(path_));
  EXPECT_FALSE(Archive::open(path_)->recording()->coverage);
}

TEST_F(ArchiveTest, IsNotRewrittenWhereTheChangeFails) {
  write_sample();
  const std::string before = bytes_in(path_);
  const auto written = rewrite(*Archive::open(path_), path_, [](Recording&) {
    return Result<void>(Error{ErrorCode::kInvalid, "no"});
  });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "no");
  EXPECT_EQ(bytes_in(path_), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
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
  for (int round = 0; round < 400; ++round) {
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

TEST_F(ArchiveTest, RefusesAStatusThatIsNone) {
  write_sample();
  run_sql("UPDATE record SET status = -1 WHERE id = 9");
  EXPECT_NE(recording_error().find("record 9: status "), std::string::npos);
}

TEST_F(ArchiveTest, RefusesProcessesThatDoNotFollowEachOther) {
  const std::string place = "archive " + path_.string() + ": table process, row 1: ";
  write_sample();
  run_sql("UPDATE process SET first_record = 2");
  EXPECT_EQ(recording_error(), place + "its records start at 2, expected 1");
  write_sample();
  run_sql("UPDATE process SET records = -1");
  EXPECT_NE(recording_error().find("has 18446744073709551615 records in a file of "),
            std::string::npos);
  write_sample();
  run_sql("UPDATE process SET parent = 1");
  EXPECT_EQ(recording_error(), place + "has the parent 1");
  write_sample();
  run_sql("UPDATE process SET rank = -7");
  EXPECT_EQ(recording_error(), place + "rank 18446744073709551609 is no id");
  write_sample();
  run_sql("DELETE FROM process");
  EXPECT_EQ(recording_error(), "archive " + path_.string() + ": table process: the table is empty");
}

class ProcessesTest : public ArchiveTest {
 protected:
  void write_two() {
    auto writer = Writer::create(path_);
    ASSERT_TRUE(writer) << writer.error().message;
    Recording second = sample_recording();
    second.process = {{2}, {1}, {}, {}};
    second.program = "scheduler";
    second.records.resize(24);
    second.launch_accesses.resize(1);  // of the rest
    second.records[4].phase = "a phase of its own";
    second_ = everything(second);
    ASSERT_TRUE(writer->add(sample_recording(), sample_contents()));
    ASSERT_TRUE(writer->add(second, sample_contents()));
    const auto finished = std::move(*writer).finish();
    ASSERT_TRUE(finished) << finished.error().message;
  }
  std::string second_;
};

TEST_F(ProcessesTest, AreGivenBackEachByItself) {
  write_two();
  const auto archive = Archive::open(path_);
  ASSERT_TRUE(archive) << archive.error().message;
  const auto processes = archive->processes();
  ASSERT_TRUE(processes) << processes.error().message;
  ASSERT_EQ(processes->size(), 2u);
  EXPECT_EQ((*processes)[0].program, "decoder");
  EXPECT_EQ((*processes)[0].process.rank, 3u);
  EXPECT_EQ((*processes)[1].program, "scheduler");
  EXPECT_EQ((*processes)[1].process.parent.value, 1u);
  EXPECT_TRUE((*processes)[1].records.empty());
  const auto first = archive->recording({1});
  const auto second = archive->recording({2});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(everything(*first), everything(sample_recording()));
  EXPECT_EQ(everything(*second), second_);
}

TEST_F(ProcessesTest, SayWhichOfThemIsDamagedOrAbsent) {
  write_two();
  const std::string place = "archive " + path_.string() + ": ";
  run_sql("UPDATE record SET status = -1 WHERE id = 47");
  const auto archive = Archive::open(path_);
  EXPECT_TRUE(archive->recording({1}));
  EXPECT_EQ(archive->recording({2}).error().message.find(place + "process 2: record 2: status "),
            0u);
  EXPECT_EQ(archive->recording({3}).error().message, place + "there is no process 3: it has 2");
}

TEST_F(ProcessesTest, TakeNoRecordOfEachOther) {
  write_two();
  run_sql("UPDATE record SET context = (SELECT context FROM record WHERE id = 1) WHERE id = 47");
  const auto read = Archive::open(path_)->recording({2});
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("process 2: record 2: names context 1, which the process"),
            std::string::npos);
}

TEST_F(ProcessesTest, AreWrittenInTheirOrder) {
  auto writer = Writer::create(path_);
  ASSERT_TRUE(writer);
  Recording second = sample_recording();
  second.process.id = {2};
  const auto added = writer->add(second, sample_contents());
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("process 2 where 1 is due"), std::string::npos);
}

TEST_F(ProcessesTest, SurviveAnyByteThatIsAnother) {
  write_two();
  const std::string whole = bytes_of_file();
  // Of the bytes that are not zero, some: to be quick. Others are tried by the fuzz target.
  std::size_t count = 0;
  for (std::size_t place = 0; place < whole.size(); ++place) {
    if (whole[place] == 0 || ++count % 61 != 0) continue;
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(place)).put(static_cast<char>(~whole[place]));
    file.flush();
    read_everything();
    ask("SELECT * FROM launch_arguments JOIN records USING (process, record)");
    ask("SELECT * FROM kernels, steps, launch_numbers");
    file.seekp(static_cast<std::streamoff>(place)).put(whole[place]);
  }
  EXPECT_GT(count, 5'000u);
}

TEST_F(ArchiveTest, TellsSizesAndWhoWroteIt) {
  write_sample();
  const auto archive = Archive::open(path_);
  const auto sizes = archive->sizes();
  ASSERT_TRUE(sizes) << sizes.error().message;
  EXPECT_EQ(sizes->file_bytes, std::filesystem::file_size(path_));
  EXPECT_EQ(sizes->code.count, 1u);
  EXPECT_EQ(sizes->code.size_bytes, kSampleElf.size());
  EXPECT_LT(sizes->code.stored_bytes, kSampleElf.size());
  EXPECT_EQ(sizes->contents.count, 1u);
  EXPECT_EQ(sizes->contents.size_bytes, kSampleIds.size());
  EXPECT_EQ(archive->recorder().value().find("compass-capture "), 0u);
}

TEST_F(ArchiveTest, OutlinesAProcessAsItsRecordsHaveIt) {
  write_sample();
  const auto outline = Archive::open(path_)->outline({1});
  ASSERT_TRUE(outline) << outline.error().message;
  EXPECT_TRUE(outline->recording.records.empty());
  EXPECT_EQ(outline->recording.kernels.size(), 1u);
  const Tally expected = tally_of(sample_recording());
  EXPECT_EQ(outline->tally.launches, expected.launches);
  for (std::size_t i = 0; i < expected.lifetimes.size(); ++i) {
    EXPECT_EQ(outline->tally.lifetimes[i].allocated_by, expected.lifetimes[i].allocated_by);
    EXPECT_EQ(outline->tally.lifetimes[i].freed_by, expected.lifetimes[i].freed_by);
  }
  for (std::size_t i = 0; i < expected.kinds.size(); ++i) {
    EXPECT_EQ(outline->tally.kinds[i].records, expected.kinds[i].records);
    EXPECT_EQ(outline->tally.kinds[i].failed, expected.kinds[i].failed);
  }
  EXPECT_EQ(outline->tally.steps[0].first_record, 8u);
  EXPECT_EQ(outline->tally.steps[0].last_record, 10u);
}

TEST_F(ArchiveTest, ReadsAStepAloneWithTheFreesBeforeIt) {
  Recording sample = sample_recording();
  sample.steps.push_back(sample.steps[0]);
  sample.steps[1].id = {2};
  for (const RecordBody& body :
       {RecordBody(BeginStep{}), RecordBody(EmptyNode{}), RecordBody(EndStep{})}) {
    Record record = sample.records[36];
    record.sequence = sample.records.size() + 1;
    record.step = {std::holds_alternative<EmptyNode>(body) ? 0u : 2u};
    record.body = body;
    sample.records.push_back(record);
  }
  const auto written = write(path_, sample, sample_contents());
  ASSERT_TRUE(written) << written.error().message;
  const auto archive = Archive::open(path_);
  const auto numbers = [&](std::uint32_t step) {
    const auto read = archive->steps({1}, {{step}, {step}});
    if (!read) return read.error().message;
    std::string all;
    for (const Record& record : read->records) all += concat(record.sequence, ' ');
    return all;
  };
  EXPECT_EQ(numbers(1), "8 9 10 ");
  EXPECT_EQ(numbers(2), "19 24 44 46 48 ");
  EXPECT_EQ(numbers(3), "");
  const auto read = archive->steps({1}, {{1}, {9}});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->records.size(), 5u);
  EXPECT_EQ(read->records.back().sequence, 48u);
  EXPECT_EQ(encode(read->records[0]), encode(sample.records[7]));
  EXPECT_EQ(read->first_uses.at(0).kernel.value, 1u);
  run_sql("UPDATE step SET last_record = 2 WHERE id = 2");
  EXPECT_EQ(Archive::open(path_)->steps({1}, {{2}, {2}}).error().message,
            "archive " + path_.string() +
                ": table step: steps 2 to 2 are said to be from record 46 to 2");
}

}  // namespace
}  // namespace compass::archive
