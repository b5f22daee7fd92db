// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "ir/base/check.h"
#include "ir/base/concat.h"

namespace compass {

enum class ErrorCode {
  kInvalid,      ///< an option, a request or a declaration is wrong
  kCorrupt,      ///< bytes that do not follow their format
  kNotFound,     ///< something named does not exist
  kUnsupported,  ///< well formed, and beyond what this version does
  kSystem,       ///< the operating system refused
};

/// Why the world did not allow something: lower case, no full stop, with the facts.
struct [[nodiscard]] Error {
  ErrorCode code;
  std::string message;

  /// The same error, said to have happened in `context`.
  Error with(std::string_view context) && { return {code, concat(context, ": ", message)}; }
};

/// A T, or the Error that kept it from being made. Member names follow std::expected.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() & { return CHECK(has_value()), *std::get_if<0>(&state_); }
  const T& value() const& { return CHECK(has_value()), *std::get_if<0>(&state_); }
  T&& value() && { return CHECK(has_value()), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error& error() & { return CHECK(!has_value()), *std::get_if<1>(&state_); }
  const Error& error() const& { return CHECK(!has_value()), *std::get_if<1>(&state_); }
  Error&& error() && { return CHECK(!has_value()), std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() : error_{ErrorCode::kInvalid, {}}, ok_(true) {}
  Result(Error error) : error_(std::move(error)), ok_(false) {}  // NOLINT: implicit

  bool has_value() const { return ok_; }
  explicit operator bool() const { return ok_; }
  Error& error() & { return CHECK(!ok_), error_; }
  const Error& error() const& { return CHECK(!ok_), error_; }
  Error&& error() && { return CHECK(!ok_), std::move(error_); }

 private:
  Error error_;
  bool ok_;
};

}  // namespace compass

#define COMPASS_JOIN_(a, b) a##b
#define COMPASS_JOIN(a, b) COMPASS_JOIN_(a, b)
#define COMPASS_ASSIGN_OR_RETURN_(temporary, declaration, expression) \
  auto temporary = (expression);                                      \
  if (!temporary) return std::move(temporary).error();                \
  declaration = std::move(temporary).value()

/// ASSIGN_OR_RETURN(T name, expression): the value of a Result, or return its error.
#define ASSIGN_OR_RETURN(declaration, expression) \
  COMPASS_ASSIGN_OR_RETURN_(COMPASS_JOIN(result_, __LINE__), declaration, expression)
