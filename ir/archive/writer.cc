// SPDX-License-Identifier: MIT
#include "ir/archive/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "ir/archive/compression.h"
#include "ir/archive/output_file.h"
#include "ir/archive/rows.h"
#include "ir/archive/schema.h"
#include "ir/archive/sqlite.h"
#include "ir/archive/validate.h"

namespace compass::archive {
namespace {

Error system_error(std::string_view what) {
  return {ErrorCode::kSystem, concat(what, ": ", std::strerror(errno))};
}

/// A new empty file of mode 0600, gone again unless it was renamed.
class TemporaryFile {
 public:
  static Result<TemporaryFile> beside(const std::filesystem::path& path) {
    std::string name = concat(path.string(), ".XXXXXX");
    const int descriptor = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) return system_error("cannot be created");
    return TemporaryFile(std::move(name), descriptor);
  }
  TemporaryFile(TemporaryFile&& other) noexcept
      : name_(std::exchange(other.name_, {})), descriptor_(std::exchange(other.descriptor_, -1)) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }

  const std::string& name() const { return name_; }

  Result<void> rename_to(const std::filesystem::path& path) {
    if (fsync(descriptor_) != 0) return system_error("cannot be written");
    if (std::rename(name_.c_str(), path.c_str()) != 0) return system_error("cannot be renamed");
    name_.clear();
    return {};
  }

 private:
  TemporaryFile(std::string name, int descriptor)
      : name_(std::move(name)), descriptor_(descriptor) {}

  std::string name_;
  int descriptor_;
};

/// Every content that the recording names, once.
Result<Contents> needed_contents(const Recording& recording, const Contents& contents) {
  Contents needed;
  const auto need = [&](const std::string& sha256) -> Result<void> {
    const auto found = contents.find(sha256);
    if (found == contents.end()) {
      return Error{ErrorCode::kInvalid, concat("the bytes of content ", sha256, " are missing")};
    }
    needed.insert(*found);
    return {};
  };
  for (const CodeObject& code_object : recording.code_objects) {
    if (auto ok = need(code_object.sha256); !ok) return std::move(ok).error();
  }
  for (const Record& record : recording.records) {
    const Copy* copy = std::get_if<Copy>(&record.body);
    if (copy == nullptr || copy->content.empty()) continue;
    if (auto ok = need(copy->content); !ok) return std::move(ok).error();
  }
  return needed;
}

Result<void> write_contents(const Database& database, const Contents& contents) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.prepare("INSERT INTO blob (sha256, size_bytes, zstd) VALUES (?, ?, ?)"));
  for (const auto& [sha256, bytes] : contents) {
    ASSIGN_OR_RETURN(const Bytes frame, compress(bytes));
    insert.bind(0, sha256).bind(1, bytes.size()).bind(2, ByteView(frame));
    if (auto ok = insert.run(); !ok) return ok;
  }
  return {};
}

Result<void> write_database(const std::filesystem::path& path, const Recording& recording,
                            const Contents& contents) {
  ASSIGN_OR_RETURN(Database database, Database::open_to_write(path));
  const std::string identity = concat("PRAGMA application_id = ", kApplicationId,
                                      "; PRAGMA user_version = ", kFormatVersion, "; BEGIN;");
  if (auto ok = database.execute(identity); !ok) return ok;
  if (auto ok = database.execute(tables_sql(kFormatVersion)); !ok) return ok;
  if (auto ok = write_rows(database, recording); !ok) return ok;
  if (auto ok = write_contents(database, contents); !ok) return ok;
  if (auto ok = database.execute(views_sql()); !ok) return ok;
  if (auto ok = database.execute("COMMIT"); !ok) return ok;
  return std::move(database).close();
}

Result<void> write_and_rename(const std::filesystem::path& output, const Recording& recording,
                              const Contents& contents) {
  if (auto ok = validate(recording); !ok) return ok;
  ASSIGN_OR_RETURN(const Contents needed, needed_contents(recording, contents));
  ASSIGN_OR_RETURN(const std::filesystem::path target, output_file(output));
  ASSIGN_OR_RETURN(TemporaryFile file, TemporaryFile::beside(target));
  if (auto ok = write_database(file.name(), recording, needed); !ok) return ok;
  return file.rename_to(target);
}

}  // namespace

Result<void> write(const std::filesystem::path& output, const Recording& recording,
                   const Contents& contents) {
  auto ok = write_and_rename(output, recording, contents);
  if (!ok) return std::move(ok).error().with(concat("archive ", output.string()));
  return {};
}

}  // namespace compass::archive
