// SPDX-License-Identifier: MIT
#include "driverless/case/dtype.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "ir/base/concat.h"

namespace compass::kernel_case {
namespace {

constexpr Dtype integer(std::string_view name, DtypeKind kind, std::uint8_t size_bytes) {
  return {name, kind, size_bytes, 0, 0, false};
}

constexpr Dtype floating(std::string_view name, std::uint8_t size_bytes, std::uint8_t exponent_bits,
                         std::uint8_t mantissa_bits, bool has_infinity) {
  return {name, DtypeKind::kFloat, size_bytes, exponent_bits, mantissa_bits, has_infinity};
}

constexpr Dtype kDtypes[] = {
    floating("bf16", 2, 8, 7, true),         floating("f16", 2, 5, 10, true),
    floating("f32", 4, 8, 23, true),         floating("f64", 8, 11, 52, true),
    floating("f8e4m3", 1, 4, 3, false),      floating("f8e5m2", 1, 5, 2, true),
    integer("i8", DtypeKind::kSigned, 1),    integer("i16", DtypeKind::kSigned, 2),
    integer("i32", DtypeKind::kSigned, 4),   integer("i64", DtypeKind::kSigned, 8),
    integer("u8", DtypeKind::kUnsigned, 1),  integer("u16", DtypeKind::kUnsigned, 2),
    integer("u32", DtypeKind::kUnsigned, 4), integer("u64", DtypeKind::kUnsigned, 8),
};

std::uint64_t ones(unsigned count) { return (std::uint64_t{1} << count) - 1; }

std::string print(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

const Dtype* find_dtype(std::string_view name) {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.name == name) return &dtype;
  }
  return nullptr;
}

std::string dtype_names() {
  std::string text;
  for (const Dtype& dtype : kDtypes) {
    const bool is_last = &dtype == std::end(kDtypes) - 1;
    text += concat(text.empty() ? "" : is_last ? " or " : ", ", dtype.name);
  }
  return text;
}

std::uint64_t bits_at(const Dtype& dtype, ByteView bytes, std::uint64_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * dtype.size_bytes, dtype.size_bytes);
  return bits;
}

double widen(const Dtype& dtype, std::uint64_t bits) {
  if (dtype.size_bytes == 8) return std::bit_cast<double>(bits);
  const std::uint64_t mantissa = bits & ones(dtype.mantissa_bits);
  const std::uint64_t exponent = bits >> dtype.mantissa_bits & ones(dtype.exponent_bits);
  const bool is_negative = (bits >> (dtype.mantissa_bits + dtype.exponent_bits) & 1) != 0;
  const int bias = static_cast<int>(ones(dtype.exponent_bits - 1u));
  double magnitude;
  if (exponent == ones(dtype.exponent_bits) && dtype.has_infinity) {
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == ones(dtype.exponent_bits) && mantissa == ones(dtype.mantissa_bits)) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else {
    const std::uint64_t leading = exponent == 0 ? 0 : std::uint64_t{1} << dtype.mantissa_bits;
    const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - dtype.mantissa_bits;
    magnitude = std::ldexp(static_cast<double>(leading + mantissa), power);
  }
  return is_negative ? -magnitude : magnitude;
}

std::uint64_t narrow(const Dtype& dtype, double value) {
  if (dtype.size_bytes == 8) return std::bit_cast<std::uint64_t>(value);
  if (dtype.size_bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << 15 : 0;
  const std::uint64_t infinity = ones(dtype.exponent_bits) << dtype.mantissa_bits;
  if (std::isnan(value)) return sign | infinity | std::uint64_t{1} << (dtype.mantissa_bits - 1);
  const int lowest = 1 - static_cast<int>(ones(dtype.exponent_bits - 1u));
  const int power = value == 0 ? lowest : std::max(std::ilogb(value), lowest);
  if (std::isinf(value) || power > -lowest + 1) return sign | infinity;
  // In units of the last place; nearbyint rounds to even, and a carry reaches the exponent by
  // itself.
  const double units = std::nearbyint(std::ldexp(std::fabs(value), dtype.mantissa_bits - power));
  return sign | ((static_cast<std::uint64_t>(power - lowest) << dtype.mantissa_bits) +
                 static_cast<std::uint64_t>(units));
}

std::string to_text(const Dtype& dtype, std::uint64_t bits) {
  const unsigned width = dtype.size_bytes * 8u;
  if (dtype.kind == DtypeKind::kUnsigned) return std::to_string(bits);
  if (dtype.kind == DtypeKind::kSigned) {
    return std::to_string(static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
  }
  const char* format = dtype.size_bytes == 8 ? "%.17g" : dtype.size_bytes == 4 ? "%.9g" : "%.6g";
  return concat(print(format, widen(dtype, bits)), " (", hex(bits, dtype.size_bytes * 2), ")");
}

}  // namespace compass::kernel_case
