// SPDX-License-Identifier: MIT
#include "driverless/interp/bind_source.h"

#include <array>
#include <bit>
#include <map>

namespace compass::interp {
namespace {

using decode::Operand;
using decode::OperandKind;

Error refuse(std::string_view what) { return {ErrorCode::kUnsupported, std::string(what)}; }

constexpr std::uint32_t kSign32 = 0x8000'0000, kSign16 = 0x8000;

std::uint32_t half_bits(double number) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  return isa::narrow(isa::Mode{}, isa::F32<isa::C>{single}).rep;
}

Result<void> float_constant(Source& from, const ValueShape& shape, double number) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  switch (shape.value_class) {
    case ValueClass::kDouble:
      from.constant = std::bit_cast<std::uint64_t>(number);
      return {};
    case ValueClass::kHalf:
    case ValueClass::kPairOfHalves:
      from.constant = half_bits(number);
      return {};
    case ValueClass::kInteger16:
      return refuse("a float for a 16-bit integer");
    case ValueClass::kInteger:
      from.constant = shape.registers == 2 ? std::bit_cast<std::uint64_t>(number) : single;
      return {};
    default:
      from.constant = single;
      return {};
  }
}

bool is_inline(std::int64_t integer) { return integer >= -16 && integer <= 64; }

Result<void> integer_constant(Source& from, const ValueShape& shape, std::int64_t integer) {
  const auto bits = static_cast<std::uint64_t>(integer);
  switch (shape.value_class) {
    case ValueClass::kDouble:  // a literal is the upper half
      from.constant = is_inline(integer) ? bits : bits << 32;
      return {};
    case ValueClass::kHalf:
    case ValueClass::kInteger16:
      from.constant = bits & 0xFFFF;
      return {};
    default:
      break;
  }
  if (shape.registers == 1) {
    from.constant = static_cast<std::uint32_t>(bits);
    return {};
  }
  // Manuals and assemblers extend such a literal in different ways.
  if (integer >= 0x8000'0000) return refuse("a 32-bit literal for a 64-bit source");
  from.constant = bits;
  return {};
}

/// The bits that carry the signs of a value in its first two registers.
struct Signs {
  std::uint32_t word[2];
};
Signs signs_of(ValueClass value_class) {
  switch (value_class) {
    case ValueClass::kDouble:
      return {{0, kSign32}};
    case ValueClass::kHalf:
      return {{kSign16, 0}};
    default:
      return {{kSign32, 0}};
  }
}

bool is_float(ValueClass value_class) {
  return value_class == ValueClass::kFloat || value_class == ValueClass::kDouble ||
         value_class == ValueClass::kHalf || value_class == ValueClass::kMixed;
}

Result<void> negate(Source& from, ValueClass value_class, const Operand& operand) {
  if (!operand.negated && !operand.absolute) return {};
  if (!is_float(value_class)) return refuse("neg or abs of what is no float");
  const Signs signs = signs_of(value_class);
  for (unsigned n = 0; n < 2; ++n) {
    if (operand.absolute) from.keep[n] = ~signs.word[n];
    if (operand.negated) from.flip[n] = signs.word[n];
  }
  from.is_modified = true;
  return {};
}

Result<void> choose_halves(Source& from, ValueClass value_class, unsigned position,
                           const decode::Modifiers& modifiers) {
  const bool negates_low = (modifiers.neg_lo >> position & 1) != 0;
  const bool negates_high = (modifiers.neg_hi >> position & 1) != 0;
  from.first_is_high = (modifiers.op_sel >> position & 1) != 0;
  from.second_is_low = (modifiers.op_sel_hi >> position & 1) == 0;
  if (value_class == ValueClass::kPairOfInteger16 && (negates_low || negates_high)) {
    return refuse("neg of what is no float");
  }
  if (value_class == ValueClass::kPair) {
    from.flip[0] = negates_low ? kSign32 : 0;
    from.flip[1] = negates_high ? kSign32 : 0;
    const bool reads_both = from.first_is_high || !from.second_is_low;
    if (from.kind == SourceKind::kConstant && from.constant != 0 && reads_both) {
      return refuse("a constant for both halves of a packed source");
    }
  } else {
    from.flip[0] = (negates_low ? kSign16 : 0) | (negates_high ? kSign32 : 0);
  }
  from.is_modified = from.first_is_high || from.second_is_low || negates_low || negates_high;
  return {};
}

Result<void> choose_width(Source& from, unsigned position, const decode::Modifiers& modifiers) {
  const bool is_half = modifiers.has_op_sel_hi && (modifiers.op_sel_hi >> position & 1) != 0;
  const bool is_high = (modifiers.op_sel >> position & 1) != 0;
  if (!is_half) return is_high ? Result<void>(refuse("op_sel of a single")) : Result<void>();
  if (from.kind == SourceKind::kConstant) return refuse("a constant as a half");
  from.part = is_high ? isa::Part::kWord1 : isa::Part::kWord0;
  from.is_widened = from.is_modified = true;
  return {};
}

Result<void> choose_part(Source& from, ValueClass value_class, const Operand& operand,
                         unsigned position, const decode::Modifiers& modifiers) {
  const std::uint8_t selected = position == 0 ? modifiers.src0_sel : modifiers.src1_sel;
  if (position < 2 && selected != static_cast<std::uint8_t>(isa::Part::kDword)) {
    from.part = static_cast<isa::Part>(selected);
    from.is_modified = true;
  }
  if (operand.sign_extended) {
    from.sign_extends = from.is_modified = true;
    // The whole register extended is itself, but of a 16-bit value only the low half counts.
    if (from.part == isa::Part::kDword) from.sign_extends = false;
  }
  if ((modifiers.op_sel >> position & 1) == 0) return {};
  const bool is_half = value_class == ValueClass::kHalf || value_class == ValueClass::kInteger16;
  if (!is_half || from.part != isa::Part::kDword) return refuse("the modifier op_sel");
  from.part = isa::Part::kWord1;
  from.is_modified = true;
  return {};
}

}  // namespace

Result<void> constant_source(Source& from, const ValueShape& shape, const Operand& operand) {
  from.kind = SourceKind::kConstant;
  auto done = operand.kind == OperandKind::kFloat ? float_constant(from, shape, operand.number)
                                                  : integer_constant(from, shape, operand.integer);
  if (!done) return done;
  if (shape.registers > 2 && from.constant != 0) return refuse("a constant for many registers");
  return {};
}

Result<void> modify_source(Source& from, ValueClass value_class, const Operand& operand,
                           unsigned position, const decode::Instruction& instruction) {
  const decode::Modifiers& modifiers = instruction.modifiers;
  switch (value_class) {
    case ValueClass::kPair:
    case ValueClass::kPairOfHalves:
    case ValueClass::kPairOfInteger16:
      if (operand.negated || operand.absolute) return refuse("neg or abs of a pair");
      return choose_halves(from, value_class, position, modifiers);
    case ValueClass::kMixed:
      if (auto done = choose_width(from, position, modifiers); !done) return done;
      break;
    default:
      if (auto done = choose_part(from, value_class, operand, position, modifiers); !done)
        return done;
      break;
  }
  return negate(from, value_class, operand);
}

const std::uint8_t* dpp_lanes(std::uint16_t control) {
  static std::map<std::uint16_t, std::array<std::uint8_t, kLanes>> tables;
  const auto [entry, is_new] = tables.try_emplace(control);
  if (is_new) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      entry->second[lane] = static_cast<std::uint8_t>(isa::dpp_source_lane(control, lane));
    }
  }
  return entry->second.data();
}

}  // namespace compass::interp
