// SPDX-License-Identifier: MIT
#include "ir/archive/checked_file.h"

#include <utility>

#include "ir/archive/schema.h"
#include "ir/names.h"

namespace compass::archive {

Result<CheckedFile> open_checked(const std::filesystem::path& path) {
  const auto named = [&](const Error& error) {
    return Error{error.code, concat(printable(path.string()), " ", error.message)};
  };
  auto file = check_file(path);
  if (!file) return named(file.error());
  auto database = Database::open_to_read(path, file->size_bytes, tables_sql(file->version));
  if (!database) return named(std::move(database).error().with("cannot be opened"));
  return CheckedFile{*file, std::move(*database)};
}

}  // namespace compass::archive
