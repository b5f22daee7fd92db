// SPDX-License-Identifier: MIT
#include "cli/show.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "cli/processes.h"
#include "ir/archive/reader.h"
#include "ir/names.h"
#include "ir/text/normal_form.h"

namespace compass::cli {
namespace {

struct Options {
  std::string file;
  std::string steps;
  text::Filter filter;
  bool full = false;
  ProcessOption process;
};

constexpr const char* kFooter =
    "The text is the same for each recording of the same work, and `show` of it is itself. Which\n"
    "matrix products the steps 2 to 4 launch, and in what order:\n\n"
    "  compass-capture show run.compass --step 2-4 --kernel '*gemm*'\n";

/// "3" or "3-6", in decimal whatever zeros it begins with.
Result<text::StepRange> parse_steps(const std::string& words) {
  const auto number = [&](std::string_view digits) -> std::optional<std::uint32_t> {
    std::uint32_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, status] = std::from_chars(digits.data(), end, value);
    if (status != std::errc() || stop != end) return std::nullopt;
    return value;
  };
  const std::size_t dash = words.find('-');
  const auto first = number(std::string_view(words).substr(0, dash));
  const auto last =
      dash == std::string::npos ? first : number(std::string_view(words).substr(dash + 1));
  if (first && last && *first <= *last) return text::StepRange{*first, *last};
  return Error{
      ErrorCode::kInvalid,
      concat("--step expects a number or a range, as in 3 or 3-6, found '", printable(words), "'")};
}

/// The file's text, or nothing where it is no normal form.
std::optional<std::string> text_of(const std::string& path) {
  constexpr std::size_t kStart = 4096;
  std::error_code ignored;  // opening a FIFO would wait for its writer
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text(kStart, '\0');
  file.read(text.data(), kStart);
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!text::is_normal_form(text)) return std::nullopt;
  text.append(std::istreambuf_iterator<char>(file), {});
  return text;
}

Result<text::Document> document_of(const archive::Archive& archive, const Recording& process,
                                   const Options& options) {
  const std::optional<text::StepRange>& steps = options.filter.steps;
  const ProcessId id = process.process.id;
  ASSIGN_OR_RETURN(
      const Recording recording,
      steps ? archive.steps(id, {{steps->first}, {steps->last}}) : archive.recording(id));
  return text::document_of(recording, steps);
}

Result<std::vector<text::Document>> documents_of(const Options& options) {
  if (const std::optional<std::string> text = text_of(options.file)) {
    auto documents = text::parse(*text);
    if (!documents) return std::move(documents).error().with(printable(options.file));
    return documents;
  }
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(options.file));
  ASSIGN_OR_RETURN(const std::vector<Recording> processes,
                   chosen_processes(archive, options.file, options.process));
  std::vector<text::Document> documents;
  for (const Recording& process : processes) {
    ASSIGN_OR_RETURN(text::Document document, document_of(archive, process, options));
    const ProcessInfo& info = process.process;
    if (processes.size() > 1) {
      document.process = text::ProcessHeading{info.id.value, info.rank, process.program};
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

/// Of several processes, those are left in which the filter finds something.
Result<std::string> show(const Options& options) {
  ASSIGN_OR_RETURN(std::vector<text::Document> all, documents_of(options));
  std::vector<text::Document> documents;
  Result<void> done;
  for (text::Document& document : all) {
    done = text::apply(options.filter, document);
    if (done) documents.push_back(std::move(document));
  }
  if (documents.empty()) {
    return Error{done.error().code,
                 concat(printable(options.file), ' ', std::move(done).error().message)};
  }
  return text::print(documents, options.full ? text::Folding::kFull : text::Folding::kFolded);
}

int run(Options options) {
  if (!options.steps.empty()) {
    auto steps = parse_steps(options.steps);
    if (!steps) return print_error(steps.error());
    options.filter.steps = *steps;
  }
  const auto text = show(options);
  return text ? print_text(*text) : print_error(text.error());
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* show =
      app.add_subcommand("show", "Print the normal form of a recording, for check-in and review");
  show->footer(kFooter);
  show->add_option("FILE", options->file, "the archive, or a normal form that was printed before")
      ->required();
  show->add_option("--step", options->steps, "only this step, by its number from 1, or these: N-M");
  show->add_option("--kernel", options->filter.kernel,
                   "only launches of the kernels with this name, short or canonical; * stands for "
                   "any characters, ? for one");
  show->add_option("--stream", options->filter.stream, "only what is in this stream")
      ->transform([](const std::string& number) {  // the parser takes a leading 0 for octal
        return number.substr(std::min(number.find_first_not_of('0'), number.size() - 1));
      });
  show->add_flag("--full", options->full, "print again what repeats, instead of how often");
  add_process_option(*show, options->process);
  show->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
