// SPDX-License-Identifier: MIT
#include "cli/record.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/locations.h"
#include "cli/output.h"
#include "cli/run_program.h"
#include "driverless/arch/arch.h"
#include "ir/archive/output_file.h"
#include "ir/archive/seal.h"

namespace compass::cli {
namespace {

constexpr int kNoHipCall = 3;
/// What a shell and the dynamic linker end with where a program cannot be started.
constexpr int kCannotStart = 127;
/// The audit library's mark in the folder of the journals: it told the user what is not offered.
constexpr const char* kToldOfInterface = "asked-for-older-runtime";

struct Options {
  bool driverless = false;
  std::string architecture;
  std::string output;
  std::string program;
  std::vector<std::string> command;  ///< the program and its arguments
};

Error system_error(const std::string& what) {
  const int cause = errno;
  return {ErrorCode::kSystem, concat(what, ": ", std::strerror(cause))};
}

Result<void> check_architecture(const Options& options) {
  const std::string expected = arch::list_of_names();
  if (options.driverless && options.architecture.empty()) {
    return Error{ErrorCode::kInvalid, concat("--driverless needs --arch: ", expected)};
  }
  if (!options.driverless && !options.architecture.empty()) {
    return Error{
        ErrorCode::kInvalid,
        "--arch needs --driverless: without it the program runs on the device that is there"};
  }
  if (options.driverless && arch::find(options.architecture) == nullptr) {
    return Error{ErrorCode::kInvalid,
                 concat("unknown architecture '", options.architecture, "': expected ", expected)};
  }
  return {};
}

/// The private folder next to the output that the processes write their journals to.
class JournalFolder {
 public:
  static Result<JournalFolder> create(const std::filesystem::path& output) {
    std::error_code failed;
    std::string pattern = std::filesystem::absolute(output, failed).native() + ".journal-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      return system_error(concat("cannot create a folder beside ", output.native()));
    }
    return JournalFolder(std::move(pattern));
  }
  JournalFolder(JournalFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  JournalFolder& operator=(JournalFolder&&) = delete;
  ~JournalFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  /// Leaves the journals to the user; where they are.
  std::filesystem::path keep() { return std::exchange(path_, {}); }

 private:
  explicit JournalFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// The environment of the program: ours, with a few variables set.
class Environment {
 public:
  Environment() {
    for (char** variable = ::environ; *variable != nullptr; ++variable) {
      variables_.emplace_back(*variable);
    }
  }
  void set(std::string_view name, std::string_view value) {
    const auto old = find(name);
    if (old != variables_.end()) variables_.erase(old);
    variables_.push_back(concat(name, "=", value));
  }
  /// For lists that the dynamic linker reads: our entry first, then what was there.
  void prepend(std::string_view name, const std::filesystem::path& entry) {
    const auto old = find(name);
    const std::string rest = old == variables_.end() ? "" : old->substr(name.size() + 1);
    set(name, rest.empty() ? entry.native() : concat(entry.native(), ":", rest));
  }
  /// As exec takes it; valid until the next change.
  std::vector<char*> pointers() {
    std::vector<char*> result;
    result.reserve(variables_.size() + 1);
    for (std::string& variable : variables_) result.push_back(variable.data());
    result.push_back(nullptr);
    return result;
  }

 private:
  std::vector<std::string>::iterator find(std::string_view name) {
    return std::find_if(variables_.begin(), variables_.end(), [name](const std::string& each) {
      return each.size() > name.size() && each.starts_with(name) && each[name.size()] == '=';
    });
  }
  std::vector<std::string> variables_;
};

/// The file of this part, if the dynamic linker can be told of it in a list.
Result<std::filesystem::path> locate_library(Part part) {
  ASSIGN_OR_RETURN(std::filesystem::path path, locate(part));
  if (path.native().find_first_of(": ") != std::string::npos) {
    return Error{ErrorCode::kInvalid,
                 concat("cannot load ", path.native(), ": its path holds a colon or a space")};
  }
  return path;
}

Result<Environment> make_environment(const Options& options,
                                     const std::filesystem::path& journal_folder) {
  Environment environment;
  ASSIGN_OR_RETURN(const std::filesystem::path recorder, locate_library(Part::kRecorder));
  environment.prepend("LD_PRELOAD", recorder);
  environment.set("COMPASS_JOURNAL_DIR", journal_folder.native());
  if (!options.driverless) return environment;
  ASSIGN_OR_RETURN(const std::filesystem::path runtime, locate_library(Part::kRuntime));
  ASSIGN_OR_RETURN(const std::filesystem::path audit, locate_library(Part::kAudit));
  ASSIGN_OR_RETURN(const std::filesystem::path decoder, locate(Part::kDecoder));
  environment.prepend("LD_LIBRARY_PATH", runtime.parent_path());
  environment.prepend("LD_AUDIT", audit);
  environment.set("COMPASS_ARCH", options.architecture);
  environment.set("COMPASS_DECODER", decoder.native());
  return environment;
}

/// Seals what the program left. Nothing where no process made a HIP call.
Result<std::optional<archive::SealSummary>> seal(JournalFolder& folder,
                                                 const std::filesystem::path& output) {
  Result<archive::SealSummary> summary = archive::seal({&folder.path(), 1}, output);
  if (summary) return std::optional(std::move(summary).value());
  if (summary.error().code == ErrorCode::kNotFound) return std::optional<archive::SealSummary>();
  Error error = std::move(summary).error();
  const std::filesystem::path kept = folder.keep();
  // Several processes: the message has a command for each.
  if (error.code == ErrorCode::kUnsupported) return error;
  error.message +=
      concat("; the journals are kept, to try again:\n  ", archive::seal_command(kept, output));
  return error;
}

/// Whether the dynamic linker finds some HIP runtime for programs that bring none.
bool finds_runtime() {
  for (const char* name : {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"}) {
    if (::dlopen(name, RTLD_LAZY | RTLD_LOCAL) != nullptr) return true;
  }
  return false;
}

/// Why a recorder gave up, as its mark in the folder of the journals says; empty where none did.
std::string stop_cause(const JournalFolder& folder) {
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(folder.path(), failed)) {
    if (file.path().extension() != ".stopped") continue;
    const std::filesystem::path cause = std::filesystem::read_symlink(file.path(), failed);
    if (!failed) return cause.native();
  }
  return {};
}

/// The exit code where the program ran but left no recording: its own, if that says anything.
int without_recording(int status) {
  if (status == 0) return kExitError;
  std::fprintf(stderr, "compass-capture: the program ended with %d\n", status);
  return status;
}

/// Why nothing was recorded, as far as that can be guessed; empty where the user knows.
std::string without_calls(const Options& options, const JournalFolder& folder, int status) {
  std::error_code failed;
  if (std::filesystem::exists(folder.path() / kToldOfInterface, failed)) return {};
  if (!options.driverless && (status == kCannotStart || !finds_runtime())) {
    return "no HIP runtime was found here: add --driverless --arch gfx950 to record without a GPU";
  }
  return "no HIP call was seen: a program that is static, setuid or starts others with an emptied "
         "environment runs without the recorder, and one that becomes another user cannot write "
         "its journal";
}

Result<int> record(const Options& options) {
  if (auto ok = check_architecture(options); !ok) return std::move(ok).error();
  auto resolved = archive::output_file(options.output);
  if (!resolved) {
    return std::move(resolved).error().with(concat("cannot write '", options.output, "'"));
  }
  const std::filesystem::path output = std::move(resolved).value();
  ASSIGN_OR_RETURN(JournalFolder folder, JournalFolder::create(output));
  ASSIGN_OR_RETURN(Environment environment, make_environment(options, folder.path()));
  ASSIGN_OR_RETURN(const int status, run_program(options.command, environment.pointers()));
  const std::string stopped = stop_cause(folder);
  const auto sealed = seal(folder, output);
  if (!sealed) {
    print_error(sealed.error());
    return without_recording(status);
  }
  const std::optional<archive::SealSummary>& summary = *sealed;
  if (!summary && !stopped.empty()) {
    print_error({ErrorCode::kSystem, stopped});
    return without_recording(status);
  }
  if (!summary) {
    const std::string why = without_calls(options, folder, status);
    if (!why.empty()) print_error({ErrorCode::kNotFound, why});
    return kNoHipCall;
  }
  const std::string incomplete =
      summary->complete ? "" : concat(", incomplete: ", summary->incomplete_cause);
  std::fprintf(stderr, "compass-capture: recorded %s records to %s%s\n",
               std::to_string(summary->records).c_str(), output.c_str(), incomplete.c_str());
  return status;
}

/// The program's arguments are what the parser left alone: as values of an option of ours it would
/// change some of them ("[a,b]").
Result<void> take_arguments(const CLI::App& parsed, Options& options) {
  std::vector<std::string> rest = parsed.remaining();
  if (!rest.empty() && rest.front() != "--") {
    return Error{ErrorCode::kInvalid, concat("unexpected '", rest.front(),
                                             "': the program and its arguments go after '--'")};
  }
  if (!rest.empty()) rest.erase(rest.begin());
  options.command.insert(options.command.end(), rest.begin(), rest.end());
  return {};
}

int run(const CLI::App& parsed, Options& options) {
  options.command = {options.program};
  auto taken = take_arguments(parsed, options);
  const Result<int> status = taken ? record(options) : Result<int>(std::move(taken).error());
  if (status) return *status;
  return print_error(status.error());
}

/// Shows where the program goes: the parser knows of no '--'.
class RecordFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: compass-capture record [OPTIONS] -o FILE -- PROGRAM [ARGS]\n";
  }
};

}  // namespace

void add_record(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* record =
      app.add_subcommand("record", "Run a program and record what it asks of the device");
  record->add_option("-o,--output", options->output, "the archive to write")->required();
  record->add_flag("--driverless", options->driverless,
                   "run without a GPU, on a declared architecture (needs --arch)");
  record->add_option("--arch", options->architecture, "the declared architecture, such as gfx950");
  record->add_option("PROGRAM", options->program, "after '--', with its arguments")->required();
  record->allow_extras();
  record->formatter(std::make_shared<RecordFormatter>());
  record->footer(
      "Exit codes: those of PROGRAM (128 + N where signal N ended it); 2 where it could not be "
      "started, or\nended with 0 and its recording could not be written; 3 where no HIP call was "
      "seen.");
  record->callback([record, options, &exit_code] { exit_code = run(*record, *options); });
}

}  // namespace compass::cli
