// SPDX-License-Identifier: MIT
#include "ir/journal/append_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace compass::journal {
namespace {

using namespace std::chrono_literals;

class AppendFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "append_file_test.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ / "file";
    auto file = AppendFile::create(path_.c_str(), kBufferBytes);
    ASSERT_TRUE(file) << file.error().message;
    file_ = std::move(file).value();
  }
  void TearDown() override {
    if (server_.joinable()) {
      file_->end();
      server_.join();
    }
    std::filesystem::remove_all(folder_);
  }

  void serve() {
    file_->set_served(AppendFile::Served::kYes);
    server_ = std::thread([file = file_] {
      for (;;) {
        const AppendFile::Work work = file->work();
        if (work == AppendFile::Work::kOver) return;
        if (work == AppendFile::Work::kNone) file->wait_for_work(1s);
      }
    });
  }
  /// Appends `size_bytes`, a multiple of four, of which each word is another.
  bool append(std::uint64_t size_bytes) {
    std::string bytes;
    while (bytes.size() < size_bytes) {
      const std::uint32_t word = ++words_;
      bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    expected_ += bytes;
    return file_->append(load<std::uint32_t>(as_byte_view(bytes)),
                         as_byte_view(bytes).subspan(sizeof(std::uint32_t)));
  }
  std::string bytes_of_file() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Of this process, of the file.
  std::uint64_t mapped_bytes() const {
    std::ifstream maps("/proc/self/maps");
    std::uint64_t total = 0, begin = 0, end = 0;
    for (std::string line; std::getline(maps, line);) {
      if (line.find(path_.native()) == std::string::npos) continue;
      if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2) total += end - begin;
    }
    return total;
  }

  static constexpr std::uint64_t kBufferBytes = 1 << 20;
  std::filesystem::path folder_, path_;
  std::shared_ptr<AppendFile> file_;
  std::thread server_;
  std::string expected_;
  std::uint32_t words_ = 0;
};

TEST_F(AppendFileTest, HoldsWhatWasAppendedAndZerosAfterIt) {
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(append(4 * (1 + i % 777)));
  const std::string bytes = bytes_of_file();  // as a kill would leave it
  ASSERT_GE(bytes.size(), expected_.size());
  EXPECT_EQ(bytes.substr(0, expected_.size()), expected_);
  EXPECT_EQ(bytes.find_first_not_of('\0', expected_.size()), std::string::npos);
  file_->end();
  EXPECT_EQ(bytes_of_file(), expected_);
}

TEST_F(AppendFileTest, IsTheSameWithASecondThread) {
  serve();
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(append(4 * (1 + i % 777)));
  const std::string bytes = bytes_of_file();
  EXPECT_EQ(bytes.substr(0, expected_.size()), expected_);
}

TEST_F(AppendFileTest, MapsNoMoreThanTheBufferHoweverMuchIsAppended) {
  for (const bool is_served : {false, true}) {
    if (is_served) serve();
    std::uint64_t most = 0;
    for (int i = 0; i < 400; ++i) {
      ASSERT_TRUE(append(16'384));
      if (i % 16 == 0) most = std::max(most, mapped_bytes());
    }
    EXPECT_LE(most, kBufferBytes) << "served: " << is_served;
    EXPECT_GT(most, 0u);
  }
}

TEST_F(AppendFileTest, MapsNoMoreThanTheBufferForBytesThatAreMore) {
  serve();
  ASSERT_TRUE(append(4 * kBufferBytes));
  EXPECT_LE(mapped_bytes(), kBufferBytes + (64 << 10));
  EXPECT_EQ(bytes_of_file().substr(0, expected_.size()), expected_);
}

TEST_F(AppendFileTest, ASecondThreadThatNeverRunsKeepsNobodyWaiting) {
  file_->set_served(AppendFile::Served::kYes);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(append(16'384));
  EXPECT_EQ(bytes_of_file().substr(0, expected_.size()), expected_);
}

TEST_F(AppendFileTest, ContentsAreRefusedWhileTheDiskIsBehindAndTakenWhenItIsNot) {
  file_->set_served(AppendFile::Served::kYes);  // by nobody: nothing gets onto the disk
  constexpr std::uint64_t kPart = 32 << 10;
  std::uint64_t appended = 0;
  EXPECT_TRUE(file_->has_room_for_contents(16 * kBufferBytes)) << "it would have all there is";
  while (file_->has_room_for_contents(kPart)) {
    ASSERT_TRUE(append(kPart));
    ASSERT_LE(appended += kPart, kBufferBytes);
  }
  EXPECT_GE(appended, kBufferBytes / 2);
  EXPECT_FALSE(file_->has_room_for_contents(16 * kBufferBytes));
  ASSERT_TRUE(append(kPart)) << "what is no contents is never refused";
  serve();
  for (int i = 0; i < 1000 && !file_->has_room_for_contents(kPart); ++i) {
    std::this_thread::sleep_for(10ms);
    if (i % 8 != 0) continue;
    ASSERT_TRUE(append(64 << 10));
  }
  EXPECT_TRUE(file_->has_room_for_contents(kPart));
}

TEST_F(AppendFileTest, IsTheParentsOnceAbandoned) {
  ASSERT_TRUE(append(1 << 16));
  file_->abandon();
  EXPECT_EQ(bytes_of_file().substr(0, expected_.size()), expected_);
}

}  // namespace
}  // namespace compass::journal
