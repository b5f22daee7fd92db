// SPDX-License-Identifier: MIT
#include "ir/archive/offsets.h"

#include <bit>

namespace compass::archive {
namespace {

constexpr std::size_t kMostWidth = sizeof(std::uint64_t);

}  // namespace

Bytes encode_offsets(const std::vector<std::uint64_t>& offsets) {
  std::uint64_t all = 1;  // even 0 takes a byte
  for (const std::uint64_t offset : offsets) all |= offset;
  const std::size_t width = (static_cast<std::size_t>(std::bit_width(all)) + 7) / 8;
  Bytes bytes(offsets.size() * width);
  std::size_t at = 0;
  for (const std::uint64_t offset : offsets) {
    for (std::size_t i = width; i-- > 0;) bytes[at++] = static_cast<std::byte>(offset >> (8 * i));
  }
  return bytes;
}

Result<std::vector<std::uint64_t>> decode_offsets(ByteView bytes, std::size_t count) {
  if (bytes.empty()) return std::vector<std::uint64_t>();
  const std::size_t width = count == 0 ? 0 : bytes.size() / count;
  if (width == 0 || width > kMostWidth || width * count != bytes.size()) {
    return Error{ErrorCode::kCorrupt,
                 concat("has ", bytes.size(), " bytes of offsets for ", count, " pointers")};
  }
  std::vector<std::uint64_t> offsets(count);
  std::size_t at = 0;
  for (std::uint64_t& offset : offsets) {
    for (std::size_t i = 0; i < width; ++i) {
      offset = offset << 8 | std::to_integer<std::uint64_t>(bytes[at++]);
    }
  }
  return offsets;
}

}  // namespace compass::archive
