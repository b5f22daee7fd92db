// SPDX-License-Identifier: MIT
#pragma once

namespace compass::capture {

/// Finds what the hooked calls need that start programs; when the library is loaded, since they
/// may take no lock later.
void prepare_exec_calls();

}  // namespace compass::capture
