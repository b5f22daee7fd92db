// SPDX-License-Identifier: MIT
#include "ir/archive/seal.h"

#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "ir/archive/resolve.h"
#include "ir/archive/writer.h"
#include "ir/journal/file.h"

namespace compass::archive {
namespace {

struct Journal {
  std::filesystem::path path;
  journal::Contents contents;
};

Result<Journal> read_journal(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return Error{ErrorCode::kNotFound, concat("journal ", path.string(), " does not exist")};
  }
  auto contents = journal::read(path);
  if (!contents) return std::move(contents).error().with(concat("journal ", path.string()));
  return Journal{path, std::move(*contents)};
}

/// The journal, and the process that wrote it as far as that is known.
std::string description(const Journal& journal) {
  std::string path = journal.path.string();
  if (journal.contents.entries.empty()) return path;
  const auto* start = std::get_if<journal::Start>(&journal.contents.entries.front().body);
  if (start == nullptr) return path;
  return concat(path, " (", start->program, ", process ", start->process_id, ")");
}

std::string descriptions(const std::vector<Journal>& journals) {
  std::string all;
  for (const Journal& journal : journals) {
    all += concat(all.empty() ? "" : ", ", description(journal));
  }
  return all;
}

/// The one journal that a recording can be made of.
Result<Journal> journal_with_calls(std::span<const std::filesystem::path> paths) {
  if (paths.empty()) return Error{ErrorCode::kNotFound, "no journal was written: no HIP call seen"};
  std::vector<Journal> calling;
  std::vector<Journal> idle;
  for (const std::filesystem::path& path : paths) {
    ASSIGN_OR_RETURN(Journal journal, read_journal(path));
    if (calls_hip(journal.contents)) {
      calling.push_back(std::move(journal));
    } else {
      idle.push_back(std::move(journal));
    }
  }
  if (calling.empty()) {
    return Error{ErrorCode::kNotFound,
                 concat("no HIP call that a recording holds in ", descriptions(idle))};
  }
  if (calling.size() > 1) {
    return Error{ErrorCode::kUnsupported, concat(calling.size(),
                                                 " processes called HIP, an archive "
                                                 "holds one: ",
                                                 descriptions(calling))};
  }
  return std::move(calling.front());
}

}  // namespace

Result<SealSummary> seal(std::span<const std::filesystem::path> journals,
                         const std::filesystem::path& output) {
  ASSIGN_OR_RETURN(const Journal journal, journal_with_calls(journals));
  const Resolved resolved = resolve(journal.contents);
  auto written = write(output, resolved.recording, resolved.contents);
  if (!written) return std::move(written).error();
  return SealSummary{resolved.recording.records.size(), resolved.recording.complete,
                     resolved.recording.incomplete_cause};
}

}  // namespace compass::archive
