// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace compass::archive {

/// What somebody who may only read is told.
inline constexpr std::string_view kOnlyReading = "expected a statement that only reads";

/// What a value is by itself.
enum class SqlType : std::uint8_t { kNull, kInteger, kReal, kText, kBlob };

/// A prepared statement. Columns and parameters are numbered from 0. Unsigned 64-bit numbers are
/// kept as the signed number with the same bits, which is all that SQLite has.
class Statement {
 public:
  /// True: a row is there to read. False: the statement is done.
  Result<bool> step();
  /// For a statement without rows: runs it and makes it ready for other parameters.
  Result<void> run();
  /// Makes it ready for other parameters.
  void reset();

  Statement& bind(int parameter, std::uint64_t value);
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, ByteView bytes);
  Statement& bind_null(int parameter);
  /// Null where there is none.
  Statement& bind(int parameter, const std::optional<std::uint32_t>& value) {
    return value ? bind(parameter, std::uint64_t{*value}) : bind_null(parameter);
  }

  /// Whether it leaves the file as it is.
  bool only_reads() const;
  /// How many columns its rows have.
  int columns() const;
  std::string name(int column) const;
  SqlType type(int column) const;
  bool is_null(int column) const { return type(column) == SqlType::kNull; }
  double real(int column) const;
  std::uint64_t number(int column) const;
  /// Valid until the next step.
  std::string_view text(int column) const;
  ByteView bytes(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A connection to an SQLite file; outlives its statements.
class Database {
 public:
  /// Of a file that nobody writes: takes no lock and looks at no file beside it. Runs no view and
  /// no trigger that the file may hold, and reads no value longer than the file's `size_bytes`.
  /// Fails where its tables named in `tables_sql` were not made by exactly that text: a column that
  /// is computed, say, could make any amount of work of a small file.
  static Result<Database> open_to_read(const std::filesystem::path& path, std::uint64_t size_bytes,
                                       std::string_view tables_sql);
  /// Of an empty file. Nothing is written safely: whoever makes it throws it away on an error.
  static Result<Database> open_to_write(const std::filesystem::path& path);

  Result<Statement> prepare(std::string_view sql) const;
  /// Of what somebody else wrote: one statement and nothing behind it. An error says where.
  Result<Statement> prepare_only(std::string_view sql) const;
  /// From now on statements can only read, and only this file, by functions that stay inside
  /// SQLite; the others cannot be prepared. Why not, `refusal` says then, which must outlive this.
  void allow_only_reading(std::string& refusal);
  /// From now on a statement fails that takes more than about so many of SQLite's steps; 0: none
  /// does. A damaged tree may be endless to walk.
  void limit_steps(std::uint64_t steps) const;
  /// All statements in `sql`.
  Result<void> execute(const std::string& sql) const;
  /// Closes, and says whether all was written.
  Result<void> close() &&;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}
  static Result<Database> open(const std::string& name, int flags);
  Result<void> check_tables(std::string_view tables_sql) const;
  Error error_in(std::string_view sql) const;

  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace compass::archive
