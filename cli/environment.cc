// SPDX-License-Identifier: MIT
#include "cli/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/locations.h"
#include "driverless/arch/arch.h"
#include "driverless/arch/settings.h"
#include "ir/contents.h"
#include "ir/journal/file.h"

namespace compass::cli {
namespace {

/// The file of this part, if the dynamic linker can be told of it in a list.
Result<std::filesystem::path> locate_library(Part part) {
  ASSIGN_OR_RETURN(std::filesystem::path path, locate(part));
  if (path.native().find_first_of(": ") != std::string::npos) {
    return Error{ErrorCode::kInvalid,
                 concat("cannot load ", path.native(), ": its path holds a colon or a space")};
  }
  return path;
}

/// The folder of the programs that engines ask what the device is.
Result<std::filesystem::path> locate_probes() {
  ASSIGN_OR_RETURN(const std::filesystem::path probe, locate(Part::kProbes));
  std::filesystem::path folder = probe.parent_path();
  if (folder.native().find(':') == std::string::npos) return folder;
  return Error{ErrorCode::kInvalid,
               concat("cannot put ", folder.native(), " on PATH: it holds a colon")};
}

/// The architecture with the numbers that `environment` changes.
Result<arch::Architecture> declared_architecture(const Environment& environment,
                                                 const Declaration& declaration) {
  const arch::Architecture* const architecture = arch::find(declaration.architecture);
  CHECK(architecture != nullptr);  // check_declaration
  auto changed = arch::with_settings(*architecture, environment.get("COMPASS_SET").value_or(""));
  if (!changed) return std::move(changed).error().with("COMPASS_SET");
  return changed;
}

/// Sets a variable that engines read, unless the user has: then it is the user's, whatever it says.
/// What an outer compass-capture set is not the user's.
void tell(Environment& environment, const std::string& name, const std::string& value) {
  const std::string note = "COMPASS_TOLD_" + name;
  const std::string old = environment.get(name).value_or("");
  if (!old.empty() && old != environment.get(note)) return;
  environment.set(name, value);
  environment.set(note, value);
}

/// As the runtime reads them.
std::string joined(const std::vector<std::string>& settings) {
  std::string text;
  for (const std::string& setting : settings) text += concat(text.empty() ? "" : ",", setting);
  return text;
}

/// Puts the probe programs before all others, and tells engines what these would answer.
Result<void> add_probes(Environment& environment, const Declaration& declaration,
                        const std::filesystem::path& runtime_folder) {
  ASSIGN_OR_RETURN(const std::filesystem::path probes, locate_probes());
  ASSIGN_OR_RETURN(const arch::Architecture architecture,
                   declared_architecture(environment, declaration));
  if (environment.get("PATH").value_or("").empty()) environment.set("PATH", "/bin:/usr/bin");
  environment.prepend("PATH", probes);
  tell(environment, "GPU_ARCHS", std::string(architecture.name));
  tell(environment, "CU_NUM", std::to_string(architecture.compute_units));
  tell(environment, "TRITON_LIBHIP_PATH", (runtime_folder / "libamdhip64.so").native());
  return {};
}

/// What was asked for, here or by whoever started us.
Result<std::string> contents_of(const RecorderOptions& options) {
  if (!options.contents.empty()) return options.contents;
  const char* const outer = std::getenv(kContentsVariable);
  if (outer == nullptr || *outer == '\0') return std::string("index");
  if (contents_mode_of(outer)) return std::string(outer);
  return Error{ErrorCode::kInvalid,
               concat(kContentsVariable, " is '", outer, "': expected none, index, inputs or all")};
}

/// The same of the memory that the recorder may use.
Result<std::string> buffer_of(const RecorderOptions& options) {
  const char* const outer = std::getenv(journal::kBufferVariable);
  const bool is_outer = options.buffer.empty() && outer != nullptr && *outer != '\0';
  const std::string text = is_outer ? outer : options.buffer;
  if (text.empty()) return std::to_string(journal::kDefaultBufferBytes);
  Result<std::uint64_t> bytes = journal::parse_buffer(text);
  if (bytes) return std::to_string(*bytes);
  return std::move(bytes).error().with(is_outer ? journal::kBufferVariable : "--buffer");
}

}  // namespace

Environment::Environment() {
  for (char** variable = ::environ; *variable != nullptr; ++variable) {
    variables_.emplace_back(*variable);
  }
}

void Environment::set(std::string_view name, std::string_view value) {
  const auto old = find(name);
  if (old != variables_.end()) variables_.erase(old);
  variables_.push_back(concat(name, "=", value));
}

void Environment::prepend(std::string_view name, const std::filesystem::path& entry) {
  const auto old = find(name);
  const std::string rest = old == variables_.end() ? "" : old->substr(name.size() + 1);
  set(name, rest.empty() ? entry.native() : concat(entry.native(), ":", rest));
}

std::vector<char*> Environment::pointers() {
  std::vector<char*> result;
  result.reserve(variables_.size() + 1);
  for (std::string& variable : variables_) result.push_back(variable.data());
  result.push_back(nullptr);
  return result;
}

std::optional<std::string> Environment::get(std::string_view name) const {
  const auto variable = find(name);
  if (variable == variables_.end()) return std::nullopt;
  return variable->substr(name.size() + 1);
}

std::vector<std::string>::const_iterator Environment::find(std::string_view name) const {
  return std::find_if(variables_.begin(), variables_.end(), [name](const std::string& each) {
    return each.size() > name.size() && each.starts_with(name) && each[name.size()] == '=';
  });
}

void add_recorder_options(CLI::App& command, RecorderOptions& options) {
  command
      .add_option("--contents", options.contents,
                  "which bytes of buffers are kept: none; index, what copies bring to and from the "
                  "host, up to 1 MiB each (default); inputs, all that the device reads of the "
                  "host's; all, results of any size too")
      ->check(CLI::IsMember({"none", "index", "inputs", "all"}));
  command.add_option("--buffer", options.buffer,
                     "memory that the recorder may use where the disk is slower than the program, "
                     "as in 256MiB (default: 64MiB)");
  command.add_flag(
      "--callsites", options.call_sites,
      "keep from where in the program's code each launch, copy, fill and allocation is "
      "asked for: modules by file name, offsets, exported symbols");
  command.add_flag("--callsite-paths", options.call_site_paths,
                   "the same, with the folders of the modules");
}

Result<void> add_recorder(Environment& environment, const RecorderOptions& options,
                          const std::filesystem::path& journal_folder) {
  ASSIGN_OR_RETURN(const std::string contents, contents_of(options));
  ASSIGN_OR_RETURN(const std::string buffer, buffer_of(options));
  ASSIGN_OR_RETURN(const std::filesystem::path recorder, locate_library(Part::kRecorder));
  environment.prepend("LD_PRELOAD", recorder);
  environment.set("COMPASS_JOURNAL_DIR", journal_folder.native());
  environment.set(kContentsVariable, contents);
  environment.set(journal::kBufferVariable, buffer);
  if (options.call_sites || options.call_site_paths) {
    environment.set("COMPASS_CALLSITES", options.call_site_paths ? "paths" : "names");
  }
  return {};
}

Result<void> check_declaration(const Declaration& declaration) {
  ASSIGN_OR_RETURN([[maybe_unused]] const arch::Architecture declared,
                   declared_architecture(declaration));
  return {};
}

Result<arch::Architecture> declared_architecture(const Declaration& declaration) {
  const arch::Architecture* const architecture = arch::find(declaration.architecture);
  if (architecture != nullptr) {
    if (!declaration.devices.empty()) {
      ASSIGN_OR_RETURN([[maybe_unused]] const int count,
                       arch::parse_device_count(declaration.devices));
    }
    return arch::with_settings(*architecture, joined(declaration.settings));
  }
  return Error{ErrorCode::kInvalid, concat("unknown architecture '", declaration.architecture,
                                           "': expected ", arch::list_of_names())};
}

Result<void> add_driverless_runtime(Environment& environment, const Declaration& declaration) {
  ASSIGN_OR_RETURN(const std::filesystem::path runtime, locate_library(Part::kRuntime));
  ASSIGN_OR_RETURN(const std::filesystem::path audit, locate_library(Part::kAudit));
  ASSIGN_OR_RETURN(const std::filesystem::path decoder, locate(Part::kDecoder));
  environment.prepend("LD_LIBRARY_PATH", runtime.parent_path());
  environment.prepend("LD_AUDIT", audit);
  environment.set("COMPASS_ARCH", declaration.architecture);
  environment.set("COMPASS_DECODER", decoder.native());
  const std::string settings = joined(declaration.settings);
  if (!settings.empty()) environment.set("COMPASS_SET", settings);
  if (!declaration.devices.empty()) environment.set("COMPASS_DEVICES", declaration.devices);
  environment.set("COMPASS_COPIES", declaration.copies);
  return add_probes(environment, declaration, runtime.parent_path());
}

}  // namespace compass::cli
