// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "driverless/isa/accuracy.h"
#include "driverless/isa/mfma_arithmetic.h"

/// What a result rests on, on one architecture.
namespace compass::isa {

enum class Basis : std::uint8_t {
  kExact,      ///< the manual says every bit
  kPublished,  ///< measurements on hardware that are published say every bit
  kBounded,    ///< the manual gives an error bound; ours is the correctly rounded value
  kAssumed,    ///< nobody says
};

constexpr Basis basis_of(std::string_view mnemonic, Target target) {
  switch (accuracy_of(mnemonic)) {
    case Accuracy::kExact:
      return Basis::kExact;
    case Accuracy::kBounded:
      return Basis::kBounded;
    case Accuracy::kAssumed:
      break;
  }
  const bool was_measured = target == GFX942 && mnemonic.starts_with("v_mfma_f");
  return was_measured ? Basis::kPublished : Basis::kAssumed;
}

/// Whether the table of matrix arithmetic says the same.
constexpr bool agrees_with_matrix_arithmetic() {
  for (const MatrixArithmetic& entry : kMatrixArithmetic) {
    if (entry.sum == MatrixSum::kExact) continue;
    const MatrixBasis basis =
        entry.targets == GFX942 ? MatrixBasis::kPublished : MatrixBasis::kAssumed;
    if (entry.basis != basis) return false;
  }
  return true;
}
static_assert(agrees_with_matrix_arithmetic());
static_assert(basis_of("v_mfma_f32_16x16x4_f32", GFX942) == Basis::kPublished);
static_assert(basis_of("v_mfma_f32_16x16x4_f32", GFX950) == Basis::kAssumed);
static_assert(basis_of("v_dot2_f32_f16", GFX942) == Basis::kAssumed);
static_assert(basis_of("v_exp_f32", GFX950) == Basis::kBounded);
static_assert(basis_of("v_add_f32", GFX950) == Basis::kExact);

}  // namespace compass::isa
