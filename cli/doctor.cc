// SPDX-License-Identifier: MIT
#include "cli/doctor.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/device_answers.h"
#include "cli/device_report.h"
#include "cli/environment.h"
#include "cli/journal_folder.h"
#include "cli/locations.h"
#include "cli/machine_facts.h"
#include "cli/output.h"
#include "driverless/arch/arch.h"
#include "driverless/arch/settings.h"
#include "ir/names.h"

namespace compass::cli {
namespace {

constexpr int kExitWrong = 1;

struct Options {
  bool driverless = false;
  Declaration declaration;
  std::string format = "text";
  int limit_seconds = 30;
};

std::string facts_text(const std::vector<MachineFact>& facts) {
  std::string text;
  for (const MachineFact& fact : facts) {
    constexpr std::size_t kColumn = 26;
    std::string line = fact.what;
    line.append(line.size() < kColumn ? kColumn - line.size() : 1, ' ');
    text += concat(line, printable(fact.found), "\n");
    if (!fact.meaning.empty())
      text += concat("  ", fact.is_wrong ? "wrong: " : "note: ", fact.meaning, "\n");
  }
  return text;
}

std::string facts_json(const std::vector<MachineFact>& facts, bool is_well) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const MachineFact& fact : facts) {
    list.push_back({{"what", fact.what},
                    {"found", fact.found},
                    {"meaning", fact.meaning.empty() ? Json(nullptr) : Json(fact.meaning)},
                    {"wrong", fact.is_wrong}});
  }
  const Json json = {{"format", "compass-capture doctor"},
                     {"version", 1},
                     {"about", "machine"},
                     {"well", is_well},
                     {"facts", list}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int tell_of_machine(const Options& options) {
  const std::vector<MachineFact> facts = find_machine_facts(Environment(), options.limit_seconds);
  const bool is_well = std::none_of(facts.begin(), facts.end(),
                                    [](const MachineFact& fact) { return fact.is_wrong; });
  const bool is_json = options.format == "json";
  const int printed = print_text(is_json ? facts_json(facts, is_well) : facts_text(facts));
  if (printed != 0) return printed;
  for (const MachineFact& fact : facts) {
    if (fact.is_wrong) print_error({ErrorCode::kNotFound, concat(fact.what, ": ", fact.found)});
  }
  return is_well ? 0 : kExitWrong;
}

Result<void> check_options(const Options& options) {
  const Declaration& declaration = options.declaration;
  if (options.driverless && declaration.architecture.empty()) {
    return Error{ErrorCode::kInvalid, concat("--driverless needs --arch: ", arch::list_of_names())};
  }
  if (options.driverless) return check_declaration(declaration);
  const bool has_declaration = !declaration.architecture.empty() || !declaration.settings.empty() ||
                               !declaration.devices.empty();
  if (!has_declaration) return {};
  return Error{ErrorCode::kInvalid,
               "--arch, --set and --devices need --driverless: without it doctor tells of this "
               "machine"};
}

/// How many devices the environment declares.
Result<int> declared_devices(const Environment& environment) {
  const auto count = environment.get("COMPASS_DEVICES");
  if (!count) return 1;
  auto parsed = arch::parse_device_count(*count);
  if (!parsed) return std::move(parsed).error().with("COMPASS_DEVICES");
  return parsed;
}

/// Every answer, under the environment that `record --driverless` makes.
Result<std::vector<DeviceAnswer>> ask(const Options& options) {
  ASSIGN_OR_RETURN(const std::filesystem::path asker, locate(Part::kAsker));
  std::error_code failed;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(failed);
  ASSIGN_OR_RETURN(const JournalFolder folder,
                   JournalFolder::create((failed ? "/tmp" : temporary) / "compass-capture"));
  Environment environment;
  if (auto ok = add_recorder(environment, RecorderOptions(), folder.path()); !ok) {
    return std::move(ok).error();
  }
  if (auto ok = add_driverless_runtime(environment, options.declaration); !ok) {
    return std::move(ok).error();
  }
  ASSIGN_OR_RETURN(const int devices, declared_devices(environment));
  return ask_every_channel(environment, {asker.native(), devices, options.limit_seconds});
}

std::string summary_of(const std::vector<DeviceAnswer>& answers, std::size_t disagreements) {
  const auto count = static_cast<std::size_t>(
      std::count_if(answers.begin(), answers.end(),
                    [](const DeviceAnswer& answer) { return answer.kind != AnswerKind::kNote; }));
  return concat(count, " answers, ",
                disagreements == 0 ? "all agree" : concat(disagreements, " do not agree"), "\n");
}

Result<int> tell_of_device(const Options& options) {
  ASSIGN_OR_RETURN(const std::vector<DeviceAnswer> answers, ask(options));
  const std::vector<Disagreement> disagreements = find_disagreements(answers);
  const std::string text =
      options.format == "json"
          ? answers_json(options.declaration.architecture, answers, disagreements)
          : table_of(answers) + summary_of(answers, disagreements.size());
  const int printed = print_text(text);
  if (printed != 0) return printed;
  for (const Disagreement& each : disagreements) {
    print_error({ErrorCode::kInvalid, sentence_of(each)});
  }
  return disagreements.empty() ? 0 : kExitWrong;
}

int run(const Options& options) {
  if (auto ok = check_options(options); !ok) return print_error(ok.error());
  if (!options.driverless) return tell_of_machine(options);
  const Result<int> code = tell_of_device(options);
  return code ? *code : print_error(code.error());
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Tell what this machine has, or what programs are told of a declared device");
  doctor->add_flag("--driverless", options->driverless,
                   "ask in every way what the declared device is (needs --arch)");
  doctor->add_option("--arch", options->declaration.architecture,
                     "the declared architecture, such as gfx950");
  doctor
      ->add_option("--set", options->declaration.settings,
                   "change one number of the architecture, as in memory=8GiB; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  doctor->add_option("--devices", options->declaration.devices, "how many devices there are")
      ->default_str("1");
  doctor->add_option("--format", options->format, "how to print it")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  doctor
      ->add_option("--limit", options->limit_seconds,
                   "how many seconds a HIP runtime or a program has to answer")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  doctor->footer(R"(Alone it tells of this machine: a HIP runtime and its devices, the parts of
compass-capture, LLVM, userfaultfd and limits. No GPU is no failure.

With --driverless it asks what the device is as programs do under `record --driverless`:
the HIP API in every way, the programs `rocminfo`, `rocm_agent_enumerator`, `amd-smi` and
`hipconfig`, and the variables that engines read.

Exit codes:
  0  all parts are there; all answers agree
  1  a part is missing or does not run; two answers disagree, or one is missing (each is
     said in a line)
  2  it could not be asked)");
  doctor->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace compass::cli
