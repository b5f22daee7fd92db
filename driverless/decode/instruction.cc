// SPDX-License-Identifier: MIT
#include "driverless/decode/instruction.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "driverless/decode/swizzle.h"

namespace compass::decode {
namespace {

/// What gfx9 hosts use: an LDS or scratch address as a flat one has this in its upper half.
constexpr std::int64_t kSharedBase = std::int64_t{1} << 48;
constexpr std::int64_t kPrivateBase = std::int64_t{2} << 48;

struct Named {
  std::string_view name;
  OperandKind kind;
  std::uint16_t index;
  std::uint16_t count;
};
constexpr Named kNamedRegisters[] = {
    {"vcc", OperandKind::kSgpr, 106, 2},     {"vcc_lo", OperandKind::kSgpr, 106, 1},
    {"vcc_hi", OperandKind::kSgpr, 107, 1},  {"exec", OperandKind::kSgpr, 126, 2},
    {"exec_lo", OperandKind::kSgpr, 126, 1}, {"exec_hi", OperandKind::kSgpr, 127, 1},
    {"m0", OperandKind::kSgpr, 124, 1},      {"scc", OperandKind::kScc, 0, 1},
    {"src_scc", OperandKind::kScc, 0, 1},    {"off", OperandKind::kOff, 0, 0},
};

constexpr std::string_view kSuffixes[] = {"_e32", "_e64", "_sdwa", "_dpp", "_e64_dpp"};

template <class T>
bool parse_number(std::string_view text, T& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

// "12", "-4", "0x1f", "-0x10".
std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  if (text.empty() || !parse_number(text, value, is_hex ? 16 : 10)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

std::optional<double> parse_float(std::string_view text) {
  if (text.find('.') == std::string_view::npos) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What stands in "lit(0x0)" or "lit64(0x0)": a literal that an inline constant could hold.
std::string_view literal_of(std::string_view text) {
  for (const std::string_view start : {"lit(", "lit64("}) {
    if (!text.starts_with(start) || !text.ends_with(')')) continue;
    return text.substr(start.size(), text.size() - start.size() - 1);
  }
  return text;
}

// "v12", "v[4:7]", with `prefix` 'v', 's' or 'a'.
std::optional<Operand> parse_register(std::string_view text) {
  for (const Named& named : kNamedRegisters) {
    if (text == named.name)
      return Operand{.kind = named.kind, .index = named.index, .count = named.count};
  }
  if (text.empty()) return std::nullopt;
  Operand operand;
  switch (text.front()) {
    case 'v':
      operand.kind = OperandKind::kVgpr;
      break;
    case 'a':
      operand.kind = OperandKind::kAgpr;
      break;
    case 's':
      operand.kind = OperandKind::kSgpr;
      break;
    default:
      return std::nullopt;
  }
  text.remove_prefix(1);
  if (parse_number(text, operand.index)) return operand;
  if (text.size() < 5 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  const std::size_t colon = text.find(':');
  std::uint16_t last = 0;
  if (colon == std::string_view::npos || !parse_number(text.substr(0, colon), operand.index) ||
      !parse_number(text.substr(colon + 1), last) || last < operand.index) {
    return std::nullopt;
  }
  operand.count = static_cast<std::uint16_t>(last - operand.index + 1);
  return operand;
}

// "hwreg(HW_REG_MODE)", "hwreg(HW_REG_MODE, 0, 4)", "hwreg(7)".
std::optional<Operand> parse_hwreg(std::string_view text) {
  constexpr std::pair<std::string_view, std::int64_t> kNames[] = {
      {"HW_REG_MODE", 1},   {"HW_REG_STATUS", 2},    {"HW_REG_TRAPSTS", 3},
      {"HW_REG_HW_ID", 4},  {"HW_REG_GPR_ALLOC", 5}, {"HW_REG_LDS_ALLOC", 6},
      {"HW_REG_IB_STS", 7}, {"HW_REG_XCC_ID", 20},
  };
  text = text.substr(6, text.size() - 7);
  std::int64_t values[3] = {-1, 0, 32};
  for (std::int64_t& value : values) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    for (const auto& [name, number] : kNames) {
      if (item == name) value = number;
    }
    if (const auto number = parse_integer(item)) value = *number;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(std::min(comma + 2, text.size()));
  }
  if (values[0] < 0) return Operand{.kind = OperandKind::kSymbolic};
  return Operand{.kind = OperandKind::kHwreg,
                 .integer = values[0] | values[1] << 6 | (values[2] - 1) << 11};
}

std::optional<Operand> parse_operand(std::string_view text) {
  if (text == "src_shared_base")
    return Operand{.kind = OperandKind::kAperture, .integer = kSharedBase};
  if (text == "src_private_base") {
    return Operand{.kind = OperandKind::kAperture, .integer = kPrivateBase};
  }
  if (auto plain = parse_register(text)) return plain;
  if (auto integer = parse_integer(literal_of(text))) {
    return Operand{.kind = OperandKind::kInteger, .integer = *integer};
  }
  if (auto number = parse_float(text)) {
    return Operand{.kind = OperandKind::kFloat, .number = *number};
  }
  if (text.starts_with("hwreg(")) return parse_hwreg(text);
  if (text.starts_with("sext(") && text.back() == ')') {
    auto inner = parse_operand(text.substr(5, text.size() - 6));
    if (inner) inner->sign_extended = true;
    return inner;
  }
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    auto inner = parse_operand(text.substr(1, text.size() - 2));
    if (inner) inner->absolute = true;
    return inner;
  }
  if (text.size() > 1 && text.front() == '-') {
    auto inner = parse_operand(text.substr(1));
    if (inner) inner->negated = true;
    return inner;
  }
  if (!text.empty() && text.back() == ')') return Operand{.kind = OperandKind::kSymbolic};
  return std::nullopt;
}

// "[1,0,1]" as bits, the first entry the lowest.
std::optional<std::uint8_t> parse_bits(std::string_view text) {
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return std::nullopt;
  unsigned bits = 0, position = 0;
  for (const char c : text.substr(1, text.size() - 2)) {
    if (c == ',') continue;
    if ((c != '0' && c != '1') || position == 8) return std::nullopt;
    bits |= static_cast<unsigned>(c - '0') << position++;
  }
  return static_cast<std::uint8_t>(bits);
}

bool is_without_effect(std::string_view token) {
  for (const std::string_view name : {"sc0", "sc1", "nt", "glc", "slc"}) {
    if (token == name) return true;
  }
  return token.starts_with("vmcnt(") || token.starts_with("lgkmcnt(") ||
         token.starts_with("expcnt(");
}

bool apply_bits(Modifiers& modifiers, std::string_view name, std::string_view value) {
  const std::pair<std::string_view, std::uint8_t Modifiers::*> fields[] = {
      {"op_sel", &Modifiers::op_sel}, {"op_sel_hi", &Modifiers::op_sel_hi},
      {"neg_lo", &Modifiers::neg_lo}, {"neg_hi", &Modifiers::neg_hi},
      {"neg", &Modifiers::blgp},  // of matrix instructions for f64
  };
  for (const auto& [field, member] : fields) {
    if (name != field) continue;
    const auto bits = parse_bits(value);
    if (bits) modifiers.*member = *bits;
    if (field == "op_sel_hi") modifiers.has_op_sel_hi = true;
    return bits.has_value();
  }
  return false;
}

bool apply_number(Modifiers& modifiers, std::string_view name, std::string_view value) {
  const auto number = value.starts_with("swizzle(") ? parse_swizzle(value) : parse_integer(value);
  if (!number) return false;
  const auto small = static_cast<std::uint8_t>(*number);
  if (name == "offset") return modifiers.offset = static_cast<std::int32_t>(*number), true;
  if (name == "offset0") return modifiers.offset0 = static_cast<std::int32_t>(*number), true;
  if (name == "offset1") return modifiers.offset1 = static_cast<std::int32_t>(*number), true;
  if (name == "cbsz") return modifiers.cbsz = small, true;
  if (name == "bitop3") return modifiers.bitop3 = small, true;
  if (name == "abid") return modifiers.abid = small, true;
  if (name == "blgp") return modifiers.blgp = small, true;
  if (name == "mul") return modifiers.omod = *number == 2 ? 1 : 2, *number == 2 || *number == 4;
  if (name == "div") return modifiers.omod = 3, *number == 2;
  return false;
}

// "dst_sel:WORD_1" and the like.
bool apply_sdwa(Modifiers& modifiers, std::string_view name, std::string_view value) {
  constexpr std::string_view kParts[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                         "WORD_0", "WORD_1", "DWORD"};
  constexpr std::string_view kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
  const std::pair<std::string_view, std::uint8_t Modifiers::*> fields[] = {
      {"dst_sel", &Modifiers::dst_sel},
      {"src0_sel", &Modifiers::src0_sel},
      {"src1_sel", &Modifiers::src1_sel},
      {"dst_unused", &Modifiers::dst_unused},
  };
  for (const auto& [field, member] : fields) {
    if (name != field) continue;
    const bool is_unused = field == "dst_unused";
    const auto first = is_unused ? std::begin(kUnused) : std::begin(kParts);
    const auto last = is_unused ? std::end(kUnused) : std::end(kParts);
    const auto found = std::find(first, last, value);
    modifiers.*member = static_cast<std::uint8_t>(found - first);
    return found != last;
  }
  return false;
}

// "quad_perm:[0,1,2,3]" as its code.
std::optional<std::uint16_t> parse_quad_perm(std::string_view value) {
  if (value.size() != 9 || value.front() != '[' || value.back() != ']') return std::nullopt;
  unsigned code = 0;
  for (unsigned n = 0; n < 4; ++n) {
    const char c = value[1 + 2 * n];
    if (c < '0' || c > '3') return std::nullopt;
    code |= static_cast<unsigned>(c - '0') << 2 * n;
  }
  return static_cast<std::uint16_t>(code);
}

bool apply_dpp(Modifiers& modifiers, std::string_view name, std::string_view value) {
  if (name == "row_mirror") return modifiers.dpp_control = 0x140, true;
  if (name == "row_half_mirror") return modifiers.dpp_control = 0x141, true;
  if (name == "quad_perm") {
    const auto code = parse_quad_perm(value);
    return code ? (modifiers.dpp_control = *code, true) : false;
  }
  const auto number = parse_integer(value);
  if (!number) return false;
  if (name == "row_mask") return modifiers.row_mask = static_cast<std::uint8_t>(*number), true;
  if (name == "bank_mask") return modifiers.bank_mask = static_cast<std::uint8_t>(*number), true;
  if (name == "bound_ctrl") return modifiers.bound_ctrl = true;
  if (name == "row_bcast") {
    return modifiers.dpp_control = *number == 15 ? 0x142 : 0x143, *number == 15 || *number == 31;
  }
  constexpr std::pair<std::string_view, std::uint16_t> kShifts[] = {
      {"row_shl", 0x100}, {"row_shr", 0x110}, {"row_ror", 0x120}, {"row_newbcast", 0x150}};
  for (const auto& [shift, code] : kShifts) {
    if (name != shift) continue;
    modifiers.dpp_control = static_cast<std::uint16_t>(code | (*number & 15));
    return *number >= 0 && *number < 16;
  }
  constexpr std::pair<std::string_view, std::uint16_t> kWave[] = {
      {"wave_shl", 0x130}, {"wave_rol", 0x134}, {"wave_shr", 0x138}, {"wave_ror", 0x13C}};
  for (const auto& [shift, code] : kWave) {
    if (name == shift) return modifiers.dpp_control = code, *number == 1;
  }
  return false;
}

bool apply_flag(Modifiers& modifiers, std::string_view token) {
  const std::pair<std::string_view, bool Modifiers::*> flags[] = {
      {"clamp", &Modifiers::clamp}, {"sc0", &Modifiers::returns}, {"offen", &Modifiers::offen},
      {"idxen", &Modifiers::idxen}, {"lds", &Modifiers::lds},
  };
  for (const auto& [name, member] : flags) {
    if (token == name) return modifiers.*member = true;
  }
  return false;
}

void apply_modifier(Modifiers& modifiers, std::string_view token) {
  if (token.empty() || apply_flag(modifiers, token) || is_without_effect(token)) return;
  const std::size_t colon = token.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view name = token.substr(0, colon), value = token.substr(colon + 1);
    if (apply_bits(modifiers, name, value) || apply_number(modifiers, name, value) ||
        apply_sdwa(modifiers, name, value) || apply_dpp(modifiers, name, value)) {
      return;
    }
  } else if (apply_dpp(modifiers, token, {})) {
    return;
  }
  if (modifiers.unknown.empty()) modifiers.unknown = token;
}

// One token up to a comma or blank outside brackets; `separator` becomes what ended it.
std::string_view next_token(std::string_view& rest, char& separator) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < rest.size(); ++end) {
    const char c = rest[end];
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (depth == 0 && (c == ',' || c == ' ')) break;
  }
  const std::string_view token = rest.substr(0, end);
  separator = end < rest.size() ? rest[end] : '\0';
  rest.remove_prefix(end < rest.size() ? end + 1 : end);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return token;
}

std::string base_mnemonic(std::string_view mnemonic) {
  for (const std::string_view suffix : kSuffixes) {
    if (mnemonic.ends_with(suffix))
      return std::string(mnemonic.substr(0, mnemonic.size() - suffix.size()));
  }
  return std::string(mnemonic);
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (text.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

bool ends_path(const Instruction& instruction) {
  return instruction.mnemonic == "s_branch" ||
         starts_with_any(instruction.mnemonic, {"s_endpgm", "s_setpc", "s_swappc", "s_rfe"});
}

bool branch_target(const Instruction& instruction, std::uint64_t& target) {
  if (!starts_with_any(instruction.mnemonic, {"s_branch", "s_cbranch_"})) return false;
  if (instruction.operands.size() != 1 || instruction.operands[0].kind != OperandKind::kInteger) {
    return false;
  }
  const auto words = static_cast<std::int16_t>(instruction.operands[0].integer);
  target =
      instruction.pc + instruction.size_bytes + static_cast<std::uint64_t>(4 * std::int64_t{words});
  return true;
}

Result<Instruction> parse_instruction(std::uint64_t pc, std::uint32_t size_bytes,
                                      std::string text) {
  Instruction result{.pc = pc, .size_bytes = size_bytes, .text = std::move(text)};
  std::string_view rest = result.text;
  char separator = '\0';
  result.mnemonic = base_mnemonic(next_token(rest, separator));
  bool operands_follow = !rest.empty();
  while (!rest.empty()) {
    const std::string_view token = next_token(rest, separator);
    if (operands_follow && !is_without_effect(token)) {
      const auto operand = parse_operand(token);
      if (!operand) {
        return Error{ErrorCode::kUnsupported,
                     concat("operand '", token, "' of '", result.text, "' is not known")};
      }
      result.operands.push_back(*operand);
      operands_follow = separator == ',';
    } else {
      operands_follow = false;
      apply_modifier(result.modifiers, token);
    }
  }
  if (result.modifiers.lds) result.mnemonic += "_lds";
  return result;
}

}  // namespace compass::decode
