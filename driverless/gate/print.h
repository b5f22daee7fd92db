// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driverless/gate/gate.h"

namespace compass::gate {

/// What a report was made from and with.
struct Environment {
  std::string version;       ///< of compass-capture
  std::string architecture;  ///< on which the kernels ran
  std::string program;
  std::string recorded_architecture;  ///< empty: it was judged as it ran
  std::string incomplete_cause;       ///< empty: the recording is complete
};

/// For people: each finding is one line and indented details; then what was checked, and with what.
std::string to_text(const Report& report, const Environment& environment);

/// For programs: one JSON object that names its version.
std::string to_json(const Report& report, const Environment& environment);

}  // namespace compass::gate
