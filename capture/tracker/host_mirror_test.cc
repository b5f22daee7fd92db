// SPDX-License-Identifier: MIT
#include "capture/tracker/host_mirror.h"

#include <gtest/gtest.h>

namespace compass::capture {
namespace {

constexpr std::uint64_t kAddress = 0x7000;

struct Piece {
  std::uint64_t offset_bytes;
  std::size_t size_bytes;
  friend bool operator==(const Piece&, const Piece&) = default;
};

std::vector<Piece> look(HostMirror& mirror, const Bytes& memory) {
  std::vector<Piece> pieces;
  for (const HostMirror::Change& change : mirror.look(kAddress, memory)) {
    pieces.push_back({change.address - kAddress, change.bytes.size()});
    EXPECT_EQ(change.bytes.data(), memory.data() + pieces.back().offset_bytes);
  }
  return pieces;
}
using Pieces = std::vector<Piece>;

TEST(HostMirror, TakesAllTheFirstTimeAndNothingWhereNothingChanged) {
  HostMirror mirror;
  const Bytes memory(10000);
  EXPECT_EQ(look(mirror, memory), (Pieces{{0, 10000}}));
  EXPECT_EQ(look(mirror, memory), Pieces{});
  mirror.forget(kAddress);
  EXPECT_EQ(look(mirror, memory), (Pieces{{0, 10000}})) << "it is other memory now";
}

TEST(HostMirror, TakesTheWordsThatChangedAndNoneBesides) {
  HostMirror mirror;
  Bytes memory(10002);
  look(mirror, memory);
  memory[4] = memory[11] = std::byte{1};  // words 1 and 2
  memory[4096 + 13] = std::byte{1};       // of another piece
  memory[10001] = std::byte{1};           // the last word is half a one
  EXPECT_EQ(look(mirror, memory), (Pieces{{4, 8}, {4096 + 12, 4}, {10000, 2}}));
  EXPECT_EQ(look(mirror, memory), Pieces{});
}

TEST(HostMirror, AChangeGoesOnAcrossPieces) {
  HostMirror mirror;
  Bytes memory(3 * 4096);
  look(mirror, memory);
  std::fill(memory.begin() + 4092, memory.begin() + 8196, std::byte{7});
  EXPECT_EQ(look(mirror, memory), (Pieces{{4092, 4104}}));
}

TEST(HostMirror, HasRoomForSoMuch) {
  HostMirror mirror;
  EXPECT_TRUE(mirror.has_room(kAddress, HostMirror::kMostBytes));
  look(mirror, Bytes(16));
  EXPECT_FALSE(mirror.has_room(kAddress + 64, HostMirror::kMostBytes));
  EXPECT_TRUE(mirror.has_room(kAddress, HostMirror::kMostBytes)) << "that is there already";
  mirror.clear();
  EXPECT_TRUE(mirror.has_room(kAddress + 64, HostMirror::kMostBytes));
}

}  // namespace
}  // namespace compass::capture
