// SPDX-License-Identifier: MIT
#include "driverless/decode/swizzle.h"

#include <charconv>

namespace compass::decode {
namespace {

constexpr unsigned kLaneBits = 0x1F;

unsigned masks(unsigned and_mask, unsigned or_mask, unsigned xor_mask) {
  return (and_mask & kLaneBits) | (or_mask & kLaneBits) << 5 | (xor_mask & kLaneBits) << 10;
}

// The numbers of "1,2,3", as many as `count`, or nothing.
bool parse_numbers(std::string_view text, unsigned* numbers, unsigned count) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (unsigned n = 0; n < count; ++n) {
    if (n > 0 && (at == end || *at++ != ',')) return false;
    const auto [next, error] = std::from_chars(at, end, numbers[n]);
    if (error != std::errc()) return false;
    at = next;
  }
  return at == end;
}

// "01pip" in quotes, the highest bit of a lane's number first: cleared, set, preserved, inverted.
std::optional<std::int64_t> parse_mask(std::string_view text) {
  if (text.size() != 7 || text.front() != '"' || text.back() != '"') return std::nullopt;
  unsigned keep = 0, set = 0, flip = 0;
  for (const char c : text.substr(1, 5)) {
    keep = keep << 1 | (c == 'p' || c == 'i' ? 1u : 0u);
    set = set << 1 | (c == '1' ? 1u : 0u);
    flip = flip << 1 | (c == 'i' ? 1u : 0u);
    if (c != '0' && c != '1' && c != 'p' && c != 'i') return std::nullopt;
  }
  return masks(keep, set, flip);
}

}  // namespace

std::optional<std::int64_t> parse_swizzle(std::string_view text) {
  constexpr std::string_view kStart = "swizzle(";
  if (!text.starts_with(kStart) || text.back() != ')') return std::nullopt;
  text = text.substr(kStart.size(), text.size() - kStart.size() - 1);
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view mode = text.substr(0, comma), rest = text.substr(comma + 1);
  unsigned n[4];
  if (mode == "BITMASK_PERM") return parse_mask(rest);
  if (mode == "QUAD_PERM" && parse_numbers(rest, n, 4)) {
    return 0x8000 | n[0] | n[1] << 2 | n[2] << 4 | n[3] << 6;
  }
  if (mode == "SWAP" && parse_numbers(rest, n, 1)) return masks(kLaneBits, 0, n[0]);
  if (mode == "REVERSE" && parse_numbers(rest, n, 1)) return masks(kLaneBits, 0, n[0] - 1);
  if (mode == "BROADCAST" && parse_numbers(rest, n, 2)) return masks(kLaneBits + 1 - n[0], n[1], 0);
  return std::nullopt;
}

}  // namespace compass::decode
