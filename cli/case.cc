// SPDX-License-Identifier: MIT
#include "cli/case.h"

#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/locations.h"
#include "cli/output.h"
#include "driverless/arch/arch.h"
#include "driverless/case/case.h"
#include "driverless/case/print.h"
#include "driverless/case/run.h"

namespace compass::cli {
namespace {

using kernel_case::Case;
using kernel_case::Object;
using kernel_case::RunResult;

constexpr int kAllRight = 0;
constexpr int kFailed = 1;
constexpr int kNothingRan = 3;

struct Options {
  std::vector<std::string> folders;
  std::string architecture;  // empty: each that has an object
  std::string format = "text";
  bool stop_at_finding = false;
};

/// One object of one case. `agent` is null where the architecture is not declared.
struct Run {
  const Case* one_case;
  const Object* object;
  Agent* agent;
};

/// One agent for each architecture that is asked for.
class Agents {
 public:
  Agent* find(const std::string& architecture) {
    const arch::Architecture* declared = arch::find(architecture);
    if (declared == nullptr) return nullptr;
    std::unique_ptr<Agent>& agent = agents_[architecture];
    if (agent == nullptr) agent = std::make_unique<Agent>(*declared, decoder_path());
    return agent.get();
  }

 private:
  std::map<std::string, std::unique_ptr<Agent>> agents_;
};

Result<void> check_architecture(const std::string& name) {
  if (name.empty() || arch::find(name) != nullptr) return {};
  return Error{ErrorCode::kInvalid,
               concat("unknown architecture '", name, "': expected ", arch::list_of_names())};
}

Result<std::vector<Case>> read_cases(const Options& options) {
  std::vector<Case> cases;
  for (const std::string& argument : options.folders) {
    ASSIGN_OR_RETURN(const auto folders, kernel_case::find_cases(argument));
    for (const auto& folder : folders) {
      ASSIGN_OR_RETURN(Case one_case, kernel_case::read_case(folder));
      cases.push_back(std::move(one_case));
    }
  }
  return cases;
}

/// What is to run, all of it checked: a mistake in the last case is said before the first one runs.
Result<std::vector<Run>> plan(const std::vector<Case>& cases, const Options& options,
                              Agents& agents) {
  std::vector<Run> runs;
  for (const Case& one_case : cases) {
    for (const Object& object : one_case.objects) {
      if (!options.architecture.empty() && object.architecture != options.architecture) continue;
      const Run run{&one_case, &object, agents.find(object.architecture)};
      if (run.agent != nullptr) {
        if (auto fits = kernel_case::check_object(one_case, object, *run.agent); !fits) {
          return std::move(fits).error();
        }
      }
      runs.push_back(run);
    }
  }
  return runs;
}

RunResult skipped(const Run& run) {
  return {.case_name = run.one_case->name,
          .architecture = run.object->architecture,
          .verdict = kernel_case::Verdict::kSkipped,
          .cause = concat(run.object->architecture, " is not supported")};
}

/// Says on a terminal which case runs.
void show_progress(const Run* run) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fputs("\r\033[K", stderr);
  if (run == nullptr) return;
  std::fprintf(stderr, "running %s on %s", run->one_case->name.c_str(),
               run->object->architecture.c_str());
}

Result<std::vector<RunResult>> run_all(const Options& options) {
  if (auto known = check_architecture(options.architecture); !known) {
    return std::move(known).error();
  }
  ASSIGN_OR_RETURN(const std::vector<Case> cases, read_cases(options));
  Agents agents;
  ASSIGN_OR_RETURN(const std::vector<Run> runs, plan(cases, options, agents));
  std::vector<RunResult> results;
  for (const Run& run : runs) {
    if (run.agent == nullptr) {
      results.push_back(skipped(run));
      continue;
    }
    show_progress(&run);
    auto result = kernel_case::run_case(*run.one_case, *run.object, *run.agent,
                                        options.stop_at_finding ? kernel_case::AfterFinding::kStop
                                                                : kernel_case::AfterFinding::kGoOn);
    show_progress(nullptr);
    if (!result) return std::move(result).error();
    results.push_back(std::move(*result));
  }
  return results;
}

int run(const Options& options) {
  const auto results = run_all(options);
  if (!results) return print_error(results.error());
  const int unprinted = print_text(options.format == "json" ? kernel_case::to_json(*results)
                                                            : kernel_case::to_text(*results));
  if (unprinted != 0) return unprinted;
  const kernel_case::Counts counts = kernel_case::count(*results);
  if (counts.failed != 0) return kFailed;
  if (results->empty()) {
    std::fprintf(stderr, "compass-capture: nothing ran: no case has an object for %s\n",
                 options.architecture.c_str());
  }
  return counts.passed == 0 ? kNothingRan : kAllRight;
}

}  // namespace

void add_case(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "case", "Run launches with given inputs on the CPU and compare what they compute");
  command
      ->add_option("DIR", options->folders,
                   "a folder with a case.json, or a folder of such folders")
      ->required();
  command->add_option("--arch", options->architecture,
                      "only this architecture (default: each that a case has an object for)");
  command->add_flag("--stop-at-finding", options->stop_at_finding,
                    "end a launch at its first bad access or use of an undefined value");
  command->add_option("--format", options->format, "how to print the results")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->footer("Exit codes: 0 all right; 1 a launch went wrong; 2 error; 3 nothing ran.");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
