// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"
#include "driverless/machine/wavefront.h"

/// How a value of one lane lies in rows: one row for each register that it takes.
namespace compass::interp {

/// What a frame must know of a value's type to bind operands to it.
enum class ValueClass : std::uint8_t {
  kBit,
  kInteger,
  kFloat,
  kDouble,
  kInteger16,
  kHalf,
  kPair,          ///< of values of 32 bits, in two registers
  kPairOfHalves,  ///< in one register
  kPairOfInteger16,
  kMixed,
  kMode,
  kVoid,
};

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

template <class D>
struct ValueRows<isa::F64<D>> {
  static constexpr unsigned kCount = 2;
  static constexpr ValueClass kClass = ValueClass::kDouble;
  static isa::F64<D> read(const std::uint32_t* const* row, unsigned lane) {
    return {row[0][lane] | std::uint64_t{row[1][lane]} << 32};
  }
  static std::uint32_t word(isa::F64<D> value, unsigned n) {
    return static_cast<std::uint32_t>(n == 0 ? value.rep : value.rep >> 32);
  }
};

/// The low half of a register. Written whole: the upper half becomes zero.
template <class D>
struct ValueRows<isa::U16<D>> {
  static constexpr unsigned kCount = 1;
  static constexpr ValueClass kClass = ValueClass::kInteger16;
  static isa::U16<D> read(const std::uint32_t* const* row, unsigned lane) {
    return {row[0][lane] & 0xFFFF};
  }
  static std::uint32_t word(isa::U16<D> value, unsigned) { return value.rep; }
};
template <class D>
struct ValueRows<isa::F16<D>> {
  static constexpr unsigned kCount = 1;
  static constexpr ValueClass kClass = ValueClass::kHalf;
  static isa::F16<D> read(const std::uint32_t* const* row, unsigned lane) {
    return {row[0][lane] & 0xFFFF};
  }
  static std::uint32_t word(isa::F16<D> value, unsigned) { return value.rep; }
};

template <class D>
struct ValueRows<isa::Mixed<D>> {
  static constexpr unsigned kCount = 1;
  static constexpr ValueClass kClass = ValueClass::kMixed;
  static isa::Mixed<D> read(const std::uint32_t* const* row, unsigned lane) {
    return {{row[0][lane]}};
  }
};

/// Two values of 16 bits in one register.
template <class V>
struct PackedRows {
  static constexpr unsigned kCount = 1;
  static isa::Pair<V> read(const std::uint32_t* const* row, unsigned lane) {
    return {{row[0][lane] & 0xFFFF}, {row[0][lane] >> 16}};
  }
  static std::uint32_t word(const isa::Pair<V>& value, unsigned) {
    return value.lo.rep | value.hi.rep << 16;
  }
};
template <class D>
struct ValueRows<isa::Pair<isa::F16<D>>> : PackedRows<isa::F16<D>> {
  static constexpr ValueClass kClass = ValueClass::kPairOfHalves;
};
template <class D>
struct ValueRows<isa::Pair<isa::U16<D>>> : PackedRows<isa::U16<D>> {
  static constexpr ValueClass kClass = ValueClass::kPairOfInteger16;
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
  static std::uint32_t word(const isa::Words<D, N>& value, unsigned n) { return value.word[n].rep; }
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
