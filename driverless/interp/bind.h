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

/// The same for matrix instructions, which bind_operands leaves to it.
Result<Op> bind_matrix(const decode::Instruction& instruction, const Row& row,
                       const BindContext& context);

/// The place of `operand`, a VGPR or AccVGPR, in the wavefront's file, if the kernel has all of it.
Result<std::uint16_t> vgpr_index(const decode::Operand& operand, const BindContext& context);

}  // namespace compass::interp
