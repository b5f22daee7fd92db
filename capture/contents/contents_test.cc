// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "capture/contents/host_memory.h"
#include "capture/contents/kernarg.h"

namespace compass::capture {
namespace {

KernelArgument argument(ArgumentKind kind, std::uint32_t offset_bytes, std::uint32_t size_bytes) {
  return {.name = {},
          .value_kind = {},
          .kind = kind,
          .offset_bytes = offset_bytes,
          .size_bytes = size_bytes};
}

Result<Bytes> packed(const KernargLayout& layout, void* const* arguments) {
  Bytes kernarg(layout.size_bytes);
  if (auto done = pack_kernarg(layout, arguments, kernarg); !done) return std::move(done).error();
  return kernarg;
}

Kernel kernel_with_padding() {
  Kernel kernel;
  kernel.name = std::string("k");
  kernel.kernarg_size_bytes = 64;
  kernel.arguments = {
      argument(ArgumentKind::kByValue, 0, 1), argument(ArgumentKind::kGlobalBuffer, 8, 8),
      argument(ArgumentKind::kByValue, 16, 12), argument(ArgumentKind::kHidden, 32, 8)};
  return kernel;
}

TEST(KernargLayout, LeavesOutHiddenArguments) {
  const Result<KernargLayout> layout = kernarg_layout(kernel_with_padding());
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->slots.size(), 3u);
  EXPECT_EQ(layout->size_bytes, 28u);
}

TEST(KernargLayout, RefusesAnArgumentOutsideTheSegment) {
  Kernel kernel = kernel_with_padding();
  kernel.arguments[1].offset_bytes = 0xFFFF'FFFF;
  const Result<KernargLayout> layout = kernarg_layout(kernel);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().message, "k: an argument ends at byte 4294967303 of 64 kernarg bytes");
}

TEST(KernargLayout, RefusesASegmentThatNoLaunchCanHave) {
  Kernel kernel = kernel_with_padding();
  kernel.kernarg_size_bytes = 0xFFFF'FFFF;
  kernel.arguments[1].offset_bytes = 0x4000'0000;
  EXPECT_FALSE(kernarg_layout(kernel));
}

TEST(PackKernarg, PutsArgumentsAtTheirOffsetsAndZeroesThePadding) {
  std::uint8_t flag = 0xAA;
  std::uint64_t pointer = 0x1122'3344'5566'7788;
  std::uint32_t triple[3] = {1, 2, 3};
  void* const arguments[] = {&flag, &pointer, triple};
  const Bytes kernarg = *packed(*kernarg_layout(kernel_with_padding()), arguments);
  ASSERT_EQ(kernarg.size(), 28u);
  EXPECT_EQ(load<std::uint64_t>(kernarg), 0xAAu);
  EXPECT_EQ(load<std::uint64_t>(kernarg, 8), pointer);
  EXPECT_EQ(load<std::uint32_t>(kernarg, 16), 1u);
  EXPECT_EQ(load<std::uint32_t>(kernarg, 24), 3u);
}

TEST(PackKernarg, OfAKernelWithoutArgumentsIsEmpty) {
  EXPECT_TRUE(packed(KernargLayout{}, nullptr)->empty());
  EXPECT_FALSE(packed(KernargLayout{{{0, 8}}, 8}, nullptr));
  void* const missing[] = {nullptr};
  EXPECT_FALSE(packed(KernargLayout{{{0, 8}}, 8}, missing));
}

TEST(ReadHostMemory, CopiesWhatIsThere) {
  Bytes out;
  ASSERT_TRUE(read_host_memory("content", 7, out));
  EXPECT_EQ(as_text(out), "content");
}

TEST(ReadHostMemory, RefusesARangeThatEndsInMemoryThatCannotBeRead) {
  constexpr std::size_t kPage = 4096;
  void* pages = ::mmap(nullptr, 2 * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(::mprotect(static_cast<char*>(pages) + kPage, kPage, PROT_NONE), 0);
  const char* start = static_cast<const char*>(pages);
  Bytes out;
  EXPECT_TRUE(read_host_memory(start, kPage, out));
  EXPECT_FALSE(read_host_memory(start + kPage - 8, 16, out));
  EXPECT_TRUE(out.empty());
  EXPECT_FALSE(read_host_memory(nullptr, 1, out));
  ::munmap(pages, 2 * kPage);
}

TEST(TakeKernarg, TakesTheArgumentsAndNotWhatLiesBetween) {
  const auto layout = kernarg_layout(kernel_with_padding());
  ASSERT_TRUE(layout);
  Bytes given(layout->size_bytes, std::byte{0xEE});
  Bytes kernarg(layout->size_bytes);
  ASSERT_TRUE(take_kernarg(*layout, given, kernarg));
  EXPECT_EQ(kernarg[0], std::byte{0xEE});
  EXPECT_EQ(kernarg[1], std::byte{0});
  EXPECT_EQ(kernarg[8], std::byte{0xEE});
  given.pop_back();
  EXPECT_FALSE(take_kernarg(*layout, given, kernarg));
}

}  // namespace
}  // namespace compass::capture
