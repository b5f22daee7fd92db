// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "driverless/case/run.h"

namespace compass::kernel_case {

struct Counts {
  std::size_t passed = 0, failed = 0, skipped = 0;
};

Counts count(std::span<const RunResult> results);

/// A table with a line a run, below each failed one what is wrong, and the counts.
std::string to_text(std::span<const RunResult> results);

/// The same for programs; its members change only together with its "version".
std::string to_json(std::span<const RunResult> results);

}  // namespace compass::kernel_case
