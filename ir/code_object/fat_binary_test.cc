// SPDX-License-Identifier: MIT
#include "ir/code_object/fat_binary.h"

#include <gtest/gtest.h>

#include <utility>

#include "ir/code_object/test_inputs.h"

namespace compass {
namespace {

void put(Bytes& out, std::uint64_t value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}
void put(Bytes& out, std::string_view text) {
  out.insert(out.end(), as_byte_view(text).begin(), as_byte_view(text).end());
}

/// An offload bundle of the given ids and contents.
Bytes make_bundle(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::uint64_t offset = 4096;
  Bytes bundle;
  put(bundle, "__CLANG_OFFLOAD_BUNDLE__");
  put(bundle, entries.size());
  for (const auto& [id, content] : entries) {
    put(bundle, offset);
    put(bundle, content.size());
    put(bundle, id.size());
    put(bundle, id);
    offset += content.size();
  }
  bundle.resize(4096);
  for (const auto& [id, content] : entries) put(bundle, content);
  return bundle;
}

Bytes three_targets() {
  return make_bundle({{"host-x86_64-unknown-linux-gnu-", ""},
                      {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", "one"},
                      {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "second"},
                      {"hip-amdgcn-amd-amdhsa-gfx950", "third"}});
}

Result<std::vector<FatBinaryEntry>> read_plain(ByteView bytes) {
  Bytes decompressed;
  auto entries = read_fat_binary(bytes, decompressed);
  EXPECT_TRUE(decompressed.empty());
  return entries;
}

/// Entries of these targets, their contents the targets' names.
std::string selected(const std::vector<std::string>& targets, std::string_view architecture) {
  std::vector<FatBinaryEntry> entries;
  for (const std::string& target : targets) entries.push_back({target, {}});
  const auto entry = select_entry(entries, architecture);
  return entry ? entry->target : "none";
}

TEST(FatBinary, ListsTheEntriesOfABundle) {
  const Bytes bundle = three_targets();
  const auto entries = read_plain(bundle);
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 4u);
  EXPECT_EQ((*entries)[0].target, "");
  EXPECT_EQ((*entries)[1].target, "gfx90a:xnack-");
  EXPECT_EQ((*entries)[3].target, "gfx950");
  EXPECT_EQ(as_text((*entries)[2].elf), "second");
}

TEST(FatBinary, FindsTheSizeOfABundleFromItsHeader) {
  const Bytes bundle = three_targets();
  const auto size = fat_binary_size(bundle.data());
  ASSERT_TRUE(size) << size.error().message;
  EXPECT_EQ(*size, bundle.size());
  EXPECT_FALSE(fat_binary_size(as_byte_view("neither").data()));
}

TEST(FatBinary, SelectsByProcessorAndFlags) {
  const Bytes bundle = three_targets();
  const auto entries = read_plain(bundle);
  ASSERT_TRUE(entries) << entries.error().message;
  EXPECT_EQ(as_text(select_entry(*entries, "gfx90a:sramecc+:xnack-")->elf), "one");
  EXPECT_EQ(as_text(select_entry(*entries, "gfx90a:sramecc+:xnack+")->elf), "second");
  EXPECT_EQ(as_text(select_entry(*entries, "gfx950:sramecc+:xnack-")->elf), "third");
  EXPECT_EQ(select_entry(*entries, "gfx942").error().message,
            "no code object for gfx942; the fat binary has gfx90a:xnack-, gfx90a:xnack+, gfx950");
  EXPECT_EQ(select_entry({}, "gfx942").error().code, ErrorCode::kNotFound);
}

TEST(FatBinary, PrefersTheTargetThatAsksForMoreAndFits) {
  constexpr std::string_view kGfx942 = "gfx942:sramecc+:xnack-";
  EXPECT_EQ(selected({"gfx942", "gfx942:xnack-"}, kGfx942), "gfx942:xnack-");
  EXPECT_EQ(selected({"gfx942:xnack-", "gfx942:sramecc+:xnack-"}, kGfx942),
            "gfx942:sramecc+:xnack-");
  EXPECT_EQ(selected({"gfx942:xnack+", "gfx942:sramecc-"}, kGfx942), "none");
  EXPECT_EQ(selected({"gfx942:sramecc-", "gfx942"}, kGfx942), "gfx942");
  EXPECT_EQ(selected({"gfx942:xnack+"}, "gfx942"), "gfx942:xnack+") << "it does not say";
  EXPECT_EQ(selected({"gfx94", "gfx9420", ""}, kGfx942), "none");
}

TEST(FatBinary, TakesAGenericTargetWhereThereIsNoExactOne) {
  EXPECT_EQ(selected({"gfx9-4-generic", "gfx950"}, "gfx950:xnack-"), "gfx950");
  EXPECT_EQ(selected({"gfx9-4-generic:xnack-", "gfx950"}, "gfx950:xnack-"), "gfx950");
  EXPECT_EQ(selected({"gfx9-4-generic", "gfx950:xnack+"}, "gfx950:xnack-"), "gfx9-4-generic");
  EXPECT_EQ(selected({"gfx9-4-generic", "gfx9-4-generic:xnack-"}, "gfx942:xnack-"),
            "gfx9-4-generic:xnack-");
  EXPECT_EQ(selected({"gfx9-4-generic:xnack+"}, "gfx942:xnack-"), "none");
  EXPECT_EQ(selected({"gfx9-4-generic", "gfx9-generic"}, "gfx90a"), "none");
}

TEST(FatBinary, TakesABareElf) {
  const Bytes elf = vector_add();
  const auto entries = read_plain(elf);
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ((*entries)[0].target, "gfx950");
  EXPECT_EQ(*fat_binary_size(elf.data()), elf.size());
}

TEST(FatBinary, TakesEveryTruncationAndChangedByte) {
  Bytes bundle = three_targets();
  for (std::size_t size = 0; size < bundle.size(); ++size) {
    EXPECT_FALSE(read_plain(ByteView(bundle).first(size))) << size;
  }
  for (std::size_t i = 0; i < 300; ++i) {
    const std::byte saved = bundle[i];
    bundle[i] = std::byte{0xff};
    static_cast<void>(read_plain(bundle).has_value());
    bundle[i] = saved;
  }
}

}  // namespace
}  // namespace compass
