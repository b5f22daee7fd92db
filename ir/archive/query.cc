// SPDX-License-Identifier: MIT
#include "ir/archive/query.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/archive/checked_file.h"
#include "ir/archive/schema.h"
#include "ir/archive/sqlite.h"
#include "ir/names.h"

namespace compass::archive {
namespace {

/// The views of the version as ones of this connection: the file's own are never used.
std::string temporary_views(std::uint32_t version) {
  constexpr std::string_view kCreate = "CREATE VIEW ";
  const std::string views = views_sql(version);
  std::string temporary;
  for (std::size_t from = 0; from < views.size();) {
    const std::size_t at = std::min(views.find(kCreate, from), views.size());
    temporary += views.substr(from, at - from);
    if (at == views.size()) break;
    temporary += "CREATE TEMP VIEW ";
    from = at + kCreate.size();
  }
  return temporary;
}

Result<Database> open_database(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(CheckedFile opened, open_checked(path));
  auto views = opened.database.execute("PRAGMA temp_store = MEMORY; " +
                                       temporary_views(opened.file.version));
  if (views) return std::move(opened.database);
  const Error error = std::move(views).error().with("cannot be opened");
  return Error{error.code, concat(printable(path.string()), " ", error.message)};
}

}  // namespace

struct Query::State {
  std::filesystem::path path;
  Database database;
  std::unique_ptr<std::string> refusal;  ///< stays where it is: the database points there
  std::optional<Statement> statement;
};

Query::Query(std::unique_ptr<State> state) : state_(std::move(state)) {}
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;
Query::~Query() = default;

Result<Query> Query::open(const std::filesystem::path& archive, std::string_view sql) {
  ASSIGN_OR_RETURN(Database database, open_database(archive));
  auto state = std::make_unique<State>(
      State{archive, std::move(database), std::make_unique<std::string>(), {}});
  state->database.allow_only_reading(*state->refusal);
  auto statement = state->database.prepare_only(sql);
  if (!statement) {
    if (state->refusal->empty()) return std::move(statement).error().with("query");
    return Error{ErrorCode::kInvalid, concat("query: ", *state->refusal)};
  }
  if (!statement->only_reads()) {
    return Error{ErrorCode::kInvalid, concat("query: ", kOnlyReading)};
  }
  Query query(std::move(state));
  for (int i = 0; i < statement->columns(); ++i) query.columns_.push_back(statement->name(i));
  query.state_->statement.emplace(std::move(*statement));
  return query;
}

Result<bool> Query::step() {
  auto row = state_->statement->step();
  if (row) return row;
  return std::move(row).error().with(concat("query of ", printable(state_->path.string())));
}

QueryValue Query::value(std::size_t column) const {
  const Statement& row = *state_->statement;
  const int place = static_cast<int>(column);
  switch (row.type(place)) {
    case SqlType::kNull:
      return std::monostate();
    case SqlType::kInteger:
      return static_cast<std::int64_t>(row.number(place));
    case SqlType::kReal:
      return row.real(place);
    case SqlType::kText:
      return row.text(place);
    case SqlType::kBlob:
      return row.bytes(place);
  }
  return std::monostate();
}

Result<std::vector<View>> views_of(const std::filesystem::path& archive) {
  ASSIGN_OR_RETURN(const Database database, open_database(archive));
  // Of format 1 there are two that only make it look like format 2.
  ASSIGN_OR_RETURN(Statement names,
                   database.prepare("SELECT name FROM temp.sqlite_master WHERE type = 'view' AND "
                                    "name NOT IN (SELECT name FROM main.sqlite_master WHERE type = "
                                    "'table') AND name <> 'replayed_launch' ORDER BY name"));
  std::vector<View> views;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, names.step());
    if (!more) return views;
    View& view = views.emplace_back();
    view.name = names.text(0);
    ASSIGN_OR_RETURN(const Statement columns,
                     database.prepare(concat("SELECT * FROM temp.", view.name)));
    for (int i = 0; i < columns.columns(); ++i) view.columns.push_back(columns.name(i));
  }
}

}  // namespace compass::archive
