// SPDX-License-Identifier: MIT
#include "ir/code_object/elf.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ir/code_object/test_inputs.h"

namespace compass {
namespace {

constexpr std::uint64_t kSectionCountOffset = 60;
constexpr std::uint64_t kMachineOffset = 18;

Bytes patched(Bytes bytes, std::uint64_t offset, std::uint16_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

TEST(Elf, ReadsHeaderSegmentsAndSymbols) {
  const Bytes bytes = vector_add();
  const Result<Elf> elf = read_elf(bytes);
  ASSERT_TRUE(elf) << elf.error().message;
  EXPECT_EQ(elf->machine_flags, 0x54fu);
  EXPECT_EQ(elf->abi_version, 3);
  ASSERT_EQ(elf->segments.size(), 3u);
  EXPECT_EQ(elf->segments[1].address, 0x1600u);
  EXPECT_EQ(elf->segments[1].memory_bytes, 0x700u);
  EXPECT_TRUE(elf->segments[1].executable);
  EXPECT_TRUE(elf->segments[2].writable);
  EXPECT_LT(elf->segments[2].bytes.size(), elf->segments[2].memory_bytes);
  ASSERT_EQ(elf->symbols.size(), 2u);
  EXPECT_EQ(elf->symbols[1].name, "vector_add.kd");
  EXPECT_EQ(elf->symbols[1].address, 0x5c0u);
  EXPECT_EQ(elf->symbols[1].size_bytes, 64u);
  EXPECT_FALSE(elf->metadata.empty());
}

TEST(Elf, ResolvesRelocations) {
  const Bytes bytes = two_kernels();
  const Result<Elf> elf = read_elf(bytes);
  ASSERT_TRUE(elf) << elf.error().message;
  const auto named = std::find_if(
      elf->relocations.begin(), elf->relocations.end(),
      [](const ElfRelocation& relocation) { return relocation.symbol_name == "counter"; });
  ASSERT_NE(named, elf->relocations.end());
  EXPECT_EQ(named->type, 3u) << "R_AMDGPU_ABS64";
  EXPECT_FALSE(named->undefined);
  EXPECT_NE(named->symbol_address, 0u);
}

TEST(Elf, NamesTheTargetOfMachineFlags) {
  EXPECT_EQ(target_of_machine_flags(0x54f), "gfx950");
  EXPECT_EQ(target_of_machine_flags(0x64c), "gfx942:xnack-");
  EXPECT_EQ(target_of_machine_flags(0xe4c), "gfx942:sramecc+:xnack-");
  EXPECT_EQ(target_of_machine_flags(0xfe), "machine 0xfe");
}

TEST(Elf, FindsItsSizeFromHeadersAlone) {
  const Bytes bytes = vector_add();
  const Result<std::uint64_t> size = elf_size(bytes.data());
  ASSERT_TRUE(size) << size.error().message;
  EXPECT_EQ(*size, bytes.size());
}

TEST(Elf, HasASizeOnlyWhereThereIsMemory) {
  constexpr std::size_t kSectionTableOffset = 40;
  const auto error_of = [](std::uint64_t table_offset) {
    Bytes bytes = vector_add();
    std::memcpy(bytes.data() + kSectionTableOffset, &table_offset, sizeof table_offset);
    const Result<std::uint64_t> size = elf_size(bytes.data());
    return size ? std::string() : size.error().message;
  };
  EXPECT_NE(error_of(std::uint64_t{1} << 60).find("code objects have at most 4294967296"),
            std::string::npos);
  EXPECT_NE(error_of(std::uint64_t{1} << 31).find("of the image, where no memory is"),
            std::string::npos);
}

TEST(Elf, SaysWhatIsWrong) {
  const Bytes bytes = vector_add();
  EXPECT_EQ(read_elf({}).error().message, "not an ELF: the magic is missing");
  EXPECT_EQ(read_elf(patched(bytes, kMachineOffset, 62)).error().message,
            "ELF header: e_machine is 62, AMDGPU is 224");
  EXPECT_EQ(
      read_elf(patched(bytes, kSectionCountOffset, 9999)).error().message,
      "ELF section header table: 9999 entries at offset 4448 do not fit a file of 5472 bytes");
}

TEST(Elf, TakesEveryTruncation) {
  const Bytes bytes = vector_add();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_elf(part)) << size;
  }
}

TEST(Elf, TakesEveryChangedByte) {
  for (const std::byte noise : {std::byte{0xff}, std::byte{0x00}, std::byte{0x7f}}) {
    Bytes bytes = two_kernels();
    for (std::byte& place : bytes) {
      const std::byte saved = place;
      place = noise;
      static_cast<void>(read_elf(bytes).has_value());
      place = saved;
    }
  }
}

}  // namespace
}  // namespace compass
