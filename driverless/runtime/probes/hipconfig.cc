// SPDX-License-Identifier: MIT
//
// hipconfig: where HIP is and which. What an option asks for is printed without an end of line, as
// AMD's program does, since some put it into a path as it is.
#include <cstdlib>
#include <string>
#include <string_view>

#include "driverless/runtime/probes/device.h"

namespace compass::probes {
namespace {

constexpr std::string_view kProgram = "hipconfig";

std::string variable_or(const char* name, std::string fallback) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fallback : value;
}

std::string rocm_path() { return variable_or("ROCM_PATH", "/opt/rocm"); }
std::string hip_path() { return variable_or("HIP_PATH", rocm_path()); }
std::string version() { return hip_version_text() + "-driverless"; }
std::string compiler() { return "clang"; }
std::string platform() { return "amd"; }
std::string runtime() { return "rocclr"; }
std::string compiler_path() { return variable_or("HIP_CLANG_PATH", rocm_path() + "/lib/llvm/bin"); }
std::string compiler_options() {
  return concat(" -D__HIP_PLATFORM_HCC__= -D__HIP_PLATFORM_AMD__= -I", hip_path(), "/include");
}

struct Option {
  std::string_view letter, word;
  std::string_view heading;  ///< in the full report
  std::string (*answer)();
};

constexpr Option kOptions[] = {
    {"-v", "--version", "HIP version", &version},
    {"-p", "--path", "HIP_PATH", &hip_path},
    {"-R", "--rocmpath", "ROCM_PATH", &rocm_path},
    {"-c", "--compiler", "HIP_COMPILER", &compiler},
    {"-P", "--platform", "HIP_PLATFORM", &platform},
    {"-r", "--runtime", "HIP_RUNTIME", &runtime},
    {"-l", "--hipclangpath", "HIP_CLANG_PATH", &compiler_path},
    {"-C", "--cpp_config", "CPP_CONFIG", &compiler_options},
};

std::string full_report() {
  std::string text;
  for (const Option& option : kOptions) text += concat(option.heading, ": ", option.answer(), "\n");
  return text;
}

const Option* find_option(std::string_view argument) {
  for (const Option& option : kOptions) {
    if (argument == option.letter || argument == option.word) return &option;
  }
  return nullptr;
}

int run(int argc, char** argv) {
  if (argc == 1) return print(full_report());
  std::string text;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (const Option* const option = find_option(argument)) {
      text += option->answer();
    } else if (argument == "-n" || argument == "--newline") {
      text += "\n";
    } else if (argument == "-f" || argument == "--full" || argument == "--check") {
      text += full_report();
    } else {
      return refuse(kProgram, concat("expected one of --version, --path, --rocmpath, --compiler, "
                                     "--platform, --runtime, --hipclangpath, --cpp_config, --full "
                                     "or --newline, found '",
                                     argument, "'"));
    }
  }
  return print(text);
}

}  // namespace
}  // namespace compass::probes

int main(int argc, char** argv) { return compass::probes::run(argc, argv); }
