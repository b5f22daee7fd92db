// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/decode/instruction.h"
#include "driverless/machine/wavefront.h"

namespace compass::interp {

struct Op;
struct Row;

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

/// Which parts a lane's address has besides the offset.
enum AddressPart : std::uint8_t { kVectorPart = 1, kOffsetPart = 2, kIndexPart = 4 };

/// An instruction bound to its meaning: what the interpreter's loop runs.
struct Op {
  Handler run = nullptr;
  Destination results[3];
  Source sources[6];
  Source scalar_base;        ///< of an address; kNone if there is none. Of a buffer: its descriptor
  Source soffset;            ///< of a buffer
  std::int32_t offset = 0;   ///< of an address
  std::uint8_t address_parts = 0;  ///< AddressPart bits
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;  ///< of a matrix instruction
  std::uint8_t scale_a = 0, scale_b = 0;      ///< which byte of its scales it takes
  bool clamp = false;
  const Row* row = nullptr;  ///< null: the instruction stops the launch
  const decode::Instruction* instruction = nullptr;
  const char* cause = nullptr;  ///< why the instruction stops the launch, if it does or may
};

}  // namespace compass::interp
