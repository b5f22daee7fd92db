// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace compass::capture {

/// Whether this call of HIP, which has no hook, may have the device work or change its memory, so
/// that a recording without it is incomplete: unrecorded_calls.def.
bool may_do_work(std::string_view call);

/// Puts into the place of a function one that goes on to it, whatever its parameters. Where the
/// program calls that, the recording is incomplete: "`name` is not recorded". A few hundred at most
/// in a process; where there is none left, the recording is incomplete at once.
void watch_call(void*& function, std::string name);

}  // namespace compass::capture
