// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace compass {

/// What an instruction's result rests on.
enum class Basis : std::uint8_t {
  kExact,      ///< the manual says every bit
  kPublished,  ///< measurements on hardware that are published say every bit
  kBounded,    ///< the manual gives an error bound; what was taken is the correctly rounded value
  kAssumed,    ///< no public document says how it rounds and in which order it adds
};

/// An instruction that an interpretation has run.
struct RanInstruction {
  std::string architecture;
  std::string mnemonic;
  Basis basis = Basis::kExact;
  friend auto operator<=>(const RanInstruction&, const RanInstruction&) = default;
};

}  // namespace compass
