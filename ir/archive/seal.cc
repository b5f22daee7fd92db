// SPDX-License-Identifier: MIT
#include "ir/archive/seal.h"

#include <system_error>
#include <utility>
#include <vector>

#include "ir/archive/journals.h"
#include "ir/archive/resolve.h"
#include "ir/archive/writer.h"

namespace compass::archive {
namespace {

std::string descriptions(const std::vector<Journal>& journals) {
  std::string all;
  for (const Journal& journal : journals) {
    all += concat(all.empty() ? "" : ", ", journal.path.string(), " (", writer_of(journal), ")");
  }
  return all;
}

/// A line for each journal that makes an archive of it alone, beside `output`.
std::string commands(const std::vector<Journal>& journals, const std::filesystem::path& output) {
  std::string lines;
  for (const Journal& journal : journals) {
    std::filesystem::path own = output;
    own.replace_filename(concat(output.stem().string(), "-", journal.path.stem().string(),
                                output.extension().string()));
    lines += concat("\n  ", seal_command(journal.path, own), "  # ", writer_of(journal));
  }
  return lines;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+,:@%=";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Fails where `output` is one of `files`, whose bytes would be lost.
Result<void> check_apart(const std::vector<std::filesystem::path>& files,
                         const std::filesystem::path& output) {
  for (const std::filesystem::path& file : files) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(file, output, ignored)) continue;
    return Error{ErrorCode::kInvalid,
                 concat("the archive ", output.string(), " would replace the journal ",
                        file.string(), " that it is made of")};
  }
  return {};
}

/// The one journal that a recording can be made of.
Result<Journal> journal_with_calls(const std::vector<std::filesystem::path>& paths,
                                   const std::filesystem::path& output) {
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
    return Error{
        ErrorCode::kUnsupported,
        concat(calling.size(), " processes called HIP, an archive holds one; these make one ",
               "of each:", commands(calling, output))};
  }
  return std::move(calling.front());
}

}  // namespace

Result<SealSummary> seal(std::span<const std::filesystem::path> journals,
                         const std::filesystem::path& output) {
  ASSIGN_OR_RETURN(const std::vector<std::filesystem::path> files, journal_files(journals));
  if (auto apart = check_apart(files, output); !apart) return std::move(apart).error();
  ASSIGN_OR_RETURN(const Journal journal, journal_with_calls(files, output));
  Resolved resolved = resolve(journal.contents);
  add_stop_cause(resolved.recording, journal.path);
  auto written = write(output, resolved.recording, resolved.contents);
  if (!written) return std::move(written).error();
  return SealSummary{resolved.recording.records.size(), resolved.recording.complete,
                     resolved.recording.incomplete_cause};
}

std::string seal_command(const std::filesystem::path& journals,
                         const std::filesystem::path& output) {
  return concat("compass-capture seal ", shell_word(journals.string()), " -o ",
                shell_word(output.string()));
}

}  // namespace compass::archive
