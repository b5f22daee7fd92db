// SPDX-License-Identifier: MIT
#include "driverless/code_object/loader.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/code_object/elf.h"
#include "ir/code_object/test_inputs.h"

namespace compass {
namespace {

constexpr DeviceAddress kBase{0x6000'0000'0000};

const arch::Architecture& gfx950() { return *arch::find("gfx950"); }

TEST(Loader, ReadsDescriptorsOfATritonKernel) {
  const auto loaded = load_image(vector_add(), kBase, gfx950());
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->kernels.size(), 1u);
  const LoadedImageKernel& kernel = loaded->kernels[0];
  EXPECT_EQ(kernel.metadata.name, "vector_add");
  EXPECT_EQ(kernel.entry_offset, 0x1600u);
  EXPECT_EQ(kernel.descriptor_offset, 0x5c0u);
  EXPECT_EQ(kernel.descriptor.kernarg_bytes, 48u);
  EXPECT_EQ(kernel.descriptor.vgpr_count(), 16u) << "12, in eights";
  EXPECT_EQ(kernel.descriptor.float_mode(), 0xf0u) << "round to nearest, keep denormals";
  EXPECT_TRUE(kernel.descriptor.enables_kernarg_segment_ptr());
  EXPECT_TRUE(kernel.descriptor.enables_workgroup_id_x());
  EXPECT_FALSE(kernel.descriptor.wave32());
  EXPECT_EQ(kernel.descriptor.user_sgpr_count(), 2u + kernel.descriptor.kernarg_preload_dwords());
}

TEST(Loader, LaysOutSegmentsAndRelocatesThem) {
  const Bytes elf = two_kernels();
  const auto loaded = load_image(elf, kBase, gfx950());
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->kernels.size(), 2u);
  EXPECT_EQ(loaded->kernels[1].descriptor.lds_bytes, 256u);
  ASSERT_EQ(loaded->ranges.size(), 4u);
  EXPECT_TRUE(loaded->ranges[1].executable);
  EXPECT_TRUE(loaded->ranges[3].writable);
  std::size_t checked = 0;
  const auto file = read_elf(elf);
  ASSERT_TRUE(file) << file.error().message;
  for (const ElfRelocation& relocation : file->relocations) {
    const auto target = load<std::uint64_t>(loaded->image, relocation.address) - kBase.value;
    const auto value = load<std::uint32_t>(loaded->image, target);
    EXPECT_TRUE(value == 7 || value == 9) << "the counters' initial values";
    ++checked;
  }
  EXPECT_GE(checked, 2u);
}

TEST(Loader, NamesBothArchitecturesWhereTheyDiffer) {
  const auto loaded = load_image(two_kernels_gfx942(), kBase, gfx950());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "the code object is for gfx942, the declared architecture is gfx950:sramecc+:xnack-");
  EXPECT_TRUE(load_image(two_kernels_gfx942(), kBase, *arch::find("gfx942")));
}

TEST(Loader, RefusesContradictingFeatureFlagsAndOldVersions) {
  constexpr std::size_t kFlagsOffset = 49;
  constexpr std::size_t kAbiVersionOffset = 8;
  Bytes elf = vector_add();
  elf[kFlagsOffset] = std::byte{0x07};  // xnack on
  EXPECT_EQ(load_image(elf, kBase, gfx950()).error().message,
            "the code object is for gfx950:xnack+, the declared architecture is "
            "gfx950:sramecc+:xnack-");
  elf = vector_add();
  elf[kAbiVersionOffset] = std::byte{1};
  EXPECT_EQ(
      load_image(elf, kBase, gfx950()).error().message,
      "the code object has ABI version 1; 2 to 4 (code object versions 4 to 6) are supported");
}

TEST(Loader, RefusesAnEntryOutsideTheCode) {
  constexpr std::size_t kEntryField = 0x5c0 + 16;
  Bytes elf = vector_add();
  elf[kEntryField + 2] = std::byte{1};
  EXPECT_EQ(load_image(elf, kBase, gfx950()).error().message,
            "kernel vector_add: the first instruction, at image byte 0x11600, is in no executable "
            "segment");
}

TEST(Loader, TakesEveryChangedByte) {
  Bytes elf = two_kernels();
  for (std::byte& place : elf) {
    const std::byte saved = place;
    place = std::byte{0xff};
    static_cast<void>(load_image(elf, kBase, gfx950()).has_value());
    place = saved;
  }
}

}  // namespace
}  // namespace compass
