// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace compass::text {

/// A symbol, or a block of folded ones; either, `count` times one after the other.
struct Folded {
  std::uint32_t count = 1;
  std::uint32_t symbol = 0;   ///< where there is no block
  std::vector<Folded> block;  ///< empty: the symbol
};

/// The same symbols, where what is repeated stands once. Equal rows of symbols fold alike.
std::vector<Folded> fold(const std::vector<std::uint32_t>& symbols);

}  // namespace compass::text
