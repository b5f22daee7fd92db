// SPDX-License-Identifier: MIT
#include "ir/archive/journals.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

namespace compass::archive {
namespace {

/// Why the recorder of that process gave up, as its mark beside the journal PROCESS-N.journal says;
/// empty where it did not.
std::string stop_cause(const std::filesystem::path& journal) {
  const std::string name = journal.filename().string();
  std::error_code absent;
  const std::filesystem::path cause = std::filesystem::read_symlink(
      journal.parent_path() / (name.substr(0, name.find('-')) + ".stopped"), absent);
  return absent ? std::string() : cause.string();
}

}  // namespace

Result<Journal> read_journal(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return Error{ErrorCode::kNotFound, concat("journal ", path.string(), " does not exist")};
  }
  auto contents = journal::read(path);
  if (!contents) {
    Error error = std::move(contents).error();
    error.message = concat("journal ", error.message);  // which names the path
    return error;
  }
  return Journal{path, std::move(*contents)};
}

std::string writer_of(const Journal& journal) {
  if (journal.contents.entries.empty()) return "unknown process";
  const auto* start = std::get_if<journal::Start>(&journal.contents.entries.front().body);
  if (start == nullptr) return "unknown process";
  return concat(start->program, ", process ", start->process_id);
}

Result<std::vector<std::filesystem::path>> journal_files(
    std::span<const std::filesystem::path> paths) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& path : paths) {
    std::error_code failed;
    if (!std::filesystem::is_directory(path, failed)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator file(path, failed), end; !failed && file != end;
         file.increment(failed)) {
      if (file->path().extension() == ".journal") found.push_back(file->path());
    }
    if (failed) {
      return Error{ErrorCode::kSystem,
                   concat("cannot read folder ", path.string(), ": ", failed.message())};
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

Result<std::vector<std::filesystem::path>> journals_by_start(const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(const std::vector<std::filesystem::path> files, journal_files({&folder, 1}));
  std::vector<std::pair<std::uint64_t, std::filesystem::path>> starts;
  for (const std::filesystem::path& file : files) {
    starts.emplace_back(journal::read_start(file).started_ns, file);
  }
  std::sort(starts.begin(), starts.end());
  std::vector<std::filesystem::path> sorted;
  for (auto& [started_ns, file] : starts) sorted.push_back(std::move(file));
  return sorted;
}

bool add_stop_cause(Recording& recording, const std::filesystem::path& journal) {
  const std::string cause = stop_cause(journal);
  if (cause.empty()) return false;
  recording.complete = false;
  recording.incomplete_cause += concat(recording.incomplete_cause.empty() ? "" : "; ", cause);
  return true;
}

}  // namespace compass::archive
