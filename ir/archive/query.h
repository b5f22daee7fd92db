// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass::archive {

/// A value of a row: null, a number, text or bytes.
using QueryValue = std::variant<std::monostate, std::int64_t, double, std::string_view, ByteView>;

/// A question in SQL to an archive, and its rows one after the other. It can only read, and only
/// this archive: other statements are refused, and so are other files and what leads out of SQLite.
/// The views are those of this program; nothing runs that the file brings along.
class Query {
 public:
  /// Of one statement. Errors name the file, or what in the statement is wrong and where.
  static Result<Query> open(const std::filesystem::path& archive, std::string_view sql);
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;
  ~Query();

  const std::vector<std::string>& columns() const { return columns_; }
  /// True: a row is there to read. False: there are no more.
  Result<bool> step();
  /// Of the row; valid until the next step.
  QueryValue value(std::size_t column) const;

 private:
  struct State;
  explicit Query(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
  std::vector<std::string> columns_;
};

/// A view, and its columns in their order.
struct View {
  std::string name;
  std::vector<std::string> columns;
};
/// The views that can be asked of the archive, which depend on its version; by name.
Result<std::vector<View>> views_of(const std::filesystem::path& archive);

}  // namespace compass::archive
