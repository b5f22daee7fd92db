// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/arch/arch.h"
#include "ir/base/result.h"

namespace compass::cli {

/// The environment of a program: ours, with a few variables set. Its children inherit it.
class Environment {
 public:
  Environment();

  void set(std::string_view name, std::string_view value);
  /// The variable's value; absent where it is not set.
  std::optional<std::string> get(std::string_view name) const;
  /// For lists that the dynamic linker reads: our entry first, then what was there.
  void prepend(std::string_view name, const std::filesystem::path& entry);
  /// As exec takes it; valid until the next change.
  std::vector<char*> pointers();

 private:
  std::vector<std::string>::const_iterator find(std::string_view name) const;
  std::vector<std::string> variables_;
};

/// What a recording is to keep.
struct RecorderOptions {
  std::string contents;          ///< one of kContentsModes
  std::string buffer;            ///< as "64MiB"
  bool call_sites = false;       ///< where in the program's code calls come from
  bool call_site_paths = false;  ///< with the folders of its modules
};

/// Adds the options to `record` and `run`.
void add_recorder_options(CLI::App& command, RecorderOptions& options);

/// Makes the processes of a program write journals to `journal_folder`.
Result<void> add_recorder(Environment& environment, const RecorderOptions& options,
                          const std::filesystem::path& journal_folder);

/// What a program without a driver is told that it runs on.
struct Declaration {
  std::string architecture;
  std::vector<std::string> settings;  ///< "memory=8GiB"
  std::string devices;                ///< how many; empty: one
  std::string copies = "early";       ///< when asynchronous work runs: "early" or "late"
};

Result<void> check_declaration(const Declaration& declaration);
/// What it declares; an error that says what was expected where it declares nothing.
Result<arch::Architecture> declared_architecture(const Declaration& declaration);

/// Has the processes of a program find our runtime and the probe programs, which offer the declared
/// device, and tells engines of it in the variables that they read, where the user has not.
Result<void> add_driverless_runtime(Environment& environment, const Declaration& declaration);

}  // namespace compass::cli
