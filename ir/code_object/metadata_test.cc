// SPDX-License-Identifier: MIT
#include "ir/code_object/metadata.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "ir/code_object/elf.h"
#include "ir/code_object/test_inputs.h"

namespace compass {
namespace {

TEST(Metadata, DescribesATritonKernel) {
  const Bytes bytes = vector_add();
  const Result<CodeObjectMetadata> metadata = read_metadata(bytes);
  ASSERT_TRUE(metadata) << metadata.error().message;
  EXPECT_EQ(metadata->target, "gfx950");
  ASSERT_EQ(metadata->kernels.size(), 1u);
  const Kernel& kernel = metadata->kernels[0];
  EXPECT_EQ(kernel.name, "vector_add");
  EXPECT_EQ(kernel.demangled, "vector_add");
  EXPECT_EQ(kernel.wavefront_size, 64u);
  EXPECT_EQ(kernel.vgpr_count, 12u);
  ASSERT_EQ(kernel.arguments.size(), 6u);
  EXPECT_EQ(kernel.arguments[0].kind, ArgumentKind::kGlobalBuffer);
  EXPECT_EQ(kernel.arguments[3].kind, ArgumentKind::kByValue);
  EXPECT_EQ(kernel.arguments[3].offset_bytes, 24u);
  EXPECT_EQ(kernel.arguments[3].size_bytes, 4u);
  EXPECT_EQ(kernel.arguments[5].offset_bytes, 40u);
}

TEST(Metadata, TellsHiddenArgumentsFromExplicitOnes) {
  const Bytes bytes = two_kernels();
  const Result<CodeObjectMetadata> metadata = read_metadata(bytes);
  ASSERT_TRUE(metadata) << metadata.error().message;
  ASSERT_EQ(metadata->kernels.size(), 2u);
  const Kernel& scale = metadata->kernels[0];
  EXPECT_EQ(scale.name, "scale");
  ASSERT_GE(scale.arguments.size(), 3u);
  EXPECT_EQ(scale.arguments[1].size_bytes, 1u);
  EXPECT_EQ(scale.arguments[2].offset_bytes, 12u);
  for (const KernelArgument& argument : scale.arguments) {
    const bool hidden = argument.value_kind.starts_with("hidden_");
    EXPECT_EQ(argument.kind == ArgumentKind::kHidden, hidden);
    EXPECT_TRUE(!hidden || argument.name == argument.value_kind);
  }
  EXPECT_EQ(metadata->kernels[1].lds_size_bytes, 256u);
}

TEST(Metadata, IsReadInEveryCodeObjectVersion) {
  for (const auto& [build, abi_version, hidden] : {std::tuple{"v4_gfx942.co", 2, 0},
                                                   {"v5_gfx942.co", 3, 13},
                                                   {"v6_gfx950.co", 4, 13},
                                                   {"v6_gfx9-4-generic.co", 4, 13}}) {
    SCOPED_TRACE(build);
    const Bytes bytes = read_test_input("COMPASS_GLOBALS", build);
    const Result<Elf> elf = read_elf(bytes);
    ASSERT_TRUE(elf) << elf.error().message;
    EXPECT_EQ(elf->abi_version, abi_version);
    const Result<CodeObjectMetadata> metadata = read_metadata(bytes);
    ASSERT_TRUE(metadata) << metadata.error().message;
    EXPECT_EQ(metadata->target, target_of_machine_flags(elf->machine_flags));
    ASSERT_EQ(metadata->kernels.size(), 1u);
    const std::vector<KernelArgument>& arguments = metadata->kernels[0].arguments;
    ASSERT_EQ(arguments.size(), 2u + hidden);
    EXPECT_EQ(arguments[1].offset_bytes, 8u);
  }
}

/// `bytes` with the first `text` replaced by `other`, which is as long.
Bytes replaced(Bytes bytes, std::string_view text, std::string_view other) {
  const auto at =
      std::search(bytes.begin(), bytes.end(), as_byte_view(text).begin(), as_byte_view(text).end());
  EXPECT_NE(at, bytes.end());
  std::copy(as_byte_view(other).begin(), as_byte_view(other).end(), at);
  return bytes;
}

TEST(Metadata, SaysWhatIsWrong) {
  EXPECT_EQ(read_metadata(replaced(vector_add(), ".offset", ".offend")).error().message,
            "code object metadata: an argument lacks .offset, .size or .value_kind");
  EXPECT_EQ(read_metadata(replaced(vector_add(), "AMDGPU", "AMDXXX")).error().message,
            "the code object has no metadata note");
}

TEST(Metadata, RefusesArgumentsBeyondTheSegment) {
  const std::string_view key = ".kernarg_segment_size";
  const Bytes bytes = vector_add();
  const auto at =
      std::search(bytes.begin(), bytes.end(), as_byte_view(key).begin(), as_byte_view(key).end());
  Bytes changed = bytes;
  changed[static_cast<std::size_t>(at - bytes.begin()) + key.size()] = std::byte{8};
  EXPECT_EQ(read_metadata(changed).error().message,
            "code object metadata: kernel vector_add: the arguments end at byte 48, the kernarg "
            "segment has 8 bytes");
}

TEST(Metadata, TakesEveryChangedByteOfTheNote) {
  Bytes bytes = two_kernels();
  const Result<Elf> elf = read_elf(bytes);
  ASSERT_TRUE(elf) << elf.error().message;
  const auto start = static_cast<std::size_t>(elf->metadata.data() - bytes.data());
  for (std::size_t i = start; i < start + elf->metadata.size(); ++i) {
    const std::byte saved = bytes[i];
    for (int noise = 0; noise < 256; noise += 5) {
      bytes[i] = static_cast<std::byte>(noise);
      static_cast<void>(read_metadata(bytes).has_value());
    }
    bytes[i] = saved;
  }
}

}  // namespace
}  // namespace compass
