// SPDX-License-Identifier: MIT
#include "ir/text/signature.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "ir/names.h"

namespace compass::text {
namespace {

/// What a type's name may consist of that is no structure.
constexpr std::array<std::string_view, 16> kScalarWords = {
    "bool",   "char",     "signed", "unsigned", "short",   "int",      "long",     "float",
    "double", "_Float16", "__bf16", "half",     "char8_t", "char16_t", "char32_t", "wchar_t"};

bool opens(char c) { return c == '(' || c == '<' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == '>' || c == ']' || c == '}'; }

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ') + 1;
  return std::string(text.substr(begin, end > begin ? end - begin : 0));
}

/// Whether values of that type have no padding: arithmetic types, pointers, and HIP's vectors.
bool is_dense(std::string_view type) {
  if (type.ends_with('*') || type.ends_with('&') || type.find("vector") != type.npos) return true;
  while (!type.empty()) {
    const std::size_t size = std::min(type.find(' '), type.size());
    const std::string_view word = type.substr(0, size);
    if (std::find(kScalarWords.begin(), kScalarWords.end(), word) == kScalarWords.end())
      return false;
    type.remove_prefix(std::min(size + 1, type.size()));
  }
  return true;
}

/// The shortest decimal number that is this one; nothing where it is not finite.
template <class Float>
std::optional<std::string> float_text(ByteView bytes) {
  const auto value = load<Float>(bytes);
  if (!std::isfinite(value)) return std::nullopt;
  std::array<char, 32> buffer{};
  const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::vector<std::string> parameter_types(std::string_view canonical) {
  std::vector<std::string> types;
  if (!canonical.ends_with(')')) return types;
  int depth = 0;
  std::size_t end = canonical.size() - 1;  // of the parameter that is being read, from the last on
  for (std::size_t i = canonical.size(); i-- > 0;) {
    const char c = canonical[i];
    if (closes(c)) ++depth;
    if (opens(c)) --depth;
    const bool starts_list = depth == 0;
    if (!starts_list && !(depth == 1 && c == ',')) continue;
    types.insert(types.begin(), trimmed(canonical.substr(i + 1, end - i - 1)));
    end = i;
    if (starts_list) break;
  }
  const bool is_whole = depth == 0;
  if (!is_whole || (types.size() == 1 && types[0].empty())) types.clear();
  return types;
}

std::string value_text(std::string_view type, ByteView bytes) {
  std::optional<std::string> text;
  if (type == "float" && bytes.size() == 4) text = float_text<float>(bytes);
  if (type == "double" && bytes.size() == 8) text = float_text<double>(bytes);
  if (text) return *text;
  const bool may_have_padding = bytes.size() > 1 && !is_dense(type);
  const bool is_scalar =
      bytes.size() == 1 || bytes.size() == 2 || bytes.size() == 4 || bytes.size() == 8;
  return may_have_padding || !is_scalar ? std::string() : scalar_text(bytes);
}

}  // namespace compass::text
