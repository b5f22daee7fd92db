// SPDX-License-Identifier: MIT
#include "cli/query_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::cli {
namespace {

using archive::QueryValue;

std::string hex_digits(ByteView bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string digits;
  for (const std::byte byte : bytes) {
    const auto value = std::to_integer<unsigned>(byte);
    digits += kDigits[value >> 4];
    digits += kDigits[value & 15];
  }
  return digits;
}

/// In the fewest digits that give the number back.
std::string number_text(double number) {
  std::array<char, 32> text{};
  for (const int digits : {15, 17}) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, number);
    if (std::strtod(text.data(), nullptr) == number) break;
  }
  return text.data();
}

/// Empty for null.
std::string text_of(const QueryValue& value) {
  struct Text {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return number_text(number); }
    std::string operator()(std::string_view text) const { return std::string(text); }
    std::string operator()(ByteView bytes) const { return hex_digits(bytes); }
  };
  return std::visit(Text{}, value);
}

/// How many columns of a terminal UTF-8 takes, as long as each character takes one.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

class TableWriter : public RowWriter {
 public:
  explicit TableWriter(const std::vector<std::string>& columns)
      : is_number_(columns.size(), true), widths_(columns.size()) {
    for (const std::string& column : columns) heading_.push_back(printable(column));
    widen(heading_);
  }

  void add(const std::vector<QueryValue>& row) override {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(printable(text_of(row[i])));
      const bool is_text = std::holds_alternative<std::string_view>(row[i]) ||
                           std::holds_alternative<ByteView>(row[i]);
      if (is_text && !has_begun_) is_number_[i] = false;
    }
    widen(cells);
    if (has_begun_) return print(cells);
    first_.push_back(std::move(cells));
    constexpr std::size_t kMostFirst = 1000;
    if (first_.size() == kMostFirst) begin();
  }
  void finish() override {
    if (!has_begun_) begin();
  }

 private:
  void widen(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths_[i] = std::max(widths_[i], width_of(cells[i]));
    }
  }
  void begin() {
    has_begun_ = true;
    print(heading_);
    std::vector<std::string> rule;
    for (const std::size_t width : widths_) rule.emplace_back(width, '-');
    print(rule);
    for (const auto& cells : std::exchange(first_, {})) print(cells);
  }
  void print(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths_[i] - width_of(cells[i]), ' ');
      line += concat(i == 0 ? "" : "  ", is_number_[i] ? padding : "", cells[i],
                     is_number_[i] ? "" : padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += concat(line, '\n');
  }

  std::vector<std::string> heading_;
  std::vector<bool> is_number_;  ///< by the rows that decide the widths
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> first_;
  bool has_begun_ = false;
};

class CsvWriter : public RowWriter {
 public:
  explicit CsvWriter(const std::vector<std::string>& columns) { print(columns); }
  void add(const std::vector<QueryValue>& row) override {
    std::vector<std::string> cells;
    for (const QueryValue& value : row) cells.push_back(text_of(value));
    print(cells);
  }
  void finish() override {}

 private:
  void print(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text_ += concat(i == 0 ? "" : ",", quoted(cells[i]));
    }
    text_ += "\r\n";
  }
  static std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    std::string quoted(1, '"');
    for (const char c : cell) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
  }
};

class JsonWriter : public RowWriter {
 public:
  explicit JsonWriter(std::vector<std::string> columns) : columns_(std::move(columns)) {
    text_.assign(1, '[');
  }
  void add(const std::vector<QueryValue>& row) override {
    text_ += is_first_ ? "\n{" : ",\n{";
    is_first_ = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      text_ += concat(i == 0 ? "" : ", ", text(columns_[i]), ": ", value(row[i]));
    }
    text_ += '}';
  }
  void finish() override { text_ += is_first_ ? "]\n" : "\n]\n"; }

 private:
  /// What is not UTF-8 becomes U+FFFD.
  static std::string text(const std::string& value) {
    return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  static std::string value(const QueryValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return "null";
    if (std::holds_alternative<std::int64_t>(value)) return text_of(value);
    const double* const number = std::get_if<double>(&value);
    if (number == nullptr) return text(text_of(value));
    return std::isfinite(*number) ? text_of(value) : "null";
  }

  std::vector<std::string> columns_;
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<RowWriter> make_row_writer(const std::string& format,
                                           const std::vector<std::string>& columns) {
  if (format == "csv") return std::make_unique<CsvWriter>(columns);
  if (format == "json") return std::make_unique<JsonWriter>(columns);
  return std::make_unique<TableWriter>(columns);
}

}  // namespace compass::cli
