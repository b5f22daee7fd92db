// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driverless/arch/arch.h"
#include "driverless/gate/process_report.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::cli {

/// The declared architecture of that name; the error lists them.
Result<const arch::Architecture*> find_architecture(const std::string& name);

/// Plays the recording of a process, as often as it takes, and judges it. Says how far it is on a
/// terminal. `asked_architecture`: empty is the recorded one.
Result<gate::ProcessReport> check_recording(const Recording& recording,
                                            const ContentSource& contents,
                                            const std::string& asked_architecture);

}  // namespace compass::cli
