// SPDX-License-Identifier: MIT
#include "driverless/analysis/exec_levels.h"

#include <algorithm>

#include "driverless/analysis/effects.h"

namespace compass::analysis {
namespace {

using decode::Operand;
using decode::OperandKind;

bool is_exec(const Operand& operand) {
  return operand.kind == OperandKind::kSgpr && operand.index == kExecLo && operand.count == 2;
}

MaskLevel bounded_if(bool condition) {
  return condition ? MaskLevel::kBounded : MaskLevel::kUnknown;
}

/// a | b
MaskLevel either(MaskLevel a, MaskLevel b) {
  if (std::min(a, b) == MaskLevel::kUnknown) return MaskLevel::kUnknown;
  return std::max(a, b);
}

}  // namespace

Masks Masks::initial() {
  Masks masks;
  masks.pair_[kExecLo] = MaskLevel::kInitial;
  return masks;
}

MaskLevel Masks::exec() const { return pair_[kExecLo]; }

void Masks::meet(const Masks& other) {
  for (std::size_t n = 0; n < pair_.size(); ++n) pair_[n] = std::min(pair_[n], other.pair_[n]);
}

MaskLevel Masks::level(const Operand& operand) const {
  if (operand.kind == OperandKind::kInteger) return bounded_if(operand.integer == 0);
  const bool is_pair = operand.kind == OperandKind::kSgpr && operand.count == 2;
  return is_pair && operand.index < pair_.size() ? pair_[operand.index] : MaskLevel::kUnknown;
}

void Masks::forget(unsigned sgpr, unsigned count) {
  for (unsigned n = sgpr == 0 ? 0 : sgpr - 1; n < sgpr + count && n < pair_.size(); ++n) {
    pair_[n] = MaskLevel::kUnknown;
  }
}

void Masks::set(const Operand& operand, MaskLevel level) {
  if (operand.kind != OperandKind::kSgpr || operand.index >= pair_.size()) return;
  forget(operand.index, operand.count);
  if (operand.count == 2) pair_[operand.index] = level;
}

/// "s_and_saveexec_b64 s[0:1], vcc": the first gets EXEC, EXEC a combination of it and the second.
Masks::ExecChange Masks::save_exec(const decode::Instruction& instruction,
                                   std::string_view operation) {
  const MaskLevel exec = pair_[kExecLo], mask = level(instruction.operands.at(1));
  MaskLevel made = MaskLevel::kUnknown;
  const bool is_and = operation == "and", is_andn1 = operation == "andn1";
  if (is_and) made = bounded_if(std::max(exec, mask) != MaskLevel::kUnknown);
  if (is_andn1) made = bounded_if(exec != MaskLevel::kUnknown);
  if (operation == "andn2") made = bounded_if(mask != MaskLevel::kUnknown);
  if (operation == "or") made = either(exec, mask);
  if (operation == "xor") made = bounded_if(either(exec, mask) != MaskLevel::kUnknown);
  const bool keeps_old = instruction.mnemonic.find("saveexec") != std::string::npos;
  set(instruction.operands.at(0), keeps_old ? exec : made);
  forget(kExecLo, 2);
  pair_[kExecLo] = made;
  return is_and || is_andn1 ? ExecChange::kNarrows : ExecChange::kAny;
}

/// "s_and_b64 s[0:1], s[2:3], exec" and its like.
Masks::ExecChange Masks::combine(const decode::Instruction& instruction) {
  const std::string_view mnemonic = instruction.mnemonic;
  const auto& operands = instruction.operands;
  const MaskLevel first = level(operands.at(1));
  const MaskLevel second = operands.size() > 2 ? level(operands[2]) : MaskLevel::kUnknown;
  MaskLevel made = MaskLevel::kUnknown;
  bool narrows = false;
  if (mnemonic == "s_mov_b64") made = first;
  if (mnemonic == "s_or_b64") made = either(first, second);
  if (mnemonic == "s_xor_b64" || mnemonic == "s_cselect_b64") {
    made = bounded_if(std::min(first, second) != MaskLevel::kUnknown);
  }
  if (mnemonic == "s_and_b64") {
    made = bounded_if(std::max(first, second) != MaskLevel::kUnknown);
    narrows = is_exec(operands.at(1)) || (operands.size() > 2 && is_exec(operands[2]));
  }
  if (mnemonic == "s_andn2_b64") {
    made = bounded_if(first != MaskLevel::kUnknown);
    narrows = is_exec(operands.at(1));
  }
  if (mnemonic.starts_with("v_cmp_")) made = bounded_if(exec() != MaskLevel::kUnknown);
  const bool changes = is_exec(operands.at(0));
  set(operands.at(0), made);
  if (!changes) return ExecChange::kNone;
  return narrows ? ExecChange::kNarrows : ExecChange::kAny;
}

Masks::ExecChange Masks::apply(const decode::Instruction& instruction) {
  const std::string_view mnemonic = instruction.mnemonic;
  const bool has_two = instruction.operands.size() >= 2;
  const std::size_t save = std::min(mnemonic.find("_saveexec_b64"), mnemonic.find("_wrexec_b64"));
  if (has_two && save != std::string_view::npos) {
    return save_exec(instruction, mnemonic.substr(2, save - 2));
  }
  const bool combines = mnemonic == "s_mov_b64" || mnemonic == "s_or_b64" ||
                        mnemonic == "s_xor_b64" || mnemonic == "s_and_b64" ||
                        mnemonic == "s_andn2_b64" || mnemonic == "s_cselect_b64" ||
                        mnemonic.starts_with("v_cmp_");
  if (has_two && combines) return combine(instruction);
  bool changes = false;
  for (const Location location : effects_of(instruction).writes) {
    if (location >= kScc) continue;
    forget(location, 1);
    changes = changes || location == kExecLo || location == kExecLo + 1;
  }
  return changes ? ExecChange::kAny : ExecChange::kNone;
}

}  // namespace compass::analysis
