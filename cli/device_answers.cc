// SPDX-License-Identifier: MIT
#include "cli/device_answers.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/ask_program.h"
#include "cli/probe_output.h"
#include "cli/visible_variables.h"
#include "driverless/arch/declared_devices.h"

namespace compass::cli {
namespace {

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The file itself, where links lead to it.
std::string real_file(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(path, failed);
  return failed ? path : real.native();
}

/// Asks the channels one after the other; each adds its answers.
class Inquiry {
 public:
  Inquiry(const Environment& environment, const Interview& interview)
      : environment_(environment),
        asker_(interview.asker),
        limit_seconds_(interview.limit_seconds),
        all_(count_up(interview.declared_devices)) {
    agents_ = visible_agents(environment, all_);
  }

  std::vector<DeviceAnswer> run() {
    ask_api();
    ask_rocminfo();
    ask_agent_enumerator();
    ask_amd_smi();
    ask_hipconfig();
    ask_architecture_variables();
    ask_count_variables();
    ask_triton_library();
    return std::move(answers_);
  }

 private:
  static std::vector<int> count_up(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(std::max(count, 0)));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  void add(int device, std::string question, std::string channel, std::string text,
           AnswerKind kind = AnswerKind::kValue) {
    answers_.push_back({device, std::move(question), std::move(channel), std::move(text), kind});
  }

  /// The same of each device that HIP has.
  void add_of_each(const std::string& question, const std::string& channel,
                   const std::string& text) {
    for (int device = 0; device < device_count_; ++device) add(device, question, channel, text);
  }

  void ask_api() {
    const ProgramAnswer answer =
        ask_program(environment_, {asker_, "libamdhip64.so"}, limit_seconds_);
    for (DeviceAnswer& each : answers_of_api(answer.output)) {
      if (each.question == "devices") device_count_ = number_in(each.text).value_or(0);
      if (each.question == "library") each.text = real_file(each.text);
      answers_.push_back(std::move(each));
    }
    if (!answer.failure.empty()) {
      add(kNoDevice, "library", "the HIP API", answer.failure, AnswerKind::kFailure);
    }
  }

  /// What a probe program prints; absent, and told, where it prints nothing.
  std::optional<std::string> ask_probe(const std::string& name,
                                       std::vector<std::string> arguments) {
    std::string channel = name;
    for (const std::string& argument : arguments) channel += " " + argument;
    const std::string file = find_program(environment_, name);
    if (file.empty()) {
      add(kNoDevice, "program", channel, "it is not in the folders of PATH", AnswerKind::kFailure);
      return std::nullopt;
    }
    arguments.insert(arguments.begin(), file);
    const ProgramAnswer answer = ask_program(environment_, arguments, limit_seconds_);
    if (answer.failure.empty()) {
      add(kNoDevice, "program", channel, file, AnswerKind::kNote);
      return answer.output;
    }
    add(kNoDevice, "program", channel, concat(file, ": ", answer.failure), AnswerKind::kFailure);
    return std::nullopt;
  }

  /// Of a list of `count` devices that a program prints, those that HIP has, in HIP's order.
  std::vector<std::size_t> seen_by_hip(const std::vector<int>& expected, std::size_t count) const {
    std::vector<int> numbers = expected;
    // More than were declared: numbers that no declared device has.
    for (int extra = first_extra_number(); numbers.size() < count; ++extra) {
      numbers.push_back(extra);
    }
    numbers.resize(count);
    std::vector<std::size_t> positions;
    for (const int number : visible_to_hip(environment_, numbers)) {
      const auto at = std::find(numbers.begin(), numbers.end(), number);
      positions.push_back(static_cast<std::size_t>(at - numbers.begin()));
    }
    return positions;
  }
  int first_extra_number() const { return static_cast<int>(all_.size()); }

  void add_facts(const std::string& channel, const std::vector<DeviceFacts>& listed,
                 const std::vector<std::size_t>& seen) {
    add(kNoDevice, "devices", channel, std::to_string(seen.size()));
    const auto most = static_cast<std::size_t>(device_count_);
    for (std::size_t device = 0; device < std::min(seen.size(), most); ++device) {
      for (const auto& [question, text] : listed[seen[device]]) {
        add(static_cast<int>(device), question, channel, text);
      }
    }
  }

  void ask_rocminfo() {
    const auto output = ask_probe("rocminfo", {});
    if (!output) return;
    const std::vector<DeviceFacts> listed = read_rocminfo(*output);
    add_facts("rocminfo", listed, seen_by_hip(agents_, listed.size()));
  }

  /// What is left of a driver's list by both variables.
  std::vector<std::size_t> seen_of_all(std::size_t count) const {
    std::vector<int> numbers = count_up(static_cast<int>(count));
    numbers = visible_to_hip(environment_, visible_agents(environment_, numbers));
    return {numbers.begin(), numbers.end()};
  }

  void ask_agent_enumerator() {
    const std::string name = "rocm_agent_enumerator";
    for (const bool with_features : {false, true}) {
      const std::vector<std::string> option{"-name"};
      const auto output = ask_probe(name, with_features ? option : std::vector<std::string>());
      if (!output) continue;
      std::vector<DeviceFacts> listed;
      for (const std::string& agent : read_agent_names(*output)) {
        listed.push_back({{"architecture", agent.substr(0, agent.find(':'))}});
        if (with_features) listed.back()["target"] = agent;
      }
      add_facts(with_features ? name + " -name" : name, listed,
                with_features ? seen_by_hip(agents_, listed.size()) : seen_of_all(listed.size()));
    }
  }

  void ask_amd_smi() {
    const auto output = ask_probe("amd-smi", {"static", "--json"});
    if (!output) return;
    const std::vector<DeviceFacts> listed = read_amd_smi(*output);
    add_facts("amd-smi static --json", listed, seen_of_all(listed.size()));
  }

  void ask_hipconfig() {
    const auto output = ask_probe("hipconfig", {"--version"});
    if (output) {
      const std::string version = output->substr(0, output->find_first_of("-\n"));
      add(kNoDevice, "HIP version", "hipconfig --version", version);
    }
  }

  /// The variable's value; absent, and noted, where it asks the reader to look for itself.
  std::optional<std::string> ask_variable(const std::string& question, const std::string& name,
                                          std::string_view undecided) {
    const std::optional<std::string> value = environment_.get(name);
    if (value && !value->empty() && *value != undecided) return value;
    add(kNoDevice, question, name, value ? concat("'", *value, "'") : "not set", AnswerKind::kNote);
    return std::nullopt;
  }

  void ask_architecture_variables() {
    // Engines take the last of several.
    if (const auto list = ask_variable("architecture", "GPU_ARCHS", "native")) {
      add_of_each("architecture", "GPU_ARCHS", split(*list, ";").back());
    }
    if (const auto count = ask_variable("compute units", "CU_NUM", "0")) {
      add_of_each("compute units", "CU_NUM", *count);
    }
    // Those that are rarely set, and decide where they are.
    if (const auto version = environment_.get("HSA_OVERRIDE_GFX_VERSION")) {
      const std::vector<std::string> parts = split(*version, ".");
      std::string name = "gfx";
      for (const std::string& part : parts) {
        name += hex(static_cast<std::uint64_t>(number_in(part).value_or(0))).substr(2);
      }
      add_of_each("architecture", "HSA_OVERRIDE_GFX_VERSION", name);
    }
    if (const auto list = environment_.get("PYTORCH_ROCM_ARCH")) ask_pytorch(*list);
  }

  /// PyTorch compiles for each of the list, which must hold the device's.
  void ask_pytorch(const std::string& list) {
    const auto api = std::find_if(answers_.begin(), answers_.end(), [](const DeviceAnswer& each) {
      return each.question == "architecture" && each.kind == AnswerKind::kValue;
    });
    const std::string wanted = api == answers_.end() ? "" : api->text;
    std::string told = list;
    for (const std::string& each : split(list, "; ,")) {
      if (each.substr(0, each.find(':')) == wanted) told = wanted;
    }
    add_of_each("architecture", "PYTORCH_ROCM_ARCH", told);
  }

  void ask_count_variables() {
    for (const VisibleList& list : count_visible_lists(environment_)) {
      if (list.count) {
        add(kNoDevice, "devices", list.variable, std::to_string(*list.count));
      } else {
        add(kNoDevice, "devices", list.variable, list.text, AnswerKind::kNote);
      }
    }
    const std::string of_hip = environment_.get("HIP_VISIBLE_DEVICES").value_or("");
    const std::string of_cuda = environment_.get("CUDA_VISIBLE_DEVICES").value_or("");
    if (!of_hip.empty() && !of_cuda.empty()) {
      add(kNoDevice, "visible devices", "HIP_VISIBLE_DEVICES", of_hip);
      add(kNoDevice, "visible devices", "CUDA_VISIBLE_DEVICES", of_cuda);
    }
  }

  /// Triton opens the file that its variable names, if it is called as Triton expects.
  void ask_triton_library() {
    const std::string variable = "TRITON_LIBHIP_PATH";
    const auto path = ask_variable("library", variable, "");
    if (!path) return;
    std::error_code failed;
    const auto fail = [&](const std::string& why) {
      add(kNoDevice, "library", variable, concat(*path, ": ", why), AnswerKind::kFailure);
    };
    if (!path->ends_with("libamdhip64.so")) return fail("Triton expects a libamdhip64.so");
    if (!std::filesystem::exists(*path, failed)) return fail("no such file");
    const ProgramAnswer answer = ask_program(environment_, {asker_, *path}, limit_seconds_);
    for (const DeviceAnswer& each : answers_of_api(answer.output)) {
      if (each.question != "library") continue;
      return add(kNoDevice, "library", variable, real_file(each.text));
    }
    fail(answer.failure.empty() ? "it cannot be opened" : answer.failure);
  }

  const Environment& environment_;
  std::string asker_;
  int limit_seconds_;
  std::vector<int> all_, agents_;
  int device_count_ = 0;  ///< that HIP has
  std::vector<DeviceAnswer> answers_;
};

/// A number with a unit, in the smallest of its kind.
struct Quantity {
  std::uint64_t value;
  std::uint64_t unit;
};

std::optional<Quantity> quantity_in(const std::string& text) {
  constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
      {" bytes", 1}, {" KiB", 1 << 10}, {" MiB", 1 << 20}, {" kHz", 1}, {" MHz", 1000}};
  for (const auto& [name, unit] : kUnits) {
    if (!text.ends_with(name)) continue;
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size() - name.size();
    const auto [rest, status] = std::from_chars(text.data(), end, value);
    if (status == std::errc{} && rest == end) return Quantity{value, unit};
  }
  return std::nullopt;
}

bool is_of_next_device(const Disagreement& before, const Disagreement& after) {
  return before.device != kNoDevice && before.last_device + 1 == after.device &&
         before.question == after.question && before.channel == after.channel &&
         before.text == after.text && before.other_channel == after.other_channel &&
         before.other_text == after.other_text && before.is_silence == after.is_silence;
}

/// Adds it, or lets what is there be of one device more.
void join(std::vector<Disagreement>& found, Disagreement disagreement) {
  for (Disagreement& each : found) {
    if (!is_of_next_device(each, disagreement)) continue;
    each.last_device = disagreement.device;
    return;
  }
  found.push_back(std::move(disagreement));
}

}  // namespace

std::vector<DeviceAnswer> answers_of_api(const std::string& output) {
  constexpr std::string_view kFailed = "failed: ";
  std::vector<DeviceAnswer> answers;
  for (const std::string& line : split(output, "\n")) {
    const std::vector<std::string> fields = split(line, "\t");
    if (fields.size() != 4) continue;
    const bool is_failure = fields[3].starts_with(kFailed) || fields[1] == "failure";
    answers.push_back({number_in(fields[0]).value_or(kNoDevice),
                       fields[1] == "failure" ? "library" : fields[1], fields[2],
                       fields[3].substr(fields[3].starts_with(kFailed) ? kFailed.size() : 0),
                       is_failure ? AnswerKind::kFailure : AnswerKind::kValue});
  }
  return answers;
}

std::vector<DeviceAnswer> ask_every_channel(const Environment& environment,
                                            const Interview& interview) {
  return Inquiry(environment, interview).run();
}

bool is_same_answer(const std::string& one, const std::string& other) {
  const auto first = quantity_in(one), second = quantity_in(other);
  if (!first || !second) return one == other;
  const std::uint64_t unit = std::max(first->unit, second->unit);
  return first->value * first->unit / unit == second->value * second->unit / unit;
}

std::vector<Disagreement> find_disagreements(const std::vector<DeviceAnswer>& answers) {
  std::map<std::pair<int, std::string>, const DeviceAnswer*> firsts;
  std::vector<Disagreement> found;
  for (const DeviceAnswer& answer : answers) {
    if (answer.kind != AnswerKind::kValue) continue;
    firsts.try_emplace({answer.device, answer.question}, &answer);
  }
  for (const DeviceAnswer& answer : answers) {
    if (answer.kind == AnswerKind::kNote) continue;
    const auto known = firsts.find({answer.device, answer.question});
    const DeviceAnswer* const first = known == firsts.end() ? nullptr : known->second;
    const bool is_silence = answer.kind == AnswerKind::kFailure;
    if (!is_silence && is_same_answer(first->text, answer.text)) continue;
    join(found,
         {answer.device, answer.device, answer.question, first == nullptr ? "" : first->channel,
          first == nullptr ? "" : first->text, answer.channel, answer.text, is_silence});
  }
  return found;
}

}  // namespace compass::cli
