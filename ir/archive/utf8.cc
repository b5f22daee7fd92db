// SPDX-License-Identifier: MIT
#include "ir/archive/utf8.h"

#include <cstdint>

namespace compass::archive {
namespace {

std::size_t length_by_first_byte(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

/// Bytes of the character that `text` starts with; 0 where it is malformed.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = length_by_first_byte(byte(0));
  if (length > text.size()) return 0;
  std::uint32_t point = byte(0);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  // Two ranges that the first byte alone does not exclude: over-long forms, and surrogates or
  // numbers beyond Unicode. `point` still has the first byte's marker bits.
  if (length == 3 && (point < 0xe0800 || (point >= 0xed800 && point < 0xee000))) return 0;
  if (length == 4 && (point < 0x3c10000 || point > 0x3d0ffff)) return 0;
  return length;
}

}  // namespace

std::string to_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace compass::archive
