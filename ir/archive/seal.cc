// SPDX-License-Identifier: MIT
#include "ir/archive/seal.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "ir/archive/journals.h"
#include "ir/archive/resolve.h"
#include "ir/archive/writer.h"

namespace compass::archive {
namespace {

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

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += concat(all.empty() ? "" : ", ", text);
  return all;
}

std::uint64_t contents_in(const Recording& recording) {
  return static_cast<std::uint64_t>(
      std::count_if(recording.records.begin(), recording.records.end(), [](const Record& record) {
        const auto* const copy = std::get_if<Copy>(&record.body);
        return copy != nullptr && !copy->content.empty();
      }));
}

/// "48.0 MiB", rounded down.
std::string mebibytes(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  return concat(bytes / kMebibyte, ".", bytes % kMebibyte * 10 / kMebibyte, " MiB");
}

/// What is said of several processes, from what is said of each.
SealSummary summary_of(const std::vector<SealSummary>& processes) {
  if (processes.size() == 1) return processes.front();
  SealSummary all;
  for (const SealSummary& process : processes) {
    ++all.processes;
    all.records += process.records;
    all.has_work |= process.has_work;
    all.contents += process.contents;
    all.given_up.count += process.given_up.count;
    all.given_up.size_bytes += process.given_up.size_bytes;
    if (process.complete) continue;
    all.complete = false;
    all.incomplete_cause += concat(all.incomplete_cause.empty() ? "" : "; ", "process ",
                                   all.processes, ": ", process.incomplete_cause);
  }
  return all;
}

}  // namespace

Result<std::vector<std::string>> resolve_each(std::span<const std::filesystem::path> journals,
                                              const TakeProcess& take) {
  ASSIGN_OR_RETURN(const std::vector<std::filesystem::path> files, journal_files(journals));
  const std::vector<StartedJournal> started = in_order(files);
  Family family(started);
  std::vector<std::string> idle;
  for (std::size_t i = 0; i < started.size(); ++i) {
    ASSIGN_OR_RETURN(const Journal journal, read_journal(started[i].path));
    if (!has_anything_to_keep(journal.contents)) {
      idle.push_back(concat(journal.path.string(), " (", writer_of(journal), ")"));
      continue;
    }
    Resolved resolved = resolve(journal.contents);
    ProcessInfo info = family.take(i);
    if (resolved.recording.process.rank) info.rank = resolved.recording.process.rank;
    if (resolved.recording.process.ranks) info.ranks = resolved.recording.process.ranks;
    resolved.recording.process = info;
    resolved.has_gaps |= add_stop_cause(resolved.recording, journal.path);
    if (auto ok = take(resolved); !ok) return std::move(ok).error();
  }
  return idle;
}

Result<SealSummary> seal(std::span<const std::filesystem::path> journals,
                         const std::filesystem::path& output) {
  ASSIGN_OR_RETURN(const std::vector<std::filesystem::path> files, journal_files(journals));
  if (files.empty()) return Error{ErrorCode::kNotFound, "no journal was written: no HIP call seen"};
  if (auto apart = check_apart(files, output); !apart) return std::move(apart).error();
  std::vector<SealSummary> processes;
  std::optional<Writer> writer;
  const auto take = [&](const Resolved& process) -> Result<void> {
    if (!writer) {
      ASSIGN_OR_RETURN(Writer made, Writer::create(output));
      writer.emplace(std::move(made));
    }
    const Recording& recording = process.recording;
    processes.push_back({1, recording.records.size(), recording.complete,
                         recording.incomplete_cause, contents_in(recording), recording.given_up,
                         process.has_work});
    return writer->add(process.recording, process.contents, process.call_sites);
  };
  ASSIGN_OR_RETURN(const std::vector<std::string> idle, resolve_each(files, take));
  if (!writer) {
    return Error{ErrorCode::kNotFound,
                 concat("no HIP call and no mark that a recording holds in ", joined(idle))};
  }
  if (auto ok = std::move(*writer).finish(); !ok) return std::move(ok).error();
  return summary_of(processes);
}

std::string description(const SealSummary& summary, const std::filesystem::path& output) {
  const std::string of_processes =
      summary.processes == 1 ? "" : concat(" of ", summary.processes, " processes");
  const std::string incomplete =
      summary.complete ? "" : concat(", incomplete: ", summary.incomplete_cause);
  const GivenUpContents& given_up = summary.given_up;
  const std::string gave_up =
      given_up.count == 0
          ? ""
          : concat("; contents: gave up ", given_up.count, " of ",
                   given_up.count + summary.contents, ", ", mebibytes(given_up.size_bytes),
                   ": the disk was slower than the program (--buffer)");
  return concat(summary.records, " records", of_processes, " to ", output.string(), incomplete,
                gave_up);
}

std::string seal_command(const std::filesystem::path& journals,
                         const std::filesystem::path& output) {
  return concat("compass-capture seal ", shell_word(journals.string()), " -o ",
                shell_word(output.string()));
}

}  // namespace compass::archive
