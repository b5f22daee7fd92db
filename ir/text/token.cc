// SPDX-License-Identifier: MIT
#include "ir/text/token.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace compass::text {
namespace {

constexpr std::size_t kShownOfWhatWasFound = 24;

/// Words that stand where a name could.
constexpr std::array<std::string_view, 4> kReserved = {"null", "host", "nowhere", "opaque"};

char closing(char c) {
  if (c == '(') return ')';
  if (c == '<') return '>';
  return c == '{' ? '}' : '\0';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a name without quotes ends here, outside brackets.
bool ends_name(std::string_view rest) {
  return std::string_view(" ,=;[])>}\"\\").find(rest.front()) != std::string_view::npos ||
         rest.starts_with("<<<");
}

}  // namespace

std::size_t bare_name_size(std::string_view text) {
  if (text.empty() || is_digit(text[0]) || text[0] == '-' || text[0] == '#') return 0;
  std::string open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (open.empty() && ends_name(text.substr(i))) return i;
    if (c == '"' || c == '\\') return 0;
    const bool closes = c == ')' || c == '>' || c == '}';
    if (closes && c != open.back()) return 0;
    if (closes) open.pop_back();
    if (closing(c) != '\0') open += closing(c);
  }
  return open.empty() ? text.size() : 0;
}

std::string name_text(std::string_view name) {
  const bool is_reserved = std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
  const bool is_word = !name.empty() && bare_name_size(name) == name.size();
  if (is_word && !is_reserved && name.find("<<<") == std::string_view::npos) {
    return std::string(name);
  }
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

bool Cursor::take(std::string_view text) {
  if (!rest().starts_with(text)) return false;
  at_ += text.size();
  return true;
}

Result<void> Cursor::expect(std::string_view text) {
  if (take(text)) return {};
  return error(concat('\'', text, '\''));
}

Result<void> Cursor::expect_end() const {
  if (at_end()) return {};
  return error("the end of the line");
}

Result<std::string> Cursor::quoted() {
  std::string name;
  const std::size_t start = at_;
  for (++at_; !at_end() && line_[at_] != '"'; ++at_) {
    if (line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
    name += line_[at_];
  }
  if (take("\"")) return name;
  at_ = start;
  return error("a closing quote");
}

Result<std::string> Cursor::name(std::string_view what) {
  if (rest().starts_with('"')) return quoted();
  const std::size_t size = bare_name_size(rest());
  if (size == 0) return error(what);
  std::string name(rest().substr(0, size));
  at_ += size;
  return name;
}

Result<std::uint64_t> Cursor::number(std::string_view what, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const begin = line_.data() + at_;
  const auto [end, status] = std::from_chars(begin, line_.data() + line_.size(), value);
  if (status == std::errc::invalid_argument) return error(what);
  if (status != std::errc() || value > most) return error(concat(what, " up to ", most));
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

Result<std::int64_t> Cursor::signed_number(std::string_view what) {
  std::int64_t value = 0;
  const char* const begin = line_.data() + at_;
  const auto [end, status] = std::from_chars(begin, line_.data() + line_.size(), value);
  if (status != std::errc()) return error(what);
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::string_view Cursor::number_word() {
  const std::size_t start = at_;
  const auto belongs = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '+';
  };
  while (!at_end() && belongs(line_[at_])) ++at_;
  return line_.substr(start, at_ - start);
}

std::string_view Cursor::word() {
  const std::size_t start = at_;
  while (!at_end() && ((line_[at_] >= 'a' && line_[at_] <= 'z') || line_[at_] == '_')) ++at_;
  return line_.substr(start, at_ - start);
}

Error Cursor::error(std::string_view expected) const {
  std::string found(rest().substr(0, kShownOfWhatWasFound));
  if (rest().size() > kShownOfWhatWasFound) found += "…";
  return {ErrorCode::kCorrupt,
          concat("line ", number_, ", column ", at_ + 1, ": expected ", expected, ", found ",
                 found.empty() ? "the end of the line" : concat('\'', found, '\''))};
}

}  // namespace compass::text
