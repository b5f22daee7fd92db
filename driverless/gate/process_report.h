// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driverless/gate/gate.h"
#include "ir/coverage.h"

namespace compass::gate {

/// What a report was made from and with.
struct Environment {
  std::string version;       ///< of compass-capture
  std::string architecture;  ///< on which the kernels ran
  std::string program;
  std::string recorded_architecture;  ///< empty: it was judged as it ran
  std::string incomplete_cause;       ///< empty: the recording is complete
  std::vector<RanInstruction> instructions;  ///< that have run; none: nobody said which
};

/// The report of one process.
struct ProcessReport {
  std::uint32_t number = 0;  ///< among those of its recording, from 1
  std::string heading;       ///< for where there are several: "process 2 rank 1 engine"
  Report report;
  Environment environment;
  bool is_whole = true;  ///< nothing that the program did is missing
};

/// A program that ran without the recorder: nothing is known of what it asked a device for.
struct Unrecorded {
  std::string program;
  std::string cause;
};

}  // namespace compass::gate
