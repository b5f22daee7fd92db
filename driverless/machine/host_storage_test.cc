// SPDX-License-Identifier: MIT
#include "driverless/machine/host_storage.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace compass {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// Reserved bytes, given back at the end.
class Reserved {
 public:
  Reserved(HostStorage& storage, std::uint64_t size_bytes)
      : storage_(storage), bytes_(storage.reserve(size_bytes), size_bytes) {}
  ~Reserved() { storage_.release(bytes_); }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  std::span<std::byte> all() { return bytes_; }
  std::span<std::byte> part(std::uint64_t offset, std::uint64_t size) {
    return bytes_.subspan(offset, size);
  }
  std::byte& operator[](std::uint64_t offset) { return bytes_[offset]; }

 private:
  HostStorage& storage_;
  std::span<std::byte> bytes_;
};

/// Of this process, in MiB.
double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / static_cast<double>(kMiB);
}

std::uint32_t word_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  std::uint32_t word;
  std::memcpy(&word, &bytes[offset], sizeof word);
  return word;
}

TEST(HostStorage, FillsToTheByteWithEveryWidthAtEveryPlace) {
  HostStorage storage;
  constexpr std::uint64_t kBytes = 17 * kMiB;  // enough for pages that are shared
  Reserved bytes(storage, kBytes);
  for (const std::uint32_t width : {1u, 2u, 4u}) {
    for (std::uint64_t begin = 4094; begin < 4099; ++begin) {
      for (const std::uint64_t size : {std::uint64_t{7}, 16 * kMiB + 8191}) {
        storage.fill(bytes.all(), 0x5A, 1);
        storage.fill(bytes.part(begin, size), 0x04030201, width);
        ASSERT_EQ(bytes[begin - 1], std::byte{0x5A});
        ASSERT_EQ(bytes[begin + size], std::byte{0x5A});
        for (std::uint64_t n = 0; n < size; n += n == 9000 ? size - 18000 : 1) {
          ASSERT_EQ(bytes[begin + n], static_cast<std::byte>(n % width + 1))
              << width << " " << begin << " " << size << " " << n;
        }
      }
    }
  }
}

TEST(HostStorage, WhatIsUniformCostsNoMemory) {
  HostStorage storage;
  Reserved a(storage, 100 * kGiB), b(storage, 100 * kGiB);
  const double before = resident_mib();
  storage.fill(a.all(), 0x7FC0'0000, 4);
  storage.zero(b.part(5, 100 * kGiB - 5));
  storage.copy(b.part(3 * kGiB + 1, 90 * kGiB), a.part(kGiB, 90 * kGiB));
  EXPECT_EQ(word_at(a.all(), 77 * kGiB), 0x7FC0'0000u);
  EXPECT_EQ(word_at(b.all(), 77 * kGiB + 1), 0x7FC0'0000u);
  EXPECT_EQ(word_at(b.all(), 95 * kGiB), 0u);
  EXPECT_EQ(b[3 * kGiB], std::byte{0});
  EXPECT_LT(resident_mib() - before, 50);
}

TEST(HostStorage, ManyFillsShareOnePattern) {
  HostStorage storage;
  Reserved bytes(storage, 100 * kGiB);
  const double before = resident_mib();
  for (std::uint64_t at = 0; at < 100 * kGiB; at += 64 * kMiB) {
    storage.fill(bytes.part(at + 4096, 64 * kMiB - 4096), 0xFF, 1);
  }
  EXPECT_EQ(word_at(bytes.all(), 50 * kGiB + 5000), ~0u);
  EXPECT_EQ(word_at(bytes.all(), 50 * kGiB), 0u);
  EXPECT_LT(resident_mib() - before, 50);
}

TEST(HostStorage, StoresIntoAPatternStayWhereTheyAre) {
  HostStorage storage;
  Reserved a(storage, kGiB), b(storage, kGiB);
  storage.fill(a.all(), 0x11223344, 4);
  std::memset(&a[500 * kMiB], 0x77, 10);
  EXPECT_EQ(word_at(a.all(), 500 * kMiB - 4), 0x11223344u);
  EXPECT_EQ(word_at(a.all(), 500 * kMiB + 32 * kMiB), 0x11223344u) << "shares no store";
  storage.copy(b.all(), a.all());
  EXPECT_EQ(word_at(b.all(), 500 * kMiB + 4), 0x77777777u);
  EXPECT_EQ(word_at(b.all(), 500 * kMiB + 12), 0x11223344u);
  EXPECT_EQ(word_at(b.all(), kGiB - 4), 0x11223344u);
}

TEST(HostStorage, AZeroedPatternIsGone) {
  HostStorage storage;
  Reserved bytes(storage, kGiB);
  storage.fill(bytes.all(), 0xAB, 1);
  storage.discard(bytes.part(4096, 512 * kMiB));
  EXPECT_EQ(bytes[4095], std::byte{0xAB});
  EXPECT_EQ(bytes[4096], std::byte{0});
  EXPECT_EQ(bytes[512 * kMiB], std::byte{0});
  EXPECT_EQ(bytes[512 * kMiB + 4096], std::byte{0xAB});
  storage.zero(bytes.all());
  EXPECT_EQ(bytes[0], std::byte{0});
  EXPECT_EQ(bytes[kGiB - 1], std::byte{0});
}

TEST(HostStorage, CopiesWhatOverlapsLikeMemmove) {
  HostStorage storage;
  Reserved bytes(storage, 16 * kMiB);
  for (std::uint64_t at = 0; at < 16 * kMiB; at += 4) std::memcpy(&bytes[at], &at, 4);
  storage.copy(bytes.part(kMiB, 8 * kMiB), bytes.part(0, 8 * kMiB));
  EXPECT_EQ(word_at(bytes.all(), 9 * kMiB - 4), 8 * kMiB - 4);
  EXPECT_EQ(word_at(bytes.all(), 9 * kMiB), 9 * kMiB);
}

TEST(HostStorage, SetsAndCopiesMemoryThatIsNotItsOwn) {
  HostStorage storage;
  Reserved reserved(storage, 32 * kMiB);
  std::vector<std::byte> other(32 * kMiB, std::byte{1});
  storage.fill(other, 0xBEEF, 2);
  EXPECT_EQ(word_at(other, 32 * kMiB - 4), 0xBEEFBEEFu);
  storage.copy(reserved.all(), other);
  EXPECT_EQ(word_at(reserved.all(), 20 * kMiB), 0xBEEFBEEFu);
  storage.zero(reserved.all());
  storage.copy(other, reserved.all());
  EXPECT_EQ(other, std::vector<std::byte>(32 * kMiB));
  other[5] = std::byte{9};
  storage.discard(other);
  EXPECT_EQ(other, std::vector<std::byte>(32 * kMiB));
}

TEST(HostStorage, LivesOnWhenAProgramClosesItsDescriptors) {
  HostStorage storage;
  Reserved bytes(storage, 128 * kMiB);
  storage.fill(bytes.part(0, 64 * kMiB), 0xAB, 1);
  for (int descriptor = 3; descriptor < 64; ++descriptor) ::close(descriptor);
  const int zeros = ::open("/dev/zero", O_RDONLY);  // gets the first number that is free
  storage.fill(bytes.part(64 * kMiB, 64 * kMiB), 0xAB, 1);
  EXPECT_EQ(bytes[100 * kMiB], std::byte{0xAB});
  EXPECT_EQ(::close(zeros), 0);
}

}  // namespace
}  // namespace compass
