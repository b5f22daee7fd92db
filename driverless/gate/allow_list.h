// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/base/result.h"

namespace compass::gate {

/// A day of the Gregorian calendar.
struct Date {
  std::int32_t year = 0;
  std::uint32_t month = 0;  ///< from 1
  std::uint32_t day = 0;    ///< from 1
  friend auto operator<=>(const Date&, const Date&) = default;
};

/// "2027-01-31".
std::string to_string(const Date& date);

/// The day of that moment, in UTC.
Date date_of(std::int64_t seconds_since_1970);

/// A finding that somebody answers for. It does not fail until the day after `expires`.
struct AllowEntry {
  std::string id;
  std::string reason;
  std::string owner;
  Date expires;
  std::optional<std::uint64_t> most;  ///< launches, or calls, of all processes together
  std::uint32_t line = 0;
};

struct AllowList {
  std::string file;  ///< as messages call it
  std::vector<AllowEntry> entries;

  /// Null where there is none for that finding.
  const AllowEntry* find(std::string_view id) const;
};

/// Of TOML, as docs/check.md has it. A mistake is told with file and line.
Result<AllowList> parse_allow_list(std::string_view text, std::string_view file);

/// Whether it has the form of Finding::id.
bool is_finding_id(std::string_view text);

}  // namespace compass::gate
