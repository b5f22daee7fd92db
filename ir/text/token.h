// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/base/result.h"

namespace compass::text {

/// A name as the normal form writes it: as it is where it reads as one word, else in quotes, with a
/// backslash before quotes and backslashes. Brackets may hold anything where each is closed:
/// "gemm<unsigned int, 4>" is one word. The name is printable.
std::string name_text(std::string_view name);

/// One line of a text and a place in it, for parsing from left to right.
class Cursor {
 public:
  Cursor(std::string_view line, std::uint32_t number) : line_(line), number_(number) {}

  bool at_end() const { return at_ == line_.size(); }
  std::string_view rest() const { return line_.substr(at_); }
  std::size_t place() const { return at_; }
  void go_to(std::size_t place) { at_ = place; }
  /// Passes `text` if it comes next.
  bool take(std::string_view text);
  Result<void> expect(std::string_view text);
  Result<void> expect_end() const;
  /// A name as name_text() writes it; `what` it names is for the error.
  Result<std::string> name(std::string_view what);
  /// A decimal number up to `most`.
  Result<std::uint64_t> number(std::string_view what, std::uint64_t most = ~std::uint64_t{0});
  Result<std::int64_t> signed_number(std::string_view what);
  /// The characters up to one that no number has: letters, digits, "." and signs.
  std::string_view number_word();
  /// The lower-case letters and underscores that come next.
  std::string_view word();
  /// "line 3, column 7: expected …, found '…'": this line does not go on as it must.
  Error error(std::string_view expected) const;

 private:
  Result<std::string> quoted();

  std::string_view line_;
  std::uint32_t number_;
  std::size_t at_ = 0;
};

/// How much of `text` is a name without quotes; 0: nothing.
std::size_t bare_name_size(std::string_view text);

}  // namespace compass::text
