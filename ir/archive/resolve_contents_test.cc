// SPDX-License-Identifier: MIT
#include "ir/archive/resolve_for_test.h"
#include "ir/archive/sha256.h"
#include "ir/hip/abi.h"

namespace compass::archive {
namespace {

constexpr std::uint64_t kHost = 0x9000;
constexpr std::uint64_t kDevice = 0x1000;

Bytes bytes(std::string_view text) {
  const ByteView view = as_byte_view(text);
  return {view.begin(), view.end()};
}
std::string key(std::string_view text) { return sha256(as_byte_view(text)); }

class ResolveContentsTest : public ResolveTest {
 protected:
  ResolveContentsTest() {
    add_device();
    allocate(kDevice, 0x100);
  }
  /// Four bytes, with what the source held, if that was kept. The number of the entry.
  std::uint64_t copy(std::uint32_t direction, std::string_view content = {}) {
    const bool to_host = direction == hip::kMemcpyDeviceToHost;
    journal::Copy copy;
    copy.destination = to_host ? kHost : kDevice;
    copy.source = to_host ? kDevice : kHost;
    copy.size_bytes = 4;
    copy.direction = direction;
    copy.has_content = !content.empty();
    copy.content = bytes(content);
    add(copy);
    return journal_.entries.size();
  }
  void complete(journal::Doer doer, CopiedBytes copied, std::string_view content = {}) {
    add(journal::Completed{doer, copied, !content.empty(), bytes(content)});
  }
};

TEST_F(ResolveContentsTest, ASourceThatDidNotChangeIsWhatItWas) {
  complete({copy(hip::kMemcpyHostToDevice, "abcd"), 0}, CopiedBytes::kEnqueued);
  const Copy found = body<Copy>(1);
  EXPECT_EQ(found.content, key("abcd"));
  EXPECT_EQ(found.completed.source, key("abcd"));
}

TEST_F(ResolveContentsTest, ASourceThatChangedHasBoth) {
  complete({copy(hip::kMemcpyHostToDevice, "abcd"), 0}, CopiedBytes::kCompleted, "abcX");
  const Copy found = body<Copy>(1);
  EXPECT_EQ(found.content, key("abcd"));
  EXPECT_EQ(found.completed.source, key("abcX"));
  EXPECT_EQ(found.completed.copied, CopiedBytes::kCompleted);
  EXPECT_EQ(resolved_.contents.size(), 2u);
}

TEST_F(ResolveContentsTest, WhatCameToTheHostIsAResult) {
  complete({copy(hip::kMemcpyDeviceToHost), 0}, CopiedBytes::kUnknown, "abcd");
  EXPECT_EQ(body<Copy>(1).completed.result, key("abcd"));
}

TEST_F(ResolveContentsTest, ContentsThatFitNoCopyAreLeftOut) {
  const std::uint64_t entry = copy(hip::kMemcpyHostToDevice, "abcd");
  complete({entry, 0}, CopiedBytes::kCompleted, "abcde");
  complete({entry, 7}, CopiedBytes::kCompleted, "abcX");
  complete({2, 0}, CopiedBytes::kCompleted, "abcX");
  complete({99, 0}, CopiedBytes::kCompleted, "abcX");
  add(journal::NodeSource{{entry, 0}, bytes("abc")});
  EXPECT_EQ(body<Copy>(1).completed.source, "");
  EXPECT_EQ(resolved_.contents.size(), 1u);
}

TEST_F(ResolveContentsTest, CopiesOfAGraphBelongToItsLaunch) {
  const std::uint64_t node = copy(hip::kMemcpyHostToDevice);
  journal_.entries.back().captured = true;
  add(journal::InstantiateGraph{0xE, 0x9, {{0x61, node, {}}}});
  add(journal::LaunchGraph{0xE, 0});
  const journal::Doer doer{journal_.entries.size(), node};
  add(journal::NodeSource{doer, bytes("abcd")});
  complete(doer, CopiedBytes::kUnknown, "abcX");
  const LaunchGraph launch = body<LaunchGraph>(3);
  ASSERT_EQ(launch.copies.size(), 1u);
  EXPECT_EQ(launch.copies[0].record, 2u);
  EXPECT_EQ(launch.copies[0].content, key("abcd"));
  EXPECT_EQ(launch.copies[0].completed.source, key("abcX"));
  EXPECT_EQ(body<Copy>(1).content, "") << "the node's own is of no launch";
}

TEST_F(ResolveContentsTest, WritesOfTheHostAreRecordsWhereTheirMemoryIs) {
  allocate(kHost, 64, journal::MemoryKind::kPinnedHost);
  add(journal::HostWrite{kHost + 8, 4, bytes("abcd")});
  add(journal::HostWrite{kHost, 64, {}});
  add(journal::HostWrite{kHost + 8, 60, {}});  // past its end
  add(journal::HostWrite{0x77, 4, bytes("abcd")});
  EXPECT_EQ(kinds(), "allocate allocate host_write host_write");
  EXPECT_EQ(body<HostWrite>(2).content, key("abcd"));
  EXPECT_EQ(body<HostWrite>(2).place, (MemoryRef{{2}, 8}));
  EXPECT_EQ(body<HostWrite>(3).content, "");
}

}  // namespace
}  // namespace compass::archive
