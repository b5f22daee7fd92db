// SPDX-License-Identifier: MIT
#include "cli/input_text.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "ir/names.h"

namespace compass::cli {

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
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.is_open() && !stream.bad()) return text;
  return Error{ErrorCode::kSystem,
               concat(printable(file), " cannot be read: ", std::strerror(errno))};
}

}  // namespace compass::cli
