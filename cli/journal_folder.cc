// SPDX-License-Identifier: MIT
#include "cli/journal_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <tuple>

#include "capture/exec_mark.h"
#include "capture/exec_target.h"
#include "ir/archive/journals.h"
#include "ir/archive/resolve.h"

namespace compass::cli {
namespace {

/// The audit library's mark in the folder of the journals.
constexpr const char* kToldOfInterface = "asked-for-unknown-runtime";

}  // namespace

Result<JournalFolder> JournalFolder::create(const std::filesystem::path& name) {
  std::error_code failed;
  std::string pattern = std::filesystem::absolute(name, failed).native() + ".journal-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    const int cause = errno;
    return Error{ErrorCode::kSystem, concat("cannot create a folder beside ", name.native(), ": ",
                                            std::strerror(cause))};
  }
  return JournalFolder(std::move(pattern));
}

JournalFolder::~JournalFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string JournalFolder::stop_cause() const {
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(path_, failed)) {
    if (file.path().extension() != ".stopped") continue;
    const std::filesystem::path cause = std::filesystem::read_symlink(file.path(), failed);
    if (!failed) return cause.native();
  }
  return {};
}

bool JournalFolder::called_hip() const {
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(path_, failed)) {
    if (file.path().extension() != ".journal") continue;
    const Result<archive::Journal> journal = archive::read_journal(file.path());
    if (!journal || archive::called_hip(journal->contents)) return true;
  }
  return false;
}

std::vector<Unrecorded> JournalFolder::unrecorded() const {
  std::vector<Unrecorded> programs;
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(path_, failed)) {
    if (file.path().extension() != capture::kExecMarkSuffix) continue;
    const std::string mark = std::filesystem::read_symlink(file.path(), failed).native();
    const std::size_t space = mark.find(' ');
    for (const auto& [obstacle, word, text] : capture::kObstacleNames) {
      if (mark.substr(0, space) == word) programs.push_back({mark.substr(space + 1), text});
    }
  }
  std::sort(programs.begin(), programs.end(), [](const Unrecorded& a, const Unrecorded& b) {
    return std::tie(a.program, a.cause) < std::tie(b.program, b.cause);
  });
  return programs;
}

bool JournalFolder::told_of_interface() const {
  std::error_code failed;
  return std::filesystem::exists(path_ / kToldOfInterface, failed);
}

}  // namespace compass::cli
