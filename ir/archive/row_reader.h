// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/archive/sqlite.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"

/// What readers of all format versions share. Private to this folder.
namespace compass::archive {

/// What rows a file can hold. A damaged or hostile tree may lead to one page again and again, and
/// so hold more rows than there are bytes.
class RowBudget {
 public:
  explicit RowBudget(std::uint64_t file_bytes) : left_bytes_(file_bytes) {}
  Result<void> take(ByteView message) { return take(message.size()); }
  Result<void> take(std::uint64_t value_bytes) {
    constexpr std::uint64_t kLeastRowBytes = 4;
    const std::uint64_t bytes = value_bytes + kLeastRowBytes;
    if (bytes > left_bytes_) {
      return Error{ErrorCode::kCorrupt, "the rows hold more bytes than the file"};
    }
    left_bytes_ -= bytes;
    return {};
  }

 private:
  std::uint64_t left_bytes_;
};

/// Ids are 1, 2, … in every table; checked as they come, since a tree that repeats itself is long.
inline Result<void> check_number(std::uint64_t number, std::size_t expected) {
  if (number == expected) return {};
  return Error{ErrorCode::kCorrupt, concat("is numbered ", number)};
}

/// The messages of a table's rows that fulfil `condition`, in the order of their ids.
template <class Thing>
Result<std::vector<Thing>> read_table(const Database& database, RowBudget& budget,
                                      std::string_view table, std::string_view condition,
                                      Result<Thing> (*decode)(ByteView)) {
  const auto place = [&](Error error, std::size_t row) {
    return std::move(error).with(concat("table ", table, ", row ", row));
  };
  std::vector<Thing> things;
  auto rows =
      database.prepare(concat("SELECT message FROM ", table, " WHERE ", condition, " ORDER BY id"));
  if (!rows) return place(std::move(rows).error(), 1);
  while (true) {
    auto more = rows->step();
    if (!more) return place(std::move(more).error(), things.size() + 1);
    if (!*more) return things;
    const auto fits = budget.take(rows->bytes(0));
    if (!fits) return place(fits.error(), things.size() + 1);
    auto thing = decode(rows->bytes(0));
    if (!thing) return place(std::move(thing).error(), things.size() + 1);
    const auto numbered = check_number(thing->id.value, things.size() + 1);
    if (!numbered) return place(numbered.error(), things.size() + 1);
    things.push_back(std::move(*thing));
  }
}

inline Result<std::uint32_t> id_of(const Statement& row, int column, std::string_view what) {
  const std::uint64_t number = row.number(column);
  if (number <= std::numeric_limits<std::uint32_t>::max()) {
    return static_cast<std::uint32_t>(number);
  }
  return Error{ErrorCode::kCorrupt, concat(what, " ", number, " is no id")};
}

/// What a runtime returned.
inline Result<std::int32_t> status_of(std::uint64_t number) {
  if (number <= std::numeric_limits<std::int32_t>::max()) return static_cast<std::int32_t>(number);
  return Error{ErrorCode::kCorrupt, concat("status ", number, " is no status of a runtime")};
}

}  // namespace compass::archive
