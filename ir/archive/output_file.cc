// SPDX-License-Identifier: MIT
#include "ir/archive/output_file.h"

#include <string_view>
#include <system_error>

namespace compass::archive {
namespace {

using std::filesystem::file_type;

/// Where a chain of links ends, whether or not anything is there.
Result<std::filesystem::path> end_of_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as Linux has it
  for (int links = 0; links <= kMostLinks; ++links) {
    std::error_code failed;
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, failed))) return path;
    const std::filesystem::path target = std::filesystem::read_symlink(path, failed);
    if (failed) {
      return Error{ErrorCode::kSystem, concat("the link cannot be read: ", failed.message())};
    }
    path = path.parent_path() / target;  // which is `target` alone where that is absolute
  }
  return Error{ErrorCode::kInvalid, "expected a file to write, found a link that leads nowhere"};
}

std::string_view name_of(file_type type) {
  switch (type) {
    case file_type::directory:
      return "a directory";
    case file_type::fifo:
      return "a FIFO";
    case file_type::socket:
      return "a socket";
    case file_type::block:
    case file_type::character:
      return "a device";
    default:
      return "something that is no regular file";
  }
}

}  // namespace

Result<std::filesystem::path> output_file(const std::filesystem::path& output) {
  if (output.empty()) return Error{ErrorCode::kInvalid, "expected a file to write, found no name"};
  ASSIGN_OR_RETURN(std::filesystem::path file, end_of_links(output));
  std::error_code failed;
  const file_type type = std::filesystem::status(file, failed).type();
  if (type == file_type::not_found || type == file_type::regular) return file;
  if (type == file_type::none) {
    return Error{ErrorCode::kSystem, concat("cannot be reached: ", failed.message())};
  }
  return Error{ErrorCode::kInvalid, concat("expected a file to write, found ", name_of(type))};
}

}  // namespace compass::archive
