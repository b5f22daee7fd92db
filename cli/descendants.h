// SPDX-License-Identifier: MIT
#pragma once

namespace compass::cli {

/// Makes us the parent of every process that loses its own, from now on.
void adopt_orphans();

enum class AskedToEnd { kNo, kYes };

/// Waits until all processes that the program left behind have ended: what they ask for belongs to
/// the run. Says after a while whom it waits for. Signals must be held; one that asks us to end
/// (or has, if `asked`) is passed on to them, a second one ends them.
void wait_for_descendants(AskedToEnd asked);

}  // namespace compass::cli
