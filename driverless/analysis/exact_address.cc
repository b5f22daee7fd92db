// SPDX-License-Identifier: MIT
#include "driverless/analysis/exact_address.h"

#include <string_view>

namespace compass::analysis {
namespace {

__extension__ typedef __int128 Integer;
using Kind = TracedValue::Kind;

enum class Sign : std::uint8_t { kSigned, kUnsigned };

constexpr unsigned kMostDepth = 64;

/// One register, or constant word, that a step reads.
struct Word {
  std::size_t step = 0;
  TracedValue value;
  unsigned word = 0;

  std::uint32_t bits() const { return word < value.words.size() ? value.words[word] : 0; }
  bool is_constant() const { return value.kind == Kind::kConstant; }
};

Integer widen(std::uint32_t bits, Sign sign) {
  return sign == Sign::kSigned ? Integer{static_cast<std::int32_t>(bits)} : Integer{bits};
}

/// Values as integers without an end, as the program's source means them.
class Exact {
 public:
  explicit Exact(const Definitions& definitions) : definitions_(definitions) {}

  Integer address(std::size_t step) {
    const TraceStep& at = definitions_.step(step);
    Integer sum = 0;
    std::uint64_t taken = 0;  // what the operands give, to find the offset
    for (unsigned n = 0; n < at.address_sources; ++n) {
      const TracedValue& source = at.sources[n];
      if (source.registers >= 2) {
        sum += wide({step, source, 0}, {step, source, 1}, 0);
        taken += source.words[0] | std::uint64_t{source.words[1]} << 32;
      } else {
        sum += narrow({step, source, 0}, Sign::kUnsigned, 0);
        taken += source.words[0];
      }
    }
    return sum + Integer{static_cast<std::int64_t>(at.access.address - taken)};
  }

 private:
  Word source(std::size_t step, unsigned n, unsigned word = 0) const {
    return {step, definitions_.step(step).sources[n], word};
  }

  /// Of 32 bits.
  Integer narrow(const Word& word, Sign sign, unsigned depth) {
    const Integer plain = widen(word.bits(), sign);
    const auto from = definitions_.of(word.value, word.word, word.step);
    if (!from || from->word != 0 || word.value.is_other_lane || depth == kMostDepth) return plain;
    const auto value = computed(from->step, sign, depth + 1);
    return value ? *value : plain;
  }

  /// What the instruction at `step` computes; absent where it is none that is followed.
  std::optional<Integer> computed(std::size_t step, Sign sign, unsigned depth) {
    const std::string_view name = definitions_.mnemonic(step);
    const auto s = [&](unsigned n) { return narrow(source(step, n), sign, depth); };
    const auto shift = [&](unsigned n) { return Integer{1} << (source(step, n).bits() & 31); };
    if (name == "v_mov_b32" || name == "s_mov_b32") return s(0);
    if (name == "v_add_u32" || name == "s_add_i32" || name == "s_add_u32" ||
        name == "v_add_i32" || name == "v_add_co_u32" || name == "s_addk_i32") {
      return s(0) + s(1);
    }
    if (name == "v_sub_u32" || name == "s_sub_i32" || name == "s_sub_u32") return s(0) - s(1);
    if (name == "v_subrev_u32") return s(1) - s(0);
    if (name == "v_add3_u32") return s(0) + s(1) + s(2);
    if (name == "v_mul_lo_u32" || name == "s_mul_i32" || name == "s_mulk_i32") return s(0) * s(1);
    if (name == "v_mul_u32_u24" || name == "v_mul_i32_i24") return s(0) * s(1);
    if (name == "v_mad_u32_u24" || name == "v_mad_i32_i24") return s(0) * s(1) + s(2);
    if (name == "v_mad_u64_u32" || name == "v_mad_i64_i32") {
      const auto sum = product_and_sum(step, depth);
      return sum ? std::optional<Integer>(*sum) : std::nullopt;
    }
    if (name == "v_lshlrev_b32") return s(1) * shift(0);
    if (name == "s_lshl_b32") return s(0) * shift(1);
    if (name == "v_lshl_add_u32") return s(0) * shift(1) + s(2);
    if (name == "v_add_lshl_u32") return (s(0) + s(1)) * shift(2);
    if (name == "s_lshl1_add_u32") return s(0) * 2 + s(1);
    if (name == "s_lshl2_add_u32") return s(0) * 4 + s(1);
    if (name == "s_lshl3_add_u32") return s(0) * 8 + s(1);
    if (name == "s_lshl4_add_u32") return s(0) * 16 + s(1);
    if (name == "v_or_b32" || name == "s_or_b32") return disjoint(step, {0, 1}, {0, 0}, sign, depth);
    if (name == "v_lshl_or_b32") {
      const unsigned by = source(step, 1).bits() & 31;
      return disjoint(step, {0, 2}, {by, 0}, sign, depth);
    }
    return std::nullopt;
  }

  struct Two {
    unsigned first, second;
  };
  /// An "or" of values without a common bit is their sum.
  std::optional<Integer> disjoint(std::size_t step, Two sources, Two shifts, Sign sign,
                                  unsigned depth) {
    const Word a = source(step, sources.first), b = source(step, sources.second);
    if (((a.bits() << shifts.first) & (b.bits() << shifts.second)) != 0) return std::nullopt;
    return narrow(a, sign, depth) * (Integer{1} << shifts.first) +
           narrow(b, sign, depth) * (Integer{1} << shifts.second);
  }

  std::optional<Integer> product_and_sum(std::size_t step, unsigned depth) {
    const Sign sign =
        definitions_.mnemonic(step) == "v_mad_i64_i32" ? Sign::kSigned : Sign::kUnsigned;
    return narrow(source(step, 0), sign, depth) * narrow(source(step, 1), sign, depth) +
           wide(source(step, 2, 0), source(step, 2, 1), depth);
  }

  /// Of the 64 bits that two words make.
  Integer wide(const Word& low, const Word& high, unsigned depth) {
    const std::uint64_t bits = low.bits() | std::uint64_t{high.bits()} << 32;
    const Integer plain = Integer{bits};
    if (low.is_constant()) return Integer{static_cast<std::int64_t>(bits)};
    if (depth == kMostDepth) return plain;
    if (high.is_constant() && high.bits() == 0) return narrow(low, Sign::kUnsigned, depth + 1);
    const auto from = definitions_.of(low.value, low.word, low.step);
    const auto above = definitions_.of(high.value, high.word, high.step);
    if (!from && !above) return plain;
    if (above && (!from || above->step != from->step)) {
      const auto value = joined(low, from ? from->step : above->step, above->step, depth + 1);
      return value ? *value : plain;
    }
    if (!above || from->word + 1 != above->word) return plain;
    const auto value = computed_wide(from->step, depth + 1);
    return value ? *value : plain;
  }

  /// Two instructions made the halves.
  std::optional<Integer> joined(const Word& low, std::size_t below, std::size_t above,
                                unsigned depth) {
    const std::string_view name = definitions_.mnemonic(above);
    const bool is_right_shift = name == "v_ashrrev_i32" || name == "s_ashr_i32";
    if (is_right_shift) {
      const unsigned by = source(above, name == "v_ashrrev_i32" ? 0 : 1).bits();
      const bool is_sign = by == 31 && source(above, name == "v_ashrrev_i32" ? 1 : 0).bits() ==
                                           low.bits();
      return is_sign ? std::optional<Integer>(narrow(low, Sign::kSigned, depth)) : std::nullopt;
    }
    const bool is_move = name == "v_mov_b32" || name == "s_mov_b32";
    if (is_move && source(above, 0).is_constant() && source(above, 0).bits() == 0) {
      return narrow(low, Sign::kUnsigned, depth);
    }
    const std::string_view lower = definitions_.mnemonic(below);
    if (is_move && (lower == "v_mov_b32" || lower == "s_mov_b32")) {
      return wide(source(below, 0), source(above, 0), depth);
    }
    const bool is_sum = (lower == "v_add_co_u32" && name == "v_addc_co_u32") ||
                        (lower == "s_add_u32" && name == "s_addc_u32");
    if (is_sum) {
      return wide(source(below, 0), source(above, 0), depth) +
             wide(source(below, 1), source(above, 1), depth);
    }
    const bool is_low_product = lower == "s_mul_i32" || lower == "v_mul_lo_u32";
    if (is_low_product && (name.starts_with("s_mul_hi") || name.starts_with("v_mul_hi"))) {
      const Sign sign = name.ends_with("i32") ? Sign::kSigned : Sign::kUnsigned;
      return narrow(source(below, 0), sign, depth) * narrow(source(below, 1), sign, depth);
    }
    return std::nullopt;
  }

  /// One instruction made both.
  std::optional<Integer> computed_wide(std::size_t step, unsigned depth) {
    const std::string_view name = definitions_.mnemonic(step);
    const auto s = [&](unsigned n) { return wide(source(step, n, 0), source(step, n, 1), depth); };
    const auto shift = [&](unsigned n) { return Integer{1} << (source(step, n).bits() & 63); };
    if (name == "v_mov_b64" || name == "s_mov_b64") return s(0);
    if (name == "v_lshlrev_b64") return s(1) * shift(0);
    if (name == "s_lshl_b64") return s(0) * shift(1);
    if (name == "v_lshl_add_u64") return s(0) * shift(1) + s(2);
    if (name == "v_mad_u64_u32" || name == "v_mad_i64_i32") return product_and_sum(step, depth);
    if (name == "s_ashr_i64") return sign_extended(step, depth);
    if (name == "s_bfe_i64") return narrow(source(step, 0), Sign::kSigned, depth);
    if (name == "v_ashrrev_i64" || name == "s_lshl_add_u64") return std::nullopt;
    return std::nullopt;
  }

  /// A word in the upper half, shifted down: "s_ashr_i64 s[0:1], s[2:3], 30" widens and scales.
  std::optional<Integer> sign_extended(std::size_t step, unsigned depth) {
    const TracedValue& value = definitions_.step(step).sources[0];
    const unsigned by = source(step, 1).bits() & 63;
    if (value.words[0] != 0 || by > 32) return std::nullopt;
    return narrow({step, value, 1}, Sign::kSigned, depth) * (Integer{1} << (32 - by));
  }

  const Definitions& definitions_;
};

}  // namespace

std::optional<std::uint64_t> exact_address(const Definitions& definitions, std::size_t step) {
  const TracedAccess& access = definitions.step(step).access;
  if (access.space != AddressSpace::kGlobal) return std::nullopt;
  const auto exact = static_cast<std::uint64_t>(Exact(definitions).address(step));
  const std::uint64_t difference = exact - access.address;
  if (difference == 0 || (difference & 0xFFFF'FFFF) != 0) return std::nullopt;
  return exact;
}

}  // namespace compass::analysis
