// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

/// Reading a JSON file whose every mistake is told with its place: internal to this folder.
namespace compass::kernel_case {

using Json = nlohmann::ordered_json;

/// The whole file, or why it cannot be read.
Result<Bytes> read_file(const std::filesystem::path& file);

/// The JSON in `file`. A mistake in its syntax is told with line and column.
Result<Json> read_json(const std::filesystem::path& file);

/// A value of the file, with where it stands: "args[2].dtype".
class Field {
 public:
  Field(const Json& json, std::string place) : json_(&json), place_(std::move(place)) {}

  const Json& json() const { return *json_; }
  const std::string& place() const { return place_; }

  /// "args[2].dtype: expected …, found \"bf17\"".
  Error wrong(std::string_view expected) const;

  bool has(const char* name) const { return json_->contains(name); }
  /// The member called `name` of this object. Where it is missing, no value is right for the field.
  Result<Field> member(const char* name) const;
  Field element(std::size_t index) const;

  Result<std::string> text() const;
  /// An integer from `low` to `high`.
  Result<std::uint64_t> integer(std::uint64_t low, std::uint64_t high) const;
  /// Three integers from 1, as x, y and z.
  Result<std::array<std::uint32_t, 3>> sizes() const;
  /// A finite number that is not negative.
  Result<double> tolerance() const;

 private:
  std::string found() const;

  const Json* json_;
  std::string place_;
};

}  // namespace compass::kernel_case
