// SPDX-License-Identifier: MIT
#include "ir/kernel.h"

#include <cctype>

#include "ir/base/concat.h"

namespace compass {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Drops every `marker` with the word after it: "f.intern.1a2b" becomes "f".
void drop_marked_words(std::string& name, std::string_view marker) {
  for (std::size_t at = name.find(marker); at != std::string::npos; at = name.find(marker, at)) {
    std::size_t end = at + marker.size();
    while (end < name.size() && is_word(name[end])) ++end;
    name.erase(at, end - at);
  }
}

void drop_all(std::string& name, std::string_view text) {
  for (std::size_t at = name.find(text); at != std::string::npos; at = name.find(text, at)) {
    name.erase(at, text.size());
  }
}

/// "{lambda(int)#2}" becomes "{lambda(int)}".
void drop_lambda_ordinals(std::string& name) {
  for (std::size_t at = name.find(")#"); at != std::string::npos; at = name.find(")#", at + 1)) {
    std::size_t end = at + 2;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end < name.size() && name[end] == '}') name.erase(at + 1, end - at - 1);
  }
}

}  // namespace

std::string canonical_kernel_name(const std::string& name) {
  std::string canonical = name;
  drop_marked_words(canonical, ".intern.");
  drop_marked_words(canonical, ".static.");
  drop_all(canonical, " [clone ]");
  canonical = demangle(canonical);
  drop_lambda_ordinals(canonical);
  return canonical;
}

}  // namespace compass
