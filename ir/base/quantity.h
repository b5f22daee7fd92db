// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace compass {

/// What a number that a user writes may be followed by.
struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

inline constexpr Unit kByteUnits[] = {{"", 1},
                                      {"KiB", std::uint64_t{1} << 10},
                                      {"MiB", std::uint64_t{1} << 20},
                                      {"GiB", std::uint64_t{1} << 30},
                                      {"TiB", std::uint64_t{1} << 40}};

/// A whole number with one of the units, as in "8GiB"; absent if it is not that, or does not fit.
inline std::optional<std::uint64_t> parse_quantity(std::string_view text,
                                                   std::span<const Unit> units) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc{}) return std::nullopt;
  const std::string_view name(stop, static_cast<std::size_t>(end - stop));
  for (const Unit& unit : units) {
    if (unit.name == name && number <= UINT64_MAX / unit.factor) return number * unit.factor;
  }
  return std::nullopt;
}

}  // namespace compass
