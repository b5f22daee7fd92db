// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/base/result.h"

namespace compass::decode {

enum class OperandKind : std::uint8_t {
  kVgpr,
  kAgpr,
  kSgpr,  ///< also VCC (106), M0 (124), EXEC (126): `index` is the encoding's number
  kScc,
  kInteger,   ///< inline constant or literal; `integer` as written
  kFloat,     ///< inline constant; `number` as written
  kOff,       ///< "off": no scalar base
  kAperture,  ///< src_shared_base, src_private_base; `integer` is the 64-bit value
  kHwreg,     ///< hwreg(…); `integer` is its encoding: number, offset << 6, width - 1 << 11
  kSymbolic,  ///< sendmsg(…) and the like; see the text
};

struct Operand {
  OperandKind kind = OperandKind::kOff;
  std::uint16_t index = 0;  ///< of the first register
  std::uint16_t count = 1;  ///< of consecutive registers
  std::int64_t integer = 0;
  double number = 0;
  bool negated = false;        ///< "-v1", for floating-point sources
  bool absolute = false;       ///< "|v1|"
  bool sign_extended = false;  ///< "sext(v1)", of SDWA
};

/// What stands behind the operands. Defaults are the assembler's.
struct Modifiers {
  std::int32_t offset = 0;
  std::int32_t offset0 = 0, offset1 = 0;
  bool clamp = false;
  std::uint8_t omod = 0;  ///< 1: times 2, 2: times 4, 3: divided by 2
  // One bit a source.
  std::uint8_t op_sel = 0;
  std::uint8_t op_sel_hi = 0b111;
  bool has_op_sel_hi = false;
  std::uint8_t neg_lo = 0, neg_hi = 0;
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;
  bool returns = false;  ///< sc0: of an atomic, that it returns the old value; else a cache hint
  bool offen = false, idxen = false, lds = false;  ///< of buffer instructions
  // SDWA, by its codes: bytes 0 to 3, words 4 and 5, all 6; unused: pad 0, sign 1, preserve 2.
  std::uint8_t dst_sel = 6, dst_unused = 0, src0_sel = 6, src1_sel = 6;
  // DPP. `dpp_control` is its code, or kNoDpp.
  static constexpr std::uint16_t kNoDpp = 0xFFFF;
  std::uint16_t dpp_control = kNoDpp;
  std::uint8_t row_mask = 0xF, bank_mask = 0xF;
  bool bound_ctrl = false;  ///< a lane without a source reads 0
  std::uint8_t bitop3 = 0;
  /// The first modifier that no field above holds ("row_shr:1"); empty if there is none. Cache
  /// hints (sc1, nt) and wait counts change nothing here and are dropped.
  std::string unknown;
};

/// One machine instruction, as the assembler's text describes it.
struct Instruction {
  std::uint64_t pc = 0;  ///< in bytes from the start of the code that was given to the decoder
  std::uint32_t size_bytes = 0;
  std::string text;  ///< in LLVM's syntax, for instance "v_add_u32_e32 v0, s0, v1"
  /// Without the encoding's suffix: "v_add_u32". Buffer loads to LDS end in "_lds".
  std::string mnemonic;
  std::vector<Operand> operands;
  Modifiers modifiers;
};

/// Whether control never reaches what follows the instruction.
bool ends_path(const Instruction& instruction);

/// The target of a direct branch in bytes, or nothing. SOPP branches only.
bool branch_target(const Instruction& instruction, std::uint64_t& target);

/// Takes LLVM's text apart. `text` and `pc`, `size_bytes` are kept as given.
Result<Instruction> parse_instruction(std::uint64_t pc, std::uint32_t size_bytes, std::string text);

}  // namespace compass::decode
