// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/row.h"
#include "ir/base/result.h"

/// How single sources are bound: constants and modifiers.
namespace compass::interp {

/// An inline constant or literal, as the type of the source takes it.
Result<void> constant_source(Source& from, const ValueShape& shape, const decode::Operand& operand);

/// neg, abs, op_sel, SDWA. `position` counts the sources that the text shows.
Result<void> modify_source(Source& from, ValueClass value_class, const decode::Operand& operand,
                           unsigned position, const decode::Instruction& instruction);

/// For each lane, the lane from which it reads under a DPP control.
const std::uint8_t* dpp_lanes(std::uint16_t control);

}  // namespace compass::interp
