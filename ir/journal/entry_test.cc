// SPDX-License-Identifier: MIT
#include "ir/journal/entry.h"

#include <gtest/gtest.h>

#include "ir/journal/examples_for_test.h"

namespace compass::journal {
namespace {

Bytes encoded(const Entry& entry) {
  Bytes bytes;
  encode(entry, bytes);
  return bytes;
}

TEST(Entry, EveryKindSurvivesARoundTrip) {
  const std::vector<Entry> entries = one_of_each_kind();
  ASSERT_EQ(entries.size(), std::variant_size_v<Body>);
  for (std::size_t kind = 0; kind < entries.size(); ++kind) {
    ASSERT_EQ(entries[kind].body.index(), kind);
    const Bytes bytes = encoded(entries[kind]);
    const Result<Entry> decoded = decode(bytes);
    ASSERT_TRUE(decoded) << "kind " << kind << ": " << decoded.error().message;
    EXPECT_EQ(decoded->thread, entries[kind].thread);
    EXPECT_EQ(decoded->captured, entries[kind].captured);
    EXPECT_EQ(decoded->body.index(), kind);
    EXPECT_EQ(encoded(*decoded), bytes) << "kind " << kind;
  }
}

TEST(Entry, FieldsKeepTheirValues) {
  const Result<Entry> decoded = decode(encoded(one_of_each_kind()[16]));
  ASSERT_TRUE(decoded);
  const Launch& launch = std::get<Launch>(decoded->body);
  EXPECT_EQ(launch.host_function, 0x401230u);
  EXPECT_EQ(launch.grid_workgroups, (std::array<std::uint32_t, 3>{64, 2, 1}));
  EXPECT_EQ(launch.dynamic_lds_bytes, 4096u);
  EXPECT_EQ(as_text(launch.kernarg), "kernarg");
}

TEST(Entry, EveryTruncationIsAnError) {
  for (const Entry& entry : one_of_each_kind()) {
    const Bytes bytes = encoded(entry);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(decode(ByteView(bytes).first(size))) << entry.body.index() << " at " << size;
    }
  }
}

TEST(Entry, BytesAfterTheLastFieldAreAnError) {
  for (const Entry& entry : one_of_each_kind()) {
    Bytes bytes = encoded(entry);
    bytes.push_back(std::byte{0});
    const Result<Entry> decoded = decode(bytes);
    ASSERT_FALSE(decoded);
    EXPECT_EQ(decoded.error().message, "entry has 1 bytes after its last field");
  }
}

TEST(Entry, AnUnknownKindIsAnError) {
  Bytes bytes = encoded({.thread = 1, .body = End{}});
  bytes[4] = std::byte{200};
  const Result<Entry> decoded = decode(bytes);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().message, "entry of unknown kind 200");
}

TEST(Entry, AnEnumerationOutOfRangeIsAnError) {
  Bytes bytes = encoded({.thread = 1, .body = Allocate{MemoryKind::kDevice, 1, 2}});
  bytes[5] = std::byte{3};
  EXPECT_FALSE(decode(bytes));
}

TEST(Entry, AHugeSizeIsAnErrorAndNotAnAllocation) {
  Bytes bytes = encoded({.thread = 1, .body = FatBinary{.handle = 1, .bytes = {}}});
  for (std::size_t i = bytes.size() - 8; i < bytes.size(); ++i) bytes[i] = std::byte{0xFF};
  EXPECT_FALSE(decode(bytes));
}

// Whatever a changed byte makes of an entry, decoding ends, and what it accepts it writes the same.
TEST(Entry, AnyChangedByteIsReadOrRefused) {
  for (const Entry& entry : one_of_each_kind()) {
    const Bytes bytes = encoded(entry);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const unsigned mask : {0x01u, 0x80u, 0xFFu}) {
        Bytes changed = bytes;
        changed[at] ^= static_cast<std::byte>(mask);
        const Result<Entry> decoded = decode(changed);
        if (decoded) {
          EXPECT_EQ(encoded(*decoded), changed);
        }
      }
    }
  }
}

}  // namespace
}  // namespace compass::journal
