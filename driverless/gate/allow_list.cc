// SPDX-License-Identifier: MIT
#include "driverless/gate/allow_list.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kKeys = "id, reason, owner, expires or most";

std::string_view noun_of(toml::node_type type) {
  switch (type) {
    case toml::node_type::none:
      break;
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a float";
    case toml::node_type::boolean:
      return "a boolean";
    case toml::node_type::date:
      return "a date";
    case toml::node_type::time:
      return "a time";
    case toml::node_type::date_time:
      return "a date with a time";
  }
  return "nothing";
}

/// Reads one file; errors name it.
class Parser {
 public:
  explicit Parser(std::string_view file) : file_(file) {}

  Result<AllowList> parse(std::string_view text) const;

 private:
  Error wrong(std::uint32_t line, std::string_view what) const {
    return {ErrorCode::kInvalid, concat(file_, ":", line, ": ", what)};
  }
  Error wrong_type(const toml::node& node, std::string_view key, std::string_view expected) const {
    return wrong(node.source().begin.line,
                 concat(key, " is ", noun_of(node.type()), ": expected ", expected));
  }

  Result<const toml::node*> member(const toml::table& table, std::string_view key,
                                   std::string_view expected) const;
  Result<std::string> text_of(const toml::table& table, std::string_view key,
                              std::string_view expected) const;
  Result<std::string> id_of(const toml::table& table) const;
  Result<Date> date_of(const toml::table& table) const;
  Result<std::optional<std::uint64_t>> most_of(const toml::table& table) const;
  Result<void> check_keys(const toml::table& table) const;
  Result<AllowEntry> entry_of(const toml::table& table) const;
  Result<const toml::array*> entries_of(const toml::table& root) const;

  std::string_view file_;
};

Result<const toml::node*> Parser::member(const toml::table& table, std::string_view key,
                                         std::string_view expected) const {
  const toml::node* const node = table.get(key);
  if (node != nullptr) return node;
  return wrong(table.source().begin.line,
               concat("this [[allow]] has no ", key, ": expected ", expected));
}

Result<std::string> Parser::text_of(const toml::table& table, std::string_view key,
                                    std::string_view expected) const {
  ASSIGN_OR_RETURN(const toml::node* const node, member(table, key, expected));
  if (!node->is_string()) return wrong_type(*node, key, expected);
  std::string text = node->as_string()->get();
  if (!text.empty()) return text;
  return wrong(node->source().begin.line, concat(key, " is empty: expected ", expected));
}

Result<std::string> Parser::id_of(const toml::table& table) const {
  constexpr std::string_view kExpected =
      "the 12 hex digits that a finding's line ends with, such as \"218d1a8935c5\"";
  ASSIGN_OR_RETURN(std::string id, text_of(table, "id", kExpected));
  if (is_finding_id(id)) return id;
  return wrong(table.get("id")->source().begin.line,
               concat("id is \"", id, "\": expected ", kExpected));
}

Result<Date> Parser::date_of(const toml::table& table) const {
  constexpr std::string_view kExpected = "a date without quotes, such as 2027-01-31";
  ASSIGN_OR_RETURN(const toml::node* const node, member(table, "expires", kExpected));
  if (!node->is_date()) return wrong_type(*node, "expires", kExpected);
  const toml::date date = node->as_date()->get();
  return Date{date.year, date.month, date.day};
}

Result<std::optional<std::uint64_t>> Parser::most_of(const toml::table& table) const {
  constexpr std::string_view kExpected = "how many launches may have it, at least 1";
  const toml::node* const node = table.get("most");
  if (node == nullptr) return std::optional<std::uint64_t>();
  if (!node->is_integer()) return wrong_type(*node, "most", kExpected);
  const std::int64_t most = node->as_integer()->get();
  if (most >= 1) return std::optional(static_cast<std::uint64_t>(most));
  return wrong(node->source().begin.line, concat("most is ", most, ": expected ", kExpected));
}

Result<void> Parser::check_keys(const toml::table& table) const {
  constexpr std::string_view kKnown[] = {"id", "reason", "owner", "expires", "most"};
  for (const auto& [key, node] : table) {
    if (std::find(std::begin(kKnown), std::end(kKnown), key.str()) != std::end(kKnown)) continue;
    return wrong(key.source().begin.line,
                 concat("unknown key '", key.str(), "': expected ", kKeys));
  }
  return {};
}

Result<AllowEntry> Parser::entry_of(const toml::table& table) const {
  if (auto ok = check_keys(table); !ok) return std::move(ok).error();
  AllowEntry entry;
  entry.line = table.source().begin.line;
  ASSIGN_OR_RETURN(entry.id, id_of(table));
  ASSIGN_OR_RETURN(entry.reason, text_of(table, "reason", "why it may be, in words"));
  ASSIGN_OR_RETURN(entry.owner, text_of(table, "owner", "who answers for it"));
  ASSIGN_OR_RETURN(entry.expires, date_of(table));
  ASSIGN_OR_RETURN(entry.most, most_of(table));
  return entry;
}

/// Null where there are none.
Result<const toml::array*> Parser::entries_of(const toml::table& root) const {
  for (const auto& [key, node] : root) {
    if (key.str() != "allow") {
      return wrong(key.source().begin.line,
                   concat("unknown key '", key.str(), "': expected [[allow]] and nothing else"));
    }
    const bool is_of_tables = node.is_array_of_tables();
    if (!is_of_tables) return wrong_type(node, "allow", "[[allow]], once for each finding");
    return node.as_array();
  }
  return nullptr;
}

Result<AllowList> Parser::parse(std::string_view text) const {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    std::string why(error.description());
    if (why.starts_with('E')) why.front() = 'e';
    const auto [line, column] = error.source().begin;
    return Error{ErrorCode::kInvalid, concat(file_, ":", line, ":", column, ": ", why)};
  }
  ASSIGN_OR_RETURN(const toml::array* const tables, entries_of(parsed.table()));
  AllowList list{std::string(file_), {}};
  if (tables == nullptr) return list;
  for (const toml::node& node : *tables) {
    ASSIGN_OR_RETURN(AllowEntry entry, entry_of(*node.as_table()));
    if (const AllowEntry* const other = list.find(entry.id)) {
      return wrong(entry.line, concat("id \"", entry.id, "\" is allowed already in line ",
                                      other->line, ": expected one [[allow]] a finding"));
    }
    list.entries.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string to_string(const Date& date) {
  const auto two = [](std::uint32_t number) { return concat(number < 10 ? "0" : "", number); };
  return concat(date.year, "-", two(date.month), "-", two(date.day));
}

Date date_of(std::int64_t seconds_since_1970) {
  const std::chrono::sys_seconds moment{std::chrono::seconds(seconds_since_1970)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(moment)};
  return {int{day.year()}, unsigned{day.month()}, unsigned{day.day()}};
}

bool is_finding_id(std::string_view text) {
  return text.size() == 12 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

const AllowEntry* AllowList::find(std::string_view id) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const AllowEntry& entry) { return entry.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

Result<AllowList> parse_allow_list(std::string_view text, std::string_view file) {
  return Parser(file).parse(text);
}

}  // namespace compass::gate
