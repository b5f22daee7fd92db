// SPDX-License-Identifier: MIT
#include "ir/archive/sqlite.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <utility>

namespace compass::archive {
namespace {

Error error_of(sqlite3* connection) {
  const int code = sqlite3_errcode(connection);
  const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR ||
                       code == SQLITE_TOOBIG || code == SQLITE_IOERR || code == SQLITE_INTERRUPT;
  return {damaged ? ErrorCode::kCorrupt : ErrorCode::kSystem,
          concat("SQLite: ", sqlite3_errmsg(connection))};
}

/// `path` as a URI: "?" and "#" would end it, "%" starts an escape.
std::string uri_of(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += '%';
      uri += "0123456789ABCDEF"[c >> 4];
      uri += "0123456789ABCDEF"[c & 15];
    } else {
      uri += c;
    }
  }
  return uri;
}

/// What a statement that may only read is allowed to do. `refusal`, a std::string, gets what not.
int authorize(void* refusal, int action, const char* first, const char* second, const char*,
              const char*) {
  const auto refuse = [&](std::string why) {
    *static_cast<std::string*>(refusal) = std::move(why);
    return SQLITE_DENY;
  };
  constexpr std::array<std::string_view, 4> kPragmas = {"table_info", "table_xinfo", "table_list",
                                                        "compile_options"};
  constexpr std::array<std::string_view, 5> kFunctions = {"load_extension", "fts3_tokenizer",
                                                          "readfile", "writefile", "edit"};
  const auto is_among = [](const auto& names, const char* name) {
    return name != nullptr && std::find(names.begin(), names.end(), name) != names.end();
  };
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      if (!is_among(kFunctions, second)) return SQLITE_OK;
      return refuse(concat("the function ", second, " is refused: it leads out of the archive"));
    case SQLITE_PRAGMA:
      if (is_among(kPragmas, first)) return SQLITE_OK;
      return refuse(concat("the pragma ", first == nullptr ? "" : first, " is refused"));
    case SQLITE_ATTACH:
      return refuse("another file cannot be attached");
    default:
      return refuse(std::string(kOnlyReading));
  }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return error_of(sqlite3_db_handle(statement_.get()));
}

Result<void> Statement::run() {
  ASSIGN_OR_RETURN(const bool row, step());
  CHECK(!row);
  reset();
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

Statement& Statement::bind(int parameter, std::uint64_t value) {
  CHECK(sqlite3_bind_int64(statement_.get(), parameter + 1, static_cast<sqlite3_int64>(value)) ==
        SQLITE_OK);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  CHECK(sqlite3_bind_text64(statement_.get(), parameter + 1, text.data() ? text.data() : "",
                            text.size(), SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK);
  return *this;
}

Statement& Statement::bind(int parameter, ByteView bytes) {
  const void* data = bytes.empty() ? static_cast<const void*>("") : bytes.data();
  CHECK(sqlite3_bind_blob64(statement_.get(), parameter + 1, data, bytes.size(),
                            SQLITE_TRANSIENT) == SQLITE_OK);
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  CHECK(sqlite3_bind_null(statement_.get(), parameter + 1) == SQLITE_OK);
  return *this;
}

bool Statement::only_reads() const { return sqlite3_stmt_readonly(statement_.get()) != 0; }

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }

std::string Statement::name(int column) const {
  const char* const name = sqlite3_column_name(statement_.get(), column);
  return name == nullptr ? std::string() : name;
}

SqlType Statement::type(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return SqlType::kInteger;
    case SQLITE_FLOAT:
      return SqlType::kReal;
    case SQLITE_TEXT:
      return SqlType::kText;
    case SQLITE_BLOB:
      return SqlType::kBlob;
    default:
      return SqlType::kNull;
  }
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::uint64_t Statement::number(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.get(), column));
}

std::string_view Statement::text(int column) const { return as_text(bytes(column)); }

ByteView Statement::bytes(int column) const {
  // The order matters: asking for the blob may convert the value and so change its size.
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr || size <= 0) return {};
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
}

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Result<Database> Database::open(const std::string& name, int flags) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &connection, flags, nullptr);
  Database database(connection);
  if (connection == nullptr) return Error{ErrorCode::kSystem, "SQLite: out of memory"};
  if (code != SQLITE_OK) return error_of(connection);
  return database;
}

/// Of all statements in `tables_sql` that the file's schema holds them as they are.
Result<void> Database::check_tables(std::string_view tables_sql) const {
  constexpr std::string_view kStart = "CREATE TABLE ";
  constexpr std::string_view kEnd = ";\n";
  ASSIGN_OR_RETURN(Statement same, prepare("SELECT 1 FROM sqlite_master WHERE sql = ?"));
  for (std::size_t at = tables_sql.find(kStart); at != std::string_view::npos;
       at = tables_sql.find(kStart, at + 1)) {
    const std::string_view table = tables_sql.substr(at, tables_sql.find(kEnd, at) - at);
    same.bind(0, table);
    ASSIGN_OR_RETURN(const bool found, same.step());
    same.reset();
    if (found) continue;
    const std::string_view name = table.substr(kStart.size());
    return Error{ErrorCode::kCorrupt, concat("its table ", name.substr(0, name.find(' ')),
                                             " is missing or not one that `compass-capture` made")};
  }
  return {};
}

Result<Database> Database::open_to_read(const std::filesystem::path& path, std::uint64_t size_bytes,
                                        std::string_view tables_sql) {
  ASSIGN_OR_RETURN(Database database,
                   open(concat(uri_of(path), "?mode=ro&immutable=1"),
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX));
  sqlite3* connection = database.connection_.get();
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  constexpr std::uint64_t kMostValueBytes = 1'000'000'000;  // SQLite's own limit
  sqlite3_limit(
      connection, SQLITE_LIMIT_LENGTH,
      static_cast<int>(std::min(std::max<std::uint64_t>(size_bytes, 1 << 16), kMostValueBytes)));
  // A damaged tree may lead to one page again and again: reading the schema must end.
  constexpr std::uint64_t kMostSteps = 1'000'000;
  database.limit_steps(kMostSteps);
  auto checked = database.execute("PRAGMA cell_size_check = ON");
  if (checked) checked = database.check_tables(tables_sql);
  if (!checked) return std::move(checked).error();
  database.limit_steps(0);
  return database;
}

Result<Database> Database::open_to_write(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(Database database, open(uri_of(path), SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI |
                                                             SQLITE_OPEN_NOMUTEX));
  auto set = database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
  if (!set) return std::move(set).error();
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return error_of(connection_.get());
  return Statement(statement);
}

Result<Statement> Database::prepare_only(std::string_view sql) const {
  sqlite3_stmt* made = nullptr;
  const char* tail = nullptr;
  const auto prepare = [&](std::string_view text) {
    return sqlite3_prepare_v2(connection_.get(), text.data(), static_cast<int>(text.size()), &made,
                              &tail);
  };
  if (prepare(sql) != SQLITE_OK) return error_in(sql);
  Statement statement(made);
  if (made == nullptr) return Error{ErrorCode::kInvalid, "expected a statement, found none"};
  const std::string_view rest = sql.substr(static_cast<std::size_t>(tail - sql.data()));
  const bool is_all = prepare(rest) == SQLITE_OK && made == nullptr;
  sqlite3_finalize(made);
  if (is_all) return statement;
  return Error{ErrorCode::kInvalid, concat("expected one statement, found another at character ",
                                           sql.size() - rest.size() + 1)};
}

/// What is wrong with a statement, and where.
Error Database::error_in(std::string_view sql) const {
  const std::string message = sqlite3_errmsg(connection_.get());
  const int offset = sqlite3_error_offset(connection_.get());
  if (offset < 0) return {ErrorCode::kInvalid, message};
  constexpr std::size_t kShown = 40;
  const auto start = std::min(static_cast<std::size_t>(offset), sql.size());
  return {ErrorCode::kInvalid,
          concat(message, ", at character ", start + 1, ": ", sql.substr(start, kShown))};
}

void Database::limit_steps(std::uint64_t steps) const {
  const auto most = static_cast<int>(std::min<std::uint64_t>(steps, 1 << 30));
  sqlite3_progress_handler(
      connection_.get(), most, [](void*) { return 1; }, nullptr);
}

void Database::allow_only_reading(std::string& refusal) {
  sqlite3_limit(connection_.get(), SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_set_authorizer(connection_.get(), &authorize, &refusal);
}

Result<void> Database::execute(const std::string& sql) const {
  if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return error_of(connection_.get());
  }
  return {};
}

Result<void> Database::close() && {
  if (sqlite3_close(connection_.get()) != SQLITE_OK) return error_of(connection_.get());
  [[maybe_unused]] sqlite3* closed = connection_.release();
  return {};
}

}  // namespace compass::archive
