// SPDX-License-Identifier: MIT
#include "ir/code_object/compressed_bundle.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ir/code_object/elf.h"
#include "ir/code_object/fat_binary.h"
#include "ir/code_object/test_inputs.h"

namespace compass {
namespace {

Bytes version(int number) {
  return read_test_input("COMPASS_FIXTURE_CORPUS", concat("/fat_binary/version", number, ".ccob"));
}

template <class T>
Bytes changed(Bytes bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

std::string problem_of(ByteView bytes) {
  const auto bundle = decompress_bundle(bytes);
  return bundle ? "none" : bundle.error().message;
}

TEST(CompressedBundle, HoldsTheEntriesThatWereCompressed) {
  for (int number = 1; number <= 3; ++number) {
    SCOPED_TRACE(number);
    const Bytes bytes = version(number);
    Bytes decompressed;
    const auto entries = read_fat_binary(bytes, decompressed);
    ASSERT_TRUE(entries) << entries.error().message;
    ASSERT_EQ(entries->size(), 3u);
    const auto entry = select_entry(*entries, "gfx942:sramecc+:xnack-");
    ASSERT_TRUE(entry) << entry.error().message;
    EXPECT_EQ(entry->target, "gfx942:xnack-");
    EXPECT_TRUE(is_elf(entry->elf));
  }
}

TEST(CompressedBundle, TellsItsSize) {
  for (int number = 1; number <= 3; ++number) {
    Bytes bytes = version(number);
    const std::size_t size = bytes.size();
    bytes.resize(size + 100, std::byte{0x28});  // what follows in the program's memory
    const auto known = fat_binary_size(bytes.data());
    ASSERT_TRUE(known) << known.error().message;
    EXPECT_EQ(*known, size) << number;
    EXPECT_EQ(problem_of(bytes), "none") << number;
  }
}

TEST(CompressedBundle, SaysWhatItDoesNotRead) {
  EXPECT_EQ(problem_of(changed(version(2), 4, std::uint16_t{4})),
            "compressed offload bundle: version 4");
  EXPECT_EQ(problem_of(changed(version(2), 6, std::uint16_t{0})),
            "compressed offload bundle: zlib, only Zstandard is read");
  EXPECT_EQ(fat_binary_size(changed(version(1), 4, std::uint16_t{0}).data()).error().code,
            ErrorCode::kUnsupported);
}

TEST(CompressedBundle, RefusesToUnfoldWithoutBound) {
  // The frame names no size of its own, so that only the header's is there.
  const std::string frame("\x28\xb5\x2f\xfd\x00\x58\x03\x00\x10\x00", 10);
  Bytes bomb = version(3);
  bomb.resize(32);
  bomb.insert(bomb.end(), as_byte_view(frame).begin(), as_byte_view(frame).end());
  bomb = changed(bomb, 8, std::uint64_t{bomb.size()});
  EXPECT_EQ(
      problem_of(changed(bomb, 16, std::uint64_t{1} << 20)),
      "compressed offload bundle: it unfolds from 10 to 1048576 bytes; the most is 1073741824 "
      "and 1024 times its size");
  EXPECT_EQ(problem_of(changed(version(3), 16, ~std::uint64_t{0})),
            "compressed offload bundle: its frame holds 16768 bytes, its header says "
            "18446744073709551615");
}

TEST(CompressedBundle, TakesEveryTruncationAndChangedByte) {
  for (int number = 1; number <= 3; ++number) {
    Bytes bytes = version(number);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(decompress_bundle(ByteView(bytes).first(size))) << size;
    }
    for (std::byte& each : bytes) {
      const std::byte saved = each;
      each = ~each;
      Bytes decompressed;
      static_cast<void>(read_fat_binary(bytes, decompressed).has_value());
      each = saved;
    }
  }
}

}  // namespace
}  // namespace compass
