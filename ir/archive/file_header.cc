// SPDX-License-Identifier: MIT
#include "ir/archive/file_header.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "ir/archive/schema.h"
#include "ir/base/bytes.h"
#include "ir/base/concat.h"

namespace compass::archive {
namespace {

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderBytes = 100;

using Header = std::array<std::byte, kHeaderBytes>;

/// The big-endian number of `size` bytes at `offset` of SQLite's database header.
std::uint64_t number_at(const Header& header, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8 | std::to_integer<std::uint64_t>(header[offset + i]);
  }
  return value;
}

Error no_archive(std::string_view found) {
  return {
      ErrorCode::kInvalid,
      concat("is no archive: expected an SQLite file that `compass-capture record` wrote, found ",
             found)};
}

/// What a file holds that does not start as SQLite's do.
std::string description(ByteView start, std::uint64_t size_bytes) {
  if (size_bytes == 0) return "an empty file";
  const std::string_view text = as_text(start);
  if (kSqliteMagic.starts_with(text.substr(0, 16))) return "an SQLite file cut short";
  if (text.starts_with("CMPSJRNL"))
    return "a journal: `compass-capture seal` makes an archive of it";
  if (text.starts_with("\x7f"
                       "ELF"))
    return "an ELF file";
  std::string digits;
  for (const std::byte byte : start.first(std::min<std::size_t>(start.size(), 8))) {
    digits +=
        concat(digits.empty() ? "" : " ", hex(std::to_integer<std::uint64_t>(byte), 2).substr(2));
  }
  return concat("a file of ", size_bytes, " bytes that starts with ", digits);
}

Result<Header> read_header(const std::filesystem::path& path, std::uint64_t size_bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kSystem, concat("cannot be read: ", std::strerror(errno))};
  Header header{};
  file.read(reinterpret_cast<char*>(header.data()), kHeaderBytes);
  const auto count = static_cast<std::size_t>(file.gcount());
  const ByteView start = ByteView(header).first(count);
  if (count < kHeaderBytes || !as_text(start).starts_with(kSqliteMagic)) {
    return no_archive(description(start, size_bytes));
  }
  return header;
}

/// By the fixed places of SQLite's file format, "The Database Header": whether the file is of a
/// kind, version and size that make it worth opening.
Result<void> check_header(const Header& header, std::uint64_t size_bytes) {
  if (const std::uint64_t id = number_at(header, 68, 4); id != kApplicationId) {
    return no_archive(concat("one with application id ", hex(id, 8)));
  }
  const std::uint64_t version = number_at(header, 60, 4);
  if (version < kOldestFormatVersion || version > kFormatVersion) {
    return Error{ErrorCode::kUnsupported,
                 concat("has format version ", version, ", this program reads ",
                        kOldestFormatVersion, " to ", kFormatVersion)};
  }
  const std::uint64_t page = number_at(header, 16, 2) == 1 ? 65536 : number_at(header, 16, 2);
  const std::uint64_t expected = page * number_at(header, 28, 4);
  if (size_bytes != expected) {
    return Error{ErrorCode::kCorrupt, concat("is cut short or damaged: it has ", size_bytes,
                                             " bytes, its header announces ", expected)};
  }
  return {};
}

Result<std::uint64_t> regular_file_size(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return Error{ErrorCode::kNotFound, "does not exist"};
  }
  if (status.type() == std::filesystem::file_type::directory) return no_archive("a directory");
  if (!error && status.type() != std::filesystem::file_type::regular) {
    return no_archive("something that is no regular file");
  }
  const std::uintmax_t size = error ? 0 : std::filesystem::file_size(path, error);
  if (error) return Error{ErrorCode::kSystem, concat("cannot be read: ", error.message())};
  return std::uint64_t{size};
}

}  // namespace

Result<ArchiveFile> check_file(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const std::uint64_t size_bytes, regular_file_size(path));
  ASSIGN_OR_RETURN(const Header header, read_header(path, size_bytes));
  if (auto ok = check_header(header, size_bytes); !ok) return std::move(ok).error();
  return ArchiveFile{size_bytes, static_cast<std::uint32_t>(number_at(header, 60, 4))};
}

}  // namespace compass::archive
