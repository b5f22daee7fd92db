// SPDX-License-Identifier: MIT
#include <bit>

#include "driverless/interp/bind.h"
#include "driverless/isa/mfma.h"

namespace compass::interp {
namespace {

using decode::Operand;
using decode::OperandKind;

Error refuse(std::string_view what) { return {ErrorCode::kUnsupported, std::string(what)}; }

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// D, A, B, C, and for scaled instructions the scales of A and B.
class MatrixBinder {
 public:
  MatrixBinder(const decode::Instruction& instruction, const Row& row, const BindContext& context)
      : instruction_(instruction), row_(row), context_(context), op_{} {
    op_.row = &row;
    op_.instruction = &instruction;
    op_.run = row.handlers[static_cast<unsigned>(host_level())];
  }

  Result<Op> bind() {
    const bool is_scaled = contains(row_.mnemonic, "_scale_");
    if (shown().size() != (is_scaled ? 6 : 4)) return refuse("another number of operands");
    if (auto done = bind_modifiers(is_scaled); !done) return std::move(done).error();
    op_.results[0].kind = ResultKind::kVgpr;
    ASSIGN_OR_RETURN(op_.results[0].index, vector(0, row_.result_shapes[0].registers));
    for (unsigned n = 0; n < 2; ++n) {
      op_.sources[n].kind = SourceKind::kVgpr;
      ASSIGN_OR_RETURN(op_.sources[n].index, vector(n + 1, registers_of_input(n)));
    }
    if (auto done = bind_accumulator(); !done) return std::move(done).error();
    for (unsigned n = 3; is_scaled && n < 5; ++n) {
      if (auto done = bind_scale(n); !done) return std::move(done).error();
    }
    return op_;
  }

 private:
  const std::vector<Operand>& shown() const { return instruction_.operands; }
  bool chooses_types() const { return contains(row_.mnemonic, "f8f6f4"); }

  Result<std::uint16_t> vector(unsigned position, unsigned registers) const {
    const Operand& operand = shown()[position];
    if (operand.kind != OperandKind::kVgpr && operand.kind != OperandKind::kAgpr) {
      return refuse("a matrix in no VGPRs");
    }
    if (operand.count != registers) {
      return refuse(
          concat("an operand of ", operand.count, " registers where its row takes ", registers));
    }
    return vgpr_index(operand, context_);
  }

  unsigned registers_of_input(unsigned n) const {
    if (!chooses_types()) return row_.source_shapes[n].registers;
    const isa::MatrixType type = isa::kNarrowTypes[n == 0 ? op_.cbsz : op_.blgp];
    return isa::bits_of(type);  // 32 elements a lane
  }

  Result<void> bind_accumulator() {
    Source& from = op_.sources[2];
    const Operand& operand = shown()[3];
    const bool is_double = contains(row_.mnemonic, "v_mfma_f64");
    from.kind = SourceKind::kConstant;
    if (operand.kind == OperandKind::kInteger) {
      from.constant = static_cast<std::uint64_t>(operand.integer);
      if (!is_double) from.constant = static_cast<std::uint32_t>(operand.integer);
      return {};
    }
    if (operand.kind == OperandKind::kFloat) {
      const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(operand.number));
      from.constant = is_double ? std::bit_cast<std::uint64_t>(operand.number) : single;
      return {};
    }
    from.kind = SourceKind::kVgpr;
    ASSIGN_OR_RETURN(from.index, vector(3, row_.source_shapes[2].registers));
    return {};
  }

  Result<void> bind_scale(unsigned n) {
    const Operand& operand = shown()[n + 1];
    if (operand.kind == OperandKind::kInteger) {
      op_.sources[n].kind = SourceKind::kConstant;
      op_.sources[n].constant = static_cast<std::uint32_t>(operand.integer);
      return {};
    }
    op_.sources[n].kind = SourceKind::kVgpr;
    ASSIGN_OR_RETURN(op_.sources[n].index, vector(n + 1, 1));
    return {};
  }

  Result<void> bind_modifiers(bool is_scaled) {
    const decode::Modifiers& modifiers = instruction_.modifiers;
    if (!modifiers.unknown.empty()) return refuse(concat("the modifier ", modifiers.unknown));
    const bool selects = modifiers.op_sel != 0 || modifiers.neg_lo != 0 || modifiers.neg_hi != 0;
    if (selects && !is_scaled) return refuse("the modifier op_sel or neg");
    op_.cbsz = modifiers.cbsz;
    op_.abid = modifiers.abid;
    op_.blgp = modifiers.blgp;
    if (is_scaled) {
      const std::uint8_t low = modifiers.op_sel, high = modifiers.op_sel_hi;
      op_.scale_a = static_cast<std::uint8_t>((low & 1) | (high & 1) << 1);
      op_.scale_b = static_cast<std::uint8_t>((low >> 1 & 1) | (high & 2));
    }
    if (chooses_types()) return check_chosen_types();
    const bool is_narrow = contains(row_.mnemonic, "_fp8") || contains(row_.mnemonic, "_bf8");
    const bool broadcasts = contains(row_.mnemonic, "b_");  // several blocks
    if (op_.cbsz != 0 && !broadcasts) return refuse("the modifier cbsz without blocks");
    if (op_.abid >> op_.cbsz != 0) return refuse("abid beyond its group");
    const bool is_double = contains(row_.mnemonic, "v_mfma_f64");
    if (op_.blgp == 3 && !is_double) return refuse("the modifier blgp:3");
    if (is_narrow && op_.blgp != 0) return refuse("the modifier blgp");
    if (is_narrow) choose_types_by_name();
    return {};
  }

  Result<void> check_chosen_types() const {
    if (op_.cbsz >= isa::kFirstFnuzType || op_.blgp >= isa::kFirstFnuzType || op_.abid > 1) {
      return refuse("a type that does not exist");
    }
    return {};
  }

  // "…_fp8_bf8": A's type, then B's.
  void choose_types_by_name() {
    const unsigned first = context_.target == isa::GFX942 ? isa::kFirstFnuzType : 0;
    const std::size_t length = row_.mnemonic.size();
    const auto code = [&](std::size_t from_end) {
      return static_cast<std::uint8_t>(first + (row_.mnemonic[length - from_end] == 'b' ? 1 : 0));
    };
    op_.cbsz = code(7);
    op_.blgp = code(3);
  }

  const decode::Instruction& instruction_;
  const Row& row_;
  const BindContext& context_;
  Op op_;
};

}  // namespace

Result<Op> bind_matrix(const decode::Instruction& instruction, const Row& row,
                       const BindContext& context) {
  return MatrixBinder(instruction, row, context).bind();
}

}  // namespace compass::interp
