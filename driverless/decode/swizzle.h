// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace compass::decode {

/// The offset field of ds_swizzle_b32 that LLVM writes as "swizzle(MODE,…)": bit 15 set with four
/// two-bit lanes below for QUAD_PERM; else masks of five bits, AND at 0, OR at 5 and XOR at 10.
/// Nothing for FFT and ROTATE, whose text does not show every bit, and for other text.
std::optional<std::int64_t> parse_swizzle(std::string_view text);

}  // namespace compass::decode
