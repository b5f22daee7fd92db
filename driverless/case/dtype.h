// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/base/bytes.h"

namespace compass::kernel_case {

/// What an element of a buffer, or a scalar, is.
enum class DtypeKind : std::uint8_t { kSigned, kUnsigned, kFloat };

/// Elements are little-endian. Floats narrower than 32 bits are sign, exponent and mantissa.
struct Dtype {
  std::string_view name;  ///< "bf16"
  DtypeKind kind;
  std::uint8_t size_bytes;
  std::uint8_t exponent_bits;
  std::uint8_t mantissa_bits;
  bool has_infinity;  ///< else the largest exponent holds numbers, and a NaN of all ones
};

/// The type called `name`, or null.
const Dtype* find_dtype(std::string_view name);

/// "bf16, f16, … or u8", for messages.
std::string dtype_names();

/// The bits of element `index` of `bytes`, zero-extended.
std::uint64_t bits_at(const Dtype& dtype, ByteView bytes, std::uint64_t index);

/// The value that `bits` of a float stand for; every one is a double.
double widen(const Dtype& dtype, std::uint64_t bits);

/// The float nearest to `value`, as bits; only of 16 bits and more.
std::uint64_t narrow(const Dtype& dtype, double value);

/// "0.25 (0x3e80)"; integers without their bits.
std::string to_text(const Dtype& dtype, std::uint64_t bits);

}  // namespace compass::kernel_case
