// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driverless/gate/evidence.h"
#include "driverless/machine/look.h"
#include "driverless/machine/memory.h"

namespace compass::inspection {

/// What an instruction of that launch took: its registers, as the traced lane had them; pointers as places.
std::vector<gate::Operand> operands_of(const TraceStep& step, const gate::Context& context,
                                       const Memory& memory, std::uint64_t ordinal);

/// The instruction at `pc` with those before and after it.
std::vector<gate::CodeNeighbour> neighbours_of(const Look& look, std::uint64_t pc);

/// Words of memory or registers, lowest first: "256", or in hex what is no small number.
std::string describe_words(const std::vector<std::uint32_t>& words);

}  // namespace compass::inspection
