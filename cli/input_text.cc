// SPDX-License-Identifier: MIT
#include "cli/input_text.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "ir/names.h"

namespace compass::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} * 1024 * 1024;

}  // namespace

Result<std::string> read_input(const std::string& file) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(file, failed);
  if (status.type() == std::filesystem::file_type::not_found) {
    return Error{ErrorCode::kNotFound, concat(printable(file), " does not exist")};
  }
  if (status.type() == std::filesystem::file_type::directory) {
    return Error{ErrorCode::kInvalid, concat(printable(file), " is a directory, expected a file")};
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  for (char part[1 << 16]; text.size() <= kMostBytes && stream;) {
    stream.read(part, sizeof part);
    text.append(part, static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > kMostBytes) {
    return Error{ErrorCode::kInvalid, concat(printable(file), " is too large: expected at most ",
                                             kMostBytes / 1024 / 1024, " MiB")};
  }
  if (stream.eof()) return text;
  return Error{ErrorCode::kSystem,
               concat(printable(file), " cannot be read: ", std::strerror(errno))};
}

}  // namespace compass::cli
