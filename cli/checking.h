// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driverless/arch/arch.h"
#include "driverless/gate/process_report.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::cli {

/// The recorded processor; a recording names it as HIP does: "gfx950:sramecc+:xnack-".
std::string processor_of(const Device& device);

/// Whether it is of a process that only made marks, as a scheduler's: it has no device either.
bool has_only_marks(const Recording& recording);

/// The declared architecture of that name; the error lists them.
Result<const arch::Architecture*> find_architecture(const std::string& name);

/// Plays the recording of a process, as often as it takes, and judges it. Says how far it is on a
/// terminal. `asked_architecture`: empty is the recorded one.
Result<gate::ProcessReport> check_recording(const Recording& recording,
                                            const ContentSource& contents,
                                            const std::string& asked_architecture);

}  // namespace compass::cli
