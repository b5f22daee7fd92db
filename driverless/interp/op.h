// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/decode/instruction.h"
#include "driverless/machine/wavefront.h"

namespace compass::interp {

struct Op;

/// Executes one instruction for one wavefront, which has advanced past it already.
using Handler = void (*)(Wavefront& wave, const Op& op);

enum class SourceKind : std::uint8_t {
  kNone,
  kVgpr,
  kSgpr,
  kSgprZext,  ///< one SGPR, whatever the value's width
  kScc,
  kConstant,
  kPc,
};

/// Where a source's value comes from. Wider values are in consecutive registers or rows.
struct Source {
  SourceKind kind = SourceKind::kNone;
  bool is_modified = false;  ///< any of the modifiers below is set
  // One bit a register of the value: bit 0 the first.
  std::uint8_t absolute = 0, negated = 0;  ///< of the sign bit
  bool first_is_high = false;   ///< a Pair's low value is the second register
  bool second_is_low = false;   ///< a Pair's high value is the first register
  std::uint16_t index = 0;      ///< of the first register
  std::uint64_t constant = 0;
  const LaneRow* rows = nullptr;  ///< the constant in every lane, two rows
};

enum class ResultKind : std::uint8_t { kNone, kVgpr, kSgpr, kScc, kPc };

struct Destination {
  ResultKind kind = ResultKind::kNone;
  std::uint16_t index = 0;
};

/// An instruction bound to its meaning: what the interpreter's loop runs.
struct Op {
  Handler run = nullptr;
  Destination results[3];
  Source sources[6];
  Source scalar_base;        ///< of a global address; kNone if there is none
  std::int32_t offset = 0;   ///< of a global address
  bool clamp = false;
  const decode::Instruction* instruction = nullptr;
  const char* cause = nullptr;  ///< why the instruction stops the launch, if it does
};

}  // namespace compass::interp
