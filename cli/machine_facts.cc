// SPDX-License-Identifier: MIT
#include "cli/machine_facts.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "cli/ask_program.h"
#include "cli/device_answers.h"
#include "cli/locations.h"

namespace compass::cli {
namespace {

constexpr std::pair<Part, std::string_view> kParts[] = {
    {Part::kRecorder, "recorder"},     {Part::kRuntime, "driverless runtime"},
    {Part::kAudit, "audit library"},   {Part::kDecoder, "decoder"},
    {Part::kProbes, "probe programs"}, {Part::kAsker, "device asker"},
};

std::string answer_to(const std::vector<DeviceAnswer>& answers, std::string_view question,
                      int device) {
  for (const DeviceAnswer& answer : answers) {
    const bool is_it =
        answer.question == question && answer.device == device && answer.kind == AnswerKind::kValue;
    if (is_it) return answer.text;
  }
  return {};
}

/// Where HIP is looked for: as programs do, and where ROCm puts it.
std::vector<std::string> runtime_candidates(const Environment& environment) {
  std::vector<std::string> candidates;
  for (const char* name : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}) {
    candidates.emplace_back(name);
  }
  candidates.emplace_back("libamdhip64.so");
  const std::string rocm = environment.get("ROCM_PATH").value_or("");
  if (!rocm.empty()) candidates.push_back(rocm + "/lib/libamdhip64.so");
  candidates.emplace_back("/opt/rocm/lib/libamdhip64.so");
  return candidates;
}

/// How the asker came by the runtime that it opened by this name.
std::string how_found(const std::string& candidate) {
  if (candidate.find('/') == std::string::npos) return "by the dynamic linker";
  return candidate.starts_with("/opt/rocm/") ? "in /opt/rocm" : "by ROCM_PATH";
}

MachineFact runtime_fact(const std::vector<DeviceAnswer>& answers) {
  const auto library = std::find_if(answers.begin(), answers.end(), [](const DeviceAnswer& each) {
    return each.question == "library" && each.kind == AnswerKind::kValue;
  });
  if (library == answers.end()) {
    return {"HIP runtime", "none",
            "programs run with --driverless only; not looked for in their "
            "own folders or Python's"};
  }
  const std::string version = answer_to(answers, "HIP version", kNoDevice);
  std::error_code failed;
  const auto ours = locate(Part::kRuntime);
  const bool is_ours =
      ours && std::filesystem::equivalent(
                  ours->parent_path(), std::filesystem::path(library->text).parent_path(), failed);
  return {"HIP runtime",
          concat(library->text, ", HIP ", version.empty() ? "of unknown version" : version, ", ",
                 how_found(library->channel)),
          is_ours ? "this is the driverless one, which LD_LIBRARY_PATH names" : ""};
}

std::string size_text(const std::string& bytes) {
  const std::uint64_t size = std::strtoull(bytes.c_str(), nullptr, 10);
  return concat(size >> 30, " GiB");
}

std::vector<MachineFact> device_facts(const std::vector<DeviceAnswer>& answers,
                                      const ProgramAnswer& asked) {
  const std::string count = answer_to(answers, "devices", kNoDevice);
  const bool has_runtime = !answer_to(answers, "library", kNoDevice).empty();
  if (!asked.failure.empty() && has_runtime) {
    return {{"devices", concat("not known: the runtime was asked, and ", asked.failure),
             "HIP does not work here: use --driverless"}};
  }
  if (count.empty() || count == "0") {
    return {{"devices", "none", has_runtime ? "HIP finds no device" : ""}};
  }
  std::vector<MachineFact> facts{{"devices", count, ""}};
  const int number = std::atoi(count.c_str());
  for (int device = 0; device < number; ++device) {
    facts.push_back(
        {concat("device ", device),
         concat(answer_to(answers, "name", device), ", ", answer_to(answers, "target", device),
                ", ", size_text(answer_to(answers, "memory", device)), ", ",
                answer_to(answers, "compute units", device), " compute units"),
         ""});
  }
  return facts;
}

std::vector<MachineFact> hip_facts(const Environment& environment, int limit_seconds) {
  const auto asker = locate(Part::kAsker);
  if (!asker) return {{"HIP runtime", "not looked for", "the helper that looks is missing"}};
  std::vector<std::string> words = runtime_candidates(environment);
  words.insert(words.begin(), asker->native());
  const ProgramAnswer asked = ask_program(environment, words, limit_seconds);
  const std::vector<DeviceAnswer> answers = answers_of_api(asked.output);
  std::vector<MachineFact> facts{runtime_fact(answers)};
  // A runtime may crash while it is loaded, before it can be told from others.
  if (answers.empty()) {
    facts = {{"HIP runtime", concat("not known: loading one, ", asked.failure),
              "HIP does not work here: use --driverless"}};
    return facts;
  }
  for (MachineFact& fact : device_facts(answers, asked)) facts.push_back(std::move(fact));
  return facts;
}

std::string access_text(const char* path) {
  if (::access(path, F_OK) != 0) return "missing";
  if (::access(path, R_OK | W_OK) == 0) return "present, and this user may use it";
  return "present, and this user may not use it";
}

MachineFact kernel_driver_fact() {
  const std::string found = access_text("/dev/kfd");
  if (found == "missing") return {"/dev/kfd", found, "no AMD compute driver, or none in here"};
  return {"/dev/kfd", found,
          found.ends_with("not use it") ? "join the group that owns it, often render" : ""};
}

MachineFact render_nodes_fact() {
  std::error_code failed;
  int nodes = 0, usable = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/dri", failed)) {
    if (!entry.path().filename().native().starts_with("renderD")) continue;
    ++nodes;
    if (::access(entry.path().c_str(), R_OK | W_OK) == 0) ++usable;
  }
  if (failed) return {"/dev/dri", "missing", "no graphics driver, or none in here"};
  return {"/dev/dri", concat(nodes, " render nodes, this user may use ", usable), ""};
}

std::vector<MachineFact> part_facts() {
  std::vector<MachineFact> facts;
  for (const auto& [part, name] : kParts) {
    const auto path = locate(part);
    const bool is_folder = path && part == Part::kProbes;
    facts.push_back(path
                        ? MachineFact{std::string(name),
                                      is_folder ? path->parent_path().native() : path->native(), ""}
                        : MachineFact{std::string(name), path.error().message,
                                      "the build or the installation "
                                      "is not complete",
                                      true});
  }
  return facts;
}

MachineFact llvm_fact(const Environment& environment, int limit_seconds) {
  const auto decoder = locate(Part::kDecoder);
  if (!decoder) return {"LLVM", "none", "no kernel can be decoded", true};
  ProgramAnswer asked = ask_program(environment, {decoder->native(), "--version"}, limit_seconds);
  while (asked.output.ends_with("\n")) asked.output.pop_back();
  if (asked.failure.empty()) return {"LLVM", asked.output + ", in the decoder", ""};
  return {"LLVM", concat("the decoder does not run: ", asked.failure), "no kernel can be decoded",
          true};
}

std::string sysctl_text(const char* path) {
  std::ifstream file(path);
  std::string value;
  return std::getline(file, value) ? value : "not known";
}

MachineFact userfaultfd_fact() {
  const std::string setting = concat("vm.unprivileged_userfaultfd is ",
                                     sysctl_text("/proc/sys/vm/unprivileged_userfaultfd"));
  const auto faults = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK));
  const int cause = errno;
  constexpr std::string_view kMeaning =
      "host memory is watched by page protection, which misses what system calls do to it";
  if (faults >= 0) {
    uffdio_api api{};
    api.api = UFFD_API;
    const bool answers = ::ioctl(faults, UFFDIO_API, &api) == 0;
    const bool watches = answers && (api.features & UFFD_FEATURE_MINOR_SHMEM) != 0;
    ::close(faults);
    if (watches) return {"userfaultfd", concat("allowed; ", setting), ""};
    return {"userfaultfd", concat("allowed, without minor faults of shared memory; ", setting),
            std::string(kMeaning)};
  }
  const auto user_faults =
      static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY));
  if (user_faults >= 0) ::close(user_faults);
  return {"userfaultfd",
          concat(user_faults >= 0 ? "allowed for user mode only" : "refused", ": ",
                 std::strerror(cause), "; ", setting),
          std::string(kMeaning)};
}

std::string limit_text(rlim_t value, bool is_bytes) {
  if (value == RLIM_INFINITY) return "unlimited";
  const auto number = static_cast<std::uint64_t>(value);
  if (!is_bytes || number == 0 || number % 1024 != 0) return std::to_string(number);
  return number % (1 << 20) == 0 ? concat(number >> 20, " MiB") : concat(number >> 10, " KiB");
}

struct Limit {
  std::string_view option;  ///< of `ulimit`
  std::string_view what;
  __rlimit_resource_t resource;
  bool is_bytes;
  rlim_t enough;  ///< below it, `meaning` is said
  std::string_view meaning;
};

constexpr rlim_t kAlways = 0;

constexpr Limit kLimits[] = {
    {"-v", "address space", RLIMIT_AS, true, RLIM_INFINITY,
     "devices' memory is reserved as address space: declare less with --set memory=… where a "
     "program fails"},
    {"-n", "open files", RLIMIT_NOFILE, false, 1024, "the recorder and the runtime need some"},
    {"-u", "processes", RLIMIT_NPROC, false, 64, "programs may fail to start their own"},
    {"-s", "stack", RLIMIT_STACK, true, 1 << 20, "programs may fail"},
    {"-l", "locked memory", RLIMIT_MEMLOCK, true, kAlways, ""},
    {"-c", "core file", RLIMIT_CORE, true, kAlways, ""},
    {"-f", "file size", RLIMIT_FSIZE, true, RLIM_INFINITY, "a recording may be larger"},
};

std::vector<MachineFact> limit_facts() {
  std::vector<MachineFact> facts;
  for (const Limit& limit : kLimits) {
    rlimit value{};
    if (::getrlimit(limit.resource, &value) != 0) continue;
    const bool is_low = value.rlim_cur < limit.enough;
    std::string found = limit_text(value.rlim_cur, limit.is_bytes);
    if (value.rlim_max != value.rlim_cur) {
      found += concat(", may be raised to ", limit_text(value.rlim_max, limit.is_bytes));
    }
    facts.push_back({concat("ulimit ", limit.option, ", ", limit.what), std::move(found),
                     is_low ? std::string(limit.meaning) : ""});
  }
  return facts;
}

}  // namespace

std::vector<MachineFact> find_machine_facts(const Environment& environment, int limit_seconds) {
  std::vector<MachineFact> facts = hip_facts(environment, limit_seconds);
  const auto add = [&](std::vector<MachineFact> more) {
    std::move(more.begin(), more.end(), std::back_inserter(facts));
  };
  add({kernel_driver_fact(), render_nodes_fact()});
  add(part_facts());
  add({llvm_fact(environment, limit_seconds), userfaultfd_fact()});
  add(limit_facts());
  return facts;
}

}  // namespace compass::cli
