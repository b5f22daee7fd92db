// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

/// What an instruction's result rests on: what a comparison with hardware may expect of it.
namespace compass::isa {

enum class Accuracy : std::uint8_t {
  kExact,    ///< the manual says every bit
  kBounded,  ///< the manual gives an error bound; ours is the correctly rounded value
  kAssumed,  ///< AMD's documents do not say in which order and how it rounds
};

/// Functions of one number for which hardware has a table: v_rcp_f32, v_exp_f16, …
constexpr bool is_transcendental(std::string_view mnemonic) {
  constexpr std::string_view kStems[] = {"v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_",
                                         "v_log_", "v_sin_", "v_cos_"};
  for (const std::string_view stem : kStems) {
    if (mnemonic.starts_with(stem)) return true;
  }
  return false;
}

/// Sums of several products of floats in one instruction.
constexpr bool sums_float_products(std::string_view mnemonic) {
  return mnemonic.starts_with("v_mfma_f") || mnemonic.starts_with("v_smfmac_f") ||
         mnemonic.starts_with("v_dot2_f32") || mnemonic.starts_with("v_dot2c_f32") ||
         mnemonic.starts_with("v_mfma_scale_f");
}

constexpr Accuracy accuracy_of(std::string_view mnemonic) {
  if (sums_float_products(mnemonic)) return Accuracy::kAssumed;
  return is_transcendental(mnemonic) ? Accuracy::kBounded : Accuracy::kExact;
}

static_assert(accuracy_of("v_mfma_f32_16x16x4_f32") == Accuracy::kAssumed);
static_assert(accuracy_of("v_mfma_i32_16x16x32_i8") == Accuracy::kExact);
static_assert(accuracy_of("v_rcp_iflag_f32") == Accuracy::kBounded);
static_assert(accuracy_of("v_exp_f16") == Accuracy::kBounded);
static_assert(accuracy_of("v_add_f32") == Accuracy::kExact);

}  // namespace compass::isa
