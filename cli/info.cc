// SPDX-License-Identifier: MIT
#include "cli/info.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/info_json.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "ir/archive/reader.h"
#include "ir/names.h"
#include "ir/text/summary.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::string format = "text";
  ProcessOption process;
};

std::string stored_text(const archive::StoredBytes& stored, std::string_view what) {
  return concat("  ", stored.count, ' ', what, ", ", stored.size_bytes, " bytes, ",
                stored.stored_bytes, " in the file\n");
}

std::string archive_text(const ArchiveInfo& info) {
  const archive::Sizes& sizes = info.sizes;
  const std::uint64_t rest =
      sizes.file_bytes - sizes.code.stored_bytes - sizes.contents.stored_bytes;
  const std::string by =
      info.recorder.empty() ? std::string() : concat(", recorded by ", printable(info.recorder));
  return concat("archive       ", printable(info.file), ", ", sizes.file_bytes, " bytes, format ",
                info.version, by, '\n', stored_text(sizes.code, "code objects"),
                stored_text(sizes.contents, "contents of buffers"), "  ", rest,
                " bytes of records and tables\n");
}

std::string text_of(const ArchiveInfo& info) {
  std::string text = archive_text(info);
  for (const archive::Outline& process : info.processes) {
    if (info.processes.size() > 1) text += concat('\n', heading(process.recording), '\n');
    text += summary(process.recording, process.tally);
  }
  return text;
}

Result<std::string> info(const Options& options) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(options.file));
  ArchiveInfo info{options.file, archive.version(), {}, {}, {}};
  ASSIGN_OR_RETURN(info.recorder, archive.recorder());
  ASSIGN_OR_RETURN(info.sizes, archive.sizes());
  ASSIGN_OR_RETURN(const std::vector<Recording> processes,
                   chosen_processes(archive, options.file, options.process));
  for (const Recording& process : processes) {
    ASSIGN_OR_RETURN(archive::Outline outline, archive.outline(process.process.id));
    info.processes.push_back(std::move(outline));
  }
  return options.format == "json" ? to_json(info) : text_of(info);
}

int run(const Options& options) {
  const auto text = info(options);
  return text ? print_text(*text) : print_error(text.error());
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* info = app.add_subcommand("info", "Tell in a page what an archive holds");
  info->add_option("FILE", options->file, "the archive")->required();
  info->add_option("--format", options->format, "how to print it")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_process_option(*info, options->process);
  info->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
