// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "ir/archive/sample_recording.h"
#include "ir/archive/sqlite.h"
#include "ir/archive/writer.h"

namespace compass::archive {
namespace {

class ViewsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "views_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const Recording& recording) {
    const auto written = archive::write(folder_ / "a", recording, sample_contents());
    ASSERT_TRUE(written) << written.error().message;
  }
  /// The rows of a query that has `columns` columns; null is "-".
  std::string rows(const std::string& sql, int columns) const {
    const auto database = Database::open_to_write(folder_ / "a");
    auto row = database->prepare(sql);
    if (!row) return row.error().message;
    std::string text;
    while (*row->step()) {
      for (int i = 0; i < columns; ++i) {
        text += concat(i == 0 ? "" : "|", row->is_null(i) ? "-" : row->text(i));
      }
      text += '\n';
    }
    return text;
  }
  /// A record more, of the sample's launch.
  static void add_launch(Recording& recording, std::vector<std::uint64_t> offsets) {
    Record record = recording.records[8];
    record.sequence = recording.records.size() + 1;
    record.body = LaunchKernel{{1}, std::move(offsets)};
    recording.records.push_back(record);
  }

  std::filesystem::path folder_;
};

TEST_F(ViewsTest, ShowWhatEachLaunchWasGiven) {
  Recording recording = sample_recording();
  add_launch(recording, {0x20000});
  add_launch(recording, {0});
  write(recording);
  EXPECT_EQ(rows("SELECT record, ordinal, name, allocation_name, allocation_offset, value "
                 "FROM launch_arguments WHERE record IN (9, 45, 46, 47) ORDER BY 1, 2",
                 6),
            "9|0|x|hidden|16|-\n9|1|a|-|-|01000080\n"
            "45|0|x|hidden|74565|-\n45|1|a|-|-|01000080\n"
            "46|0|x|hidden|131072|-\n46|1|a|-|-|01000080\n"
            "47|0|x|hidden|0|-\n47|1|a|-|-|01000080\n");
}

TEST_F(ViewsTest, DecodeOffsetsOfEveryWidth) {
  Recording recording = sample_recording();
  recording.allocations[0].size_bytes = ~0ull;
  std::string expected;
  for (int bytes = 1; bytes <= 8; ++bytes) {
    const std::uint64_t offset = 0x0fedcba987654321 >> (64 - 8 * bytes);
    add_launch(recording, {offset});
    expected += concat(recording.records.size(), '|', offset, '\n');
  }
  add_launch(recording, {~0ull});
  expected += concat(recording.records.size(), "|-1\n");  // the same bits
  write(recording);
  EXPECT_EQ(rows("SELECT record, allocation_offset FROM launch_arguments WHERE record > 45 AND "
                 "allocation IS NOT NULL ORDER BY 1",
                 2),
            expected);
}

TEST_F(ViewsTest, ListLaunchesThatGraphsMake) {
  write(sample_recording());
  EXPECT_EQ(rows("SELECT record, phase, node, status, kernel FROM launches ORDER BY 1, 3", 5),
            "9|warmup|-|0|axpy(float*, float, int)\n35|replay|26|0|axpy(float*, float, int)\n"
            "35|replay|26|0|axpy(float*, float, int)\n35|replay|26|0|axpy(float*, float, int)\n"
            "45|eager|-|0|axpy(float*, float, int)\n");
  EXPECT_EQ(rows("SELECT launch, record, node FROM launch_numbers ORDER BY 1", 3),
            "1|9|-\n2|35|26\n3|35|26\n4|35|26\n5|45|-\n");
}

TEST_F(ViewsTest, ShowNamesAndWhatIsKnownOfThings) {
  write(sample_recording());
  EXPECT_EQ(rows("SELECT record, status, direction, wait, destination_name, destination_offset, "
                 "source_name, size_bytes FROM copies",
                 8),
            "5|0|h2d|async|hidden|8|pinned.0|8\n15|719|d2h|blocking|-|-|hidden|0\n"
            "20|0|d2d|async|hidden|0|hidden|64\n");
  EXPECT_EQ(rows("SELECT name, kind, shape, allocated_by, freed_by FROM allocations", 5),
            "hidden|device|3x256|3|19\npinned.0|pinned||4|-\nglobal.0|global||23|24\n"
            "block|device||38|44\n");
  EXPECT_EQ(rows("SELECT name, target, launches, vgpr_count FROM kernels", 4),
            "axpy(float*, float, int)|gfx950|5|8\n");
  EXPECT_EQ(rows("SELECT step, kind, launches, first_record, last_record FROM steps", 5),
            "1|decode|1|8|10\n");
  EXPECT_EQ(rows("SELECT name, allocation_name, allocation_offset, size_bytes, value "
                 "FROM arguments",
                 5),
            "x|hidden|16|8|-\na|-|-|4|01000080\n");
  EXPECT_EQ(rows("SELECT process, parent, rank, ranks, program, records, launches, steps "
                 "FROM processes",
                 8),
            "1|-|3|8|decoder|45|5|1\n");
}

TEST_F(ViewsTest, ListEveryRecord) {
  write(sample_recording());
  EXPECT_EQ(rows("SELECT record, kind, subject, step, phase, stream, thread, captured, status "
                 "FROM records WHERE record IN (1, 9, 15, 19, 26)",
                 9),
            "1|create_stream|-|0|eager|0|1|0|0\n9|launch|1|1|warmup|1|1|0|0\n"
            "15|copy|-|0|eager|1|1|0|719\n19|free|1|0|eager|1|1|0|0\n"
            "26|launch|1|0|captured|1|1|1|0\n");
  EXPECT_EQ(rows("SELECT count(*), count(DISTINCT kind) FROM records", 2), "45|36\n");
}

TEST_F(ViewsTest, ShareListsOfLaunchesThatGraphsRepeat) {
  Recording recording = sample_recording();
  for (int i = 0; i < 2; ++i) {
    Record record = recording.records[34];
    record.sequence = recording.records.size() + 1;
    recording.records.insert(recording.records.begin() + 35, record);
    for (std::size_t at = 0; at < recording.records.size(); ++at) {
      recording.records[at].sequence = at + 1;
    }
  }
  write(recording);
  EXPECT_EQ(rows("SELECT count(*), (SELECT count(*) FROM replay), "
                 "(SELECT count(*) FROM launches WHERE phase = 'replay') FROM replayed_launch",
                 3),
            "3|3|9\n");
}

TEST_F(ViewsTest, ShowWhatLaunchesReadAndWrote) {
  write(sample_recording());
  EXPECT_EQ(rows("SELECT record, node, allocation_name, mode, first_byte, size_bytes, "
                 "stride_bytes, count FROM accesses ORDER BY record, allocation, mode",
                 8),
            "9|-|hidden|read|0|8|64|4\n"
            "9|-|hidden|write|8|4|0|1\n"
            "9|-|pinned.0|write|0|8|0|1\n"
            "35|26|hidden|read|0|8|64|4\n"
            "35|26|hidden|write|8|4|0|1\n"
            "35|26|pinned.0|write|0|8|0|1\n");
  EXPECT_EQ(rows("SELECT record, node, complete, allocation_name, size_bytes FROM index_bytes", 5),
            concat("9|-|0|hidden|", kSampleElf.size(), "\n"));
}

}  // namespace
}  // namespace compass::archive
