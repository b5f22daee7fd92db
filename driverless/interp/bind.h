// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/decode/instruction.h"
#include "driverless/interp/program.h"
#include "driverless/interp/row.h"

namespace compass::interp {

/// Binds the operands that the text shows, and the state that it does not, to the places of `row`.
/// Constants are values only: their rows are the caller's to add. An error says what does not fit.
Result<Op> bind_operands(const decode::Instruction& instruction, const Row& row,
                         const BindContext& context);

}  // namespace compass::interp
