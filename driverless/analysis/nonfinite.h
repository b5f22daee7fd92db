// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "driverless/analysis/definitions.h"

namespace compass::analysis {

/// Whether a value, as its instruction takes it, is infinite or NaN. Bits that are no number are
/// finite.
bool is_nonfinite(const TracedValue& value);

/// The step that made what the store at `step` stores infinite or NaN out of finite numbers, if the
/// trace has one: a load or a constant that was so already is none.
std::optional<std::size_t> nonfinite_origin(const Definitions& definitions, std::size_t step);

}  // namespace compass::analysis
