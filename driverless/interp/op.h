// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driverless/decode/instruction.h"
#include "driverless/isa/modifiers.h"
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
  kMode,
};

/// Where a source's value comes from. Wider values are in consecutive registers or rows.
struct Source {
  SourceKind kind = SourceKind::kNone;
  bool is_modified = false;    ///< any of the modifiers below is set
  bool first_is_high = false;  ///< a Pair's low value is the second register or the upper half
  bool second_is_low = false;  ///< a Pair's high value is the first register or the lower half
  bool sign_extends = false;   ///< `part`
  bool is_widened = false;     ///< `part` is a half that becomes a single
  isa::Part part = isa::Part::kDword;  ///< what of the register is the value
  std::uint16_t index = 0;             ///< of the first register
  // Applied last, to the first two registers: abs clears sign bits, neg flips them.
  std::uint32_t keep[2] = {~0u, ~0u}, flip[2] = {0, 0};
  const std::uint8_t* lanes = nullptr;  ///< the lane from which each lane reads; null: its own
  std::uint64_t constant = 0;
  const LaneRow* rows = nullptr;  ///< the constant in every lane, two rows
};

enum class ResultKind : std::uint8_t { kNone, kVgpr, kSgpr, kScc, kPc, kMode };

struct Destination {
  ResultKind kind = ResultKind::kNone;
  std::uint16_t index = 0;
};

/// Which parts a lane's address has besides the offset.
enum AddressPart : std::uint8_t { kVectorPart = 1, kOffsetPart = 2, kIndexPart = 4 };

/// Which lanes a DPP instruction writes; `lanes` is null for all other instructions.
struct Dpp {
  const std::uint8_t* lanes = nullptr;  ///< as in Source
  std::uint8_t row_mask = 0xF, bank_mask = 0xF;
  bool writes_without_source = false;  ///< bound_ctrl: a lane without a source reads 0
};

/// An instruction bound to its meaning: what the interpreter's loop runs.
struct Op {
  mutable Handler run = nullptr;  ///< until it has run once, one that becomes `usual`
  Handler usual = nullptr;        ///< the row's, or one that does more and then that
  Destination results[3];
  Source sources[6];
  Source scalar_base;       ///< of an address; kNone if there is none. Of a buffer: its descriptor
  Source soffset;           ///< of a buffer
  std::int32_t offset = 0;  ///< of an address
  std::uint8_t address_parts = 0;             ///< AddressPart bits
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;  ///< of a matrix instruction
  std::uint8_t scale_a = 0, scale_b = 0;      ///< which byte of its scales it takes
  bool clamp = false;
  bool is_result_plain = true;  ///< neither clamp nor a part: it goes into its register as it is
  isa::Part result_part = isa::Part::kDword;
  isa::Rest result_rest = isa::Rest::kZeros;
  bool writes_exec = false;  ///< a lane mask that is a result becomes EXEC too
  Dpp dpp;
  const Row* row = nullptr;  ///< null: the instruction stops the launch
  const decode::Instruction* instruction = nullptr;
  const char* cause = nullptr;  ///< why the instruction stops the launch, if it does or may
};

}  // namespace compass::interp
