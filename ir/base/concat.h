// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace compass {

namespace internal {
inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(std::string& out, char c) { out += c; }
template <std::integral T>
void append(std::string& out, T value) {
  out += std::to_string(value);
}
}  // namespace internal

/// The arguments as one string: text as it is, integers in decimal.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (internal::append(out, parts), ...);
  return out;
}

/// `value` as "0x" and lower-case digits, at least `digits` of them.
inline std::string hex(std::uint64_t value, int digits = 1) {
  std::string out;
  while (value != 0 || digits > 0) {
    out.insert(out.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
    --digits;
  }
  return "0x" + out;
}

}  // namespace compass
