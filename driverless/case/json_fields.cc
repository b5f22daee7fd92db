// SPDX-License-Identifier: MIT
#include "driverless/case/json_fields.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>

namespace compass::kernel_case {
namespace {

constexpr std::size_t kShownBytes = 60;

/// Takes every value and remembers where the syntax breaks.
struct SyntaxCheck : nlohmann::json_sax<Json> {
  std::size_t position = 0;
  std::string cause;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t at, const std::string&, const Json::exception& error) override {
    position = at;
    cause = error.what();
    return false;
  }
};

/// Without the library's own prefix: "[json.exception.parse_error.101] parse error at line 3, …".
std::string without_prefix(const std::string& cause) {
  const std::size_t at = cause.find("] ");
  return at == std::string::npos ? cause : cause.substr(at + 2);
}

}  // namespace

Result<Bytes> read_file(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    return Error{ErrorCode::kNotFound, concat(file.native(), " does not exist")};
  }
  if (!std::filesystem::is_regular_file(file, failed)) {
    return Error{ErrorCode::kInvalid, concat(file.native(), " is no file")};
  }
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  std::ifstream stream(file, std::ios::binary);
  Bytes bytes(failed ? 0 : size);
  if (failed || !stream ||
      !stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    return Error{ErrorCode::kSystem,
                 concat(file.native(), " cannot be read: ", std::strerror(errno))};
  }
  return bytes;
}

Result<Json> read_json(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const Bytes bytes, read_file(file));
  const std::string_view text = as_text(bytes);
  SyntaxCheck syntax;
  if (!Json::sax_parse(text, &syntax)) {
    return Error{ErrorCode::kCorrupt, concat(file.native(), ": ", without_prefix(syntax.cause))};
  }
  return Json::parse(text, nullptr, false);
}

std::string Field::found() const {
  if (json_->is_discarded()) return "nothing";
  if (json_->is_object()) return json_->empty() ? "an empty object" : "an object";
  if (json_->is_array() && json_->size() > 8) return concat("an array of ", json_->size());
  std::string text = json_->dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes) + "…";
  return text;
}

Error Field::wrong(std::string_view expected) const {
  return {ErrorCode::kInvalid, concat(place_.empty() ? "the file" : place_, ": expected ", expected,
                                      ", found ", found())};
}

Result<Field> Field::member(const char* name) const {
  static const Json nothing = Json::value_t::discarded;
  if (!json_->is_object()) return wrong("an object");
  const auto member = json_->find(name);
  return Field(member == json_->end() ? nothing : *member,
               concat(place_, place_.empty() ? "" : ".", name));
}

Field Field::element(std::size_t index) const {
  return Field((*json_)[index], concat(place_, "[", index, "]"));
}

Result<std::string> Field::text() const {
  if (!json_->is_string() || json_->get_ref<const std::string&>().empty()) {
    return wrong("a text that is not empty");
  }
  return json_->get<std::string>();
}

Result<std::uint64_t> Field::integer(std::uint64_t low, std::uint64_t high) const {
  const bool is_inside = json_->is_number_unsigned() && json_->get<std::uint64_t>() >= low &&
                         json_->get<std::uint64_t>() <= high;
  if (!is_inside) return wrong(concat("an integer from ", low, " to ", high));
  return json_->get<std::uint64_t>();
}

Result<std::array<std::uint32_t, 3>> Field::sizes() const {
  if (!json_->is_array() || json_->size() != 3) return wrong("three integers: x, y and z");
  std::array<std::uint32_t, 3> sizes{};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    ASSIGN_OR_RETURN(const std::uint64_t size,
                     element(axis).integer(1, std::numeric_limits<std::uint32_t>::max()));
    sizes[axis] = static_cast<std::uint32_t>(size);
  }
  return sizes;
}

Result<double> Field::tolerance() const {
  if (!json_->is_number() || !std::isfinite(json_->get<double>()) || json_->get<double>() < 0) {
    return wrong("a number from 0");
  }
  return json_->get<double>();
}

}  // namespace compass::kernel_case
