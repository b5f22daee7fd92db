// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"
#include "driverless/machine/wavefront.h"

/// How a value of one lane lies in rows: one row for each register that it takes.
namespace compass::interp {

/// What a frame must know of a value's type to bind operands to it.
enum class ValueClass : std::uint8_t { kBit, kInteger, kFloat, kPair, kMode, kVoid };

template <class V>
struct ValueRows;

template <class D>
struct ValueRows<isa::B1<D>> {
  static constexpr unsigned kCount = 1;
  static constexpr ValueClass kClass = ValueClass::kBit;
  static isa::B1<D> read(const std::uint32_t* const* row, unsigned lane) {
    return {row[0][lane] != 0};
  }
};

template <class D>
struct ValueRows<isa::U32<D>> {
  static constexpr unsigned kCount = 1;
  static constexpr ValueClass kClass = ValueClass::kInteger;
  static isa::U32<D> read(const std::uint32_t* const* row, unsigned lane) { return {row[0][lane]}; }
  static std::uint32_t word(isa::U32<D> value, unsigned) { return value.rep; }
};

template <class D>
struct ValueRows<isa::F32<D>> {
  static constexpr unsigned kCount = 1;
  static constexpr ValueClass kClass = ValueClass::kFloat;
  static isa::F32<D> read(const std::uint32_t* const* row, unsigned lane) { return {row[0][lane]}; }
  static std::uint32_t word(isa::F32<D> value, unsigned) { return value.rep; }
};

template <class D>
struct ValueRows<isa::U64<D>> {
  static constexpr unsigned kCount = 2;
  static constexpr ValueClass kClass = ValueClass::kInteger;
  static isa::U64<D> read(const std::uint32_t* const* row, unsigned lane) {
    return {row[0][lane] | std::uint64_t{row[1][lane]} << 32};
  }
  static std::uint32_t word(isa::U64<D> value, unsigned n) {
    return static_cast<std::uint32_t>(n == 0 ? value.rep : value.rep >> 32);
  }
};

template <class V>
struct ValueRows<isa::Pair<V>> {
  static constexpr unsigned kCount = 2;
  static constexpr ValueClass kClass = ValueClass::kPair;
  static isa::Pair<V> read(const std::uint32_t* const* row, unsigned lane) {
    return {ValueRows<V>::read(row, lane), ValueRows<V>::read(row + 1, lane)};
  }
  static std::uint32_t word(const isa::Pair<V>& value, unsigned n) {
    return ValueRows<V>::word(n == 0 ? value.lo : value.hi, 0);
  }
};

template <class D, unsigned N>
struct ValueRows<isa::Words<D, N>> {
  static constexpr unsigned kCount = N;
  static constexpr ValueClass kClass = ValueClass::kInteger;
  static isa::Words<D, N> read(const std::uint32_t* const* row, unsigned lane) {
    isa::Words<D, N> value;
    for (unsigned n = 0; n < N; ++n) value.word[n] = {row[n][lane]};
    return value;
  }
  static std::uint32_t word(const isa::Words<D, N>& value, unsigned n) {
    return value.word[n].rep;
  }
};

template <>
struct ValueRows<isa::Mode> {
  static constexpr unsigned kCount = 0;
  static constexpr ValueClass kClass = ValueClass::kMode;
  static isa::Mode read(const std::uint32_t* const*, unsigned) { return {}; }
};

template <>
struct ValueRows<void> {
  static constexpr unsigned kCount = 0;
  static constexpr ValueClass kClass = ValueClass::kVoid;
};

}  // namespace compass::interp
