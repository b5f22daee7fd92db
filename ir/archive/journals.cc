// SPDX-License-Identifier: MIT
#include "ir/archive/journals.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <tuple>
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

/// Whether both files hold the same bytes.
bool is_copy(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code failed;
  if (std::filesystem::file_size(a, failed) != std::filesystem::file_size(b, failed) || failed) {
    return false;
  }
  std::ifstream one(a, std::ios::binary);
  std::ifstream other(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return one && other && std::equal(Bytes(one), Bytes(), Bytes(other), Bytes());
}

bool is_same_journal(const StartedJournal& a, const StartedJournal& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a.path, b.path, failed)) return true;
  return a.start.process_id == b.start.process_id && a.start.started_ns == b.start.started_ns &&
         is_copy(a.path, b.path);
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

std::vector<StartedJournal> in_order(const std::vector<std::filesystem::path>& journals) {
  std::vector<StartedJournal> started;
  for (const std::filesystem::path& path : journals) {
    StartedJournal next{path, journal::read_start(path)};
    const bool is_known =
        std::any_of(started.begin(), started.end(),
                    [&](const StartedJournal& known) { return is_same_journal(known, next); });
    if (!is_known) started.push_back(std::move(next));
  }
  std::stable_sort(started.begin(), started.end(),
                   [](const StartedJournal& a, const StartedJournal& b) {
                     return std::tie(a.start.rank, a.start.started_ns) <
                            std::tie(b.start.rank, b.start.started_ns);
                   });
  return started;
}

ProcessInfo Family::take(std::size_t index) {
  const journal::Start& start = journals_[index].start;
  ProcessInfo info;
  info.parent = parent_of(index);
  info.id = ids_[index] = {++count_};
  if (start.rank >= 0) info.rank = static_cast<std::uint32_t>(start.rank);
  if (start.ranks >= 0) info.ranks = static_cast<std::uint32_t>(start.ranks);
  return info;
}

/// Processes that the archive does not hold may lie between.
ProcessId Family::parent_of(std::size_t index) const {
  while (true) {
    const StartedJournal& child = journals_[index];
    std::size_t parent = journals_.size();
    for (std::size_t i = 0; i < journals_.size(); ++i) {
      const journal::Start& start = journals_[i].start;
      const bool may_be = start.process_id == child.start.parent_process_id &&
                          start.started_ns < child.start.started_ns &&
                          journals_[i].path.parent_path() == child.path.parent_path();
      // A process that has executed another program has several.
      const bool is_later =
          parent == journals_.size() || start.started_ns > journals_[parent].start.started_ns;
      if (may_be && is_later) parent = i;
    }
    if (parent == journals_.size()) return {};
    if (ids_[parent]) return ids_[parent];
    index = parent;  // which began earlier, so this ends
  }
}

bool add_stop_cause(Recording& recording, const std::filesystem::path& journal) {
  const std::string cause = stop_cause(journal);
  if (cause.empty()) return false;
  recording.complete = false;
  recording.incomplete_cause += concat(recording.incomplete_cause.empty() ? "" : "; ", cause);
  return true;
}

}  // namespace compass::archive
