// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// What a row of the instruction tables (`<encoding>.def`) says besides the meaning.
namespace compass::isa {

enum class Encoding : std::uint8_t {
  kSop1,
  kSop2,
  kSopc,
  kSopk,
  kSopp,
  kSmem,
  kVop1,
  kVop2,
  kVop3,
  kVop3p,
  kVopc,
  kDs,
  kGlobal,
  kMfma,
  kFlat,
  kScratch,
  kBuffer
};

/// Where an operand comes from or goes to. The first group takes the operands of the assembler text
/// in their order, results before sources; the second names state that the text does not show.
enum class Place : std::uint8_t {
  kNone,
  // Shown in the text.
  kVdst,      ///< as a source: the destination's old value
  kVdstHalf,  ///< the half that op_sel names last, or the low one; the other half stays
  kVdstLow,
  kVdstHigh,  ///< that half; the other one stays
  kSdst,
  kVcc,  ///< the lane mask that the text shows; VCC where it shows none
  kS0,
  kS1,
  kS2,
  kAddr,       ///< memory: all that makes up a lane's address, as the encoding has it
  kLane,       ///< the lane's own number, not shown
  kReturned,   ///< an atomic's VDST, where it returns the old value
  kLanes,      ///< a VGPR of which lanes are read or written
  kImm,        ///< an integer
  kSoffset,    ///< of a scalar load: a register, unsigned, or an integer, signed; 64 bits
  kTarget,     ///< of a branch
  kHwreg,      ///< "hwreg(…)", as its 16 bits
  kUnitScale,  ///< a scale, which must be 1
  // Not shown.
  kScc,
  kExec,
  kMode,
  kHwregValue,   ///< the hardware register that kHwreg names
  kBitop3,       ///< the modifier of the same name
  kPc,           ///< of the next instruction, in the unit of branch targets
  kNextAddress,  ///< of the next instruction, in global memory
  kOffset,       ///< the modifiers of the same names
  kOffset0,
  kOffset1,
};

/// The places of a row's results or sources, in the order of the meaning's signature.
struct Places {
  Place at[6]{};
  unsigned count = 0;
};

template <class... P>
constexpr Places places(P... p) {
  return {.at = {p...}, .count = sizeof...(P)};
}

/// Architectures a row is for, as bits.
enum Target : std::uint32_t { GFX942 = 1, GFX950 = 2, GFX9 = GFX942 | GFX950 };

/// The names that rows use. A file that includes a table opens this namespace in the function that
/// does so.
namespace row_names {
inline constexpr Place VDST = Place::kVdst, SDST = Place::kSdst, VCC = Place::kVcc, S0 = Place::kS0,
                       S1 = Place::kS1, S2 = Place::kS2, ADDR = Place::kAddr,
                       RETURNED = Place::kReturned, NONE = Place::kNone, LANE = Place::kLane,
                       SOFFSET = Place::kSoffset, IMM = Place::kImm, TARGET = Place::kTarget,
                       SCC = Place::kScc, EXEC = Place::kExec, MODE = Place::kMode, PC = Place::kPc,
                       NEXT_ADDRESS = Place::kNextAddress, VDST_HALF = Place::kVdstHalf,
                       VDST_LOW = Place::kVdstLow, VDST_HIGH = Place::kVdstHigh,
                       HWREG = Place::kHwreg, HWREG_VALUE = Place::kHwregValue,
                       LANES = Place::kLanes, BITOP3 = Place::kBitop3,
                       UNIT_SCALE = Place::kUnitScale, OFFSET = Place::kOffset,
                       OFFSET0 = Place::kOffset0, OFFSET1 = Place::kOffset1;
inline constexpr Encoding SOP1 = Encoding::kSop1, SOP2 = Encoding::kSop2, SOPC = Encoding::kSopc,
                          SOPK = Encoding::kSopk, SOPP = Encoding::kSopp, SMEM = Encoding::kSmem,
                          VOP1 = Encoding::kVop1, VOP2 = Encoding::kVop2, VOP3 = Encoding::kVop3,
                          VOP3P = Encoding::kVop3p, VOPC = Encoding::kVopc, DS = Encoding::kDs,
                          GLOBAL = Encoding::kGlobal, FLAT = Encoding::kFlat,
                          SCRATCH = Encoding::kScratch, BUFFER = Encoding::kBuffer;
}  // namespace row_names

}  // namespace compass::isa
