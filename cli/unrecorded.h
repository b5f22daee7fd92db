// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "driverless/gate/process_report.h"

namespace compass::cli {

using gate::Unrecorded;

/// "a (statically linked), b (…)".
std::string names_of(const std::vector<Unrecorded>& programs);

/// What there is to say where no process left a journal with calls, and nothing else is known.
std::string no_hip_call(const std::string& program, const std::vector<Unrecorded>& unrecorded);
/// What to say where HIP was called, and asked for nothing that a recording holds.
std::string no_work(const std::string& program);

}  // namespace compass::cli
