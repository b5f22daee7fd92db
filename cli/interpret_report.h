// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driverless/inspection/interpretation.h"

namespace compass::cli {

/// What became of one process of an archive.
struct InterpretedProcess {
  std::uint32_t number = 0;
  std::string heading;           ///< for where there are several
  std::string incomplete_cause;  ///< of the recording; empty: it is complete
  bool has_work = true;          ///< it asked something of a device
  inspection::Interpretation made;
};

struct InterpretReport {
  std::string file, output;
  std::vector<InterpretedProcess> processes;
};

/// 0: all was interpreted, as it was recorded; 1: something is not as recorded; 3: something could
/// not be interpreted, or there was nothing.
int exit_code_of(const InterpretReport& report);

std::string to_text(const InterpretReport& report);
std::string to_json(const InterpretReport& report);

}  // namespace compass::cli
