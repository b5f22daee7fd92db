// SPDX-License-Identifier: MIT
//
// rocm_agent_enumerator: the architecture of each agent, a line each. Alone it also names the host,
// as gfx000, and lists what a driver would: no variable hides a device from it. With -name it
// lists what rocminfo does, with feature flags.
#include <string>
#include <string_view>

#include "driverless/runtime/probes/device.h"

namespace compass::probes {
namespace {

constexpr std::string_view kProgram = "rocm_agent_enumerator";

int run(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  const bool with_features = option == "-name" || option == "--name";
  if (argc > 2 || (argc == 2 && !with_features)) {
    return refuse(kProgram, concat("expected -name or nothing, found '", argv[argc - 1], "'"));
  }
  const arch::DeclaredDevices* const devices = declared(kProgram);
  if (devices == nullptr) return 1;
  const arch::Architecture& architecture = devices->architecture;
  std::string text = with_features ? "" : "gfx000\n";
  const std::size_t count = with_features ? devices->agents.size() : devices->all.size();
  for (std::size_t i = 0; i < count; ++i) {
    text += concat(with_features ? architecture.gcn_arch_name : architecture.name, "\n");
  }
  return print(text);
}

}  // namespace
}  // namespace compass::probes

int main(int argc, char** argv) { return compass::probes::run(argc, argv); }
