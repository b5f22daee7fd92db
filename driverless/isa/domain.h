// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// The values that instructions compute with, over any domain D.
///
/// D gives a representation for each type (`D::u32`, …) and the primitive operations as static
/// functions on representations. Meanings use only what stands here, so that one body serves
/// integers (Concrete), LLVM values and ranges.
namespace compass::isa {

template <class D>
struct B1 {  ///< one bit: SCC, or a lane's bit of a mask
  typename D::b1 rep;
};
template <class D>
struct U32 {
  typename D::u32 rep;
};
template <class D>
struct U64 {
  typename D::u64 rep;
};
/// Binary floating point, as bits: how an operation treats them is the operation's, not the type's.
template <class D>
struct F32 {
  typename D::u32 rep;
};
template <class D>
struct F64 {
  typename D::u64 rep;
};
/// 16 bits in the low half of a word whose high half is zero.
template <class D>
struct U16 {
  typename D::u32 rep;
};
template <class D>
struct F16 {
  typename D::u32 rep;
};
/// A single-precision value that its instruction may take from a half: mixed-precision operations.
template <class D>
struct Mixed {
  F32<D> value;
};
/// Two values in two consecutive registers, or in the halves of one.
template <class V>
struct Pair {
  V lo, hi;
};
/// N consecutive registers.
template <class D, unsigned N>
struct Words {
  U32<D> word[N];
};

/// How floats are rounded, by the MODE register's codes.
enum class Round : std::uint8_t { kNearestEven, kUp, kDown, kTowardsZero };

/// The MODE register as far as values depend on it. `wide` is for halves and doubles. IEEE rules
/// for signalling NaNs always hold. A frame passes `Mode{}` where the wavefront's mode is that, so
/// that the compiler removes what only other modes need; host constants, hence plain `if`s on them.
struct Mode {
  Round round_single = Round::kNearestEven, round_wide = Round::kNearestEven;
  bool flush_single_sources = false, flush_single_results = false;
  bool flush_wide_sources = false, flush_wide_results = false;
  bool clamp_makes_nan_zero = true;  ///< DX10_CLAMP
  bool overflow_saturates = false;   ///< FP16_OVFL: halves and 8-bit floats stay finite

  bool operator==(const Mode&) const = default;
};

// Constants in the shape of another value.
template <class D>
constexpr U32<D> like(U32<D>, std::uint32_t k) {
  return {D::constant32(k)};
}
template <class D>
constexpr F32<D> like(F32<D>, std::uint32_t bits) {
  return {D::constant32(bits)};
}
template <class D>
constexpr F16<D> like(F16<D>, std::uint32_t bits) {
  return {D::constant32(bits)};
}
template <class D>
constexpr U16<D> like(U16<D>, std::uint32_t k) {
  return {D::constant32(k)};
}
template <class D>
constexpr U64<D> like(U64<D>, std::uint64_t k) {
  return {D::constant64(k)};
}
template <class D>
constexpr F64<D> like(F64<D>, std::uint64_t bits) {
  return {D::constant64(bits)};
}

// Integers. Shift counts must be below the width.
template <class D>
constexpr U32<D> operator+(U32<D> a, U32<D> b) {
  return {D::add(a.rep, b.rep)};
}
template <class D>
constexpr U32<D> operator-(U32<D> a, U32<D> b) {
  return {D::sub(a.rep, b.rep)};
}
template <class D>
constexpr U32<D> operator*(U32<D> a, U32<D> b) {
  return {D::mul(a.rep, b.rep)};
}
template <class D>
constexpr U32<D> operator&(U32<D> a, U32<D> b) {
  return {D::band(a.rep, b.rep)};
}
template <class D>
constexpr U32<D> operator|(U32<D> a, U32<D> b) {
  return {D::bor(a.rep, b.rep)};
}
template <class D>
constexpr U32<D> operator^(U32<D> a, U32<D> b) {
  return {D::bxor(a.rep, b.rep)};
}
template <class D>
constexpr U32<D> operator~(U32<D> a) {
  return a ^ like(a, ~0u);
}
template <class D>
constexpr U32<D> operator<<(U32<D> a, U32<D> count) {
  return {D::shl(a.rep, count.rep)};
}
template <class D>
constexpr U32<D> operator>>(U32<D> a, U32<D> count) {
  return {D::shr(a.rep, count.rep)};
}
/// Shift right, copies of the sign bit coming in.
template <class D>
constexpr U32<D> ashr(U32<D> a, U32<D> count) {
  return {D::ashr(a.rep, count.rep)};
}
template <class D>
constexpr U64<D> operator+(U64<D> a, U64<D> b) {
  return {D::add(a.rep, b.rep)};
}
template <class D>
constexpr U64<D> operator-(U64<D> a, U64<D> b) {
  return {D::sub(a.rep, b.rep)};
}
template <class D>
constexpr U64<D> operator*(U64<D> a, U64<D> b) {
  return {D::mul(a.rep, b.rep)};
}
template <class D>
constexpr U64<D> operator&(U64<D> a, U64<D> b) {
  return {D::band(a.rep, b.rep)};
}
template <class D>
constexpr U64<D> operator|(U64<D> a, U64<D> b) {
  return {D::bor(a.rep, b.rep)};
}
template <class D>
constexpr U64<D> operator^(U64<D> a, U64<D> b) {
  return {D::bxor(a.rep, b.rep)};
}
template <class D>
constexpr U64<D> operator~(U64<D> a) {
  return a ^ like(a, ~std::uint64_t{0});
}
template <class D>
constexpr U64<D> operator<<(U64<D> a, U64<D> count) {
  return {D::shl(a.rep, count.rep)};
}
template <class D>
constexpr U64<D> operator>>(U64<D> a, U64<D> count) {
  return {D::shr(a.rep, count.rep)};
}
template <class D>
constexpr U64<D> ashr(U64<D> a, U64<D> count) {
  return {D::ashr(a.rep, count.rep)};
}

// Comparisons; `slt` is signed.
template <class D>
constexpr B1<D> operator==(U32<D> a, U32<D> b) {
  return {D::eq(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> operator<(U32<D> a, U32<D> b) {
  return {D::ult(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> operator>(U32<D> a, U32<D> b) {
  return b < a;
}
template <class D>
constexpr B1<D> slt(U32<D> a, U32<D> b) {
  return {D::slt(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> slt(U64<D> a, U64<D> b) {
  return {D::slt(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> operator==(U64<D> a, U64<D> b) {
  return {D::eq(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> operator<(U64<D> a, U64<D> b) {
  return {D::ult(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> operator>(U64<D> a, U64<D> b) {
  return b < a;
}

template <class D>
constexpr B1<D> operator!(B1<D> a) {
  return {D::lnot(a.rep)};
}
template <class D>
constexpr B1<D> operator&(B1<D> a, B1<D> b) {
  return {D::land(a.rep, b.rep)};
}
template <class D>
constexpr B1<D> operator|(B1<D> a, B1<D> b) {
  return {D::lor(a.rep, b.rep)};
}

template <class D>
constexpr B1<D> operator^(B1<D> a, B1<D> b) {
  return (a & !b) | (b & !a);
}

template <class D>
constexpr B1<D> operator!=(U32<D> a, U32<D> b) {
  return !(a == b);
}
template <class D>
constexpr B1<D> operator!=(U64<D> a, U64<D> b) {
  return !(a == b);
}

/// `a` where the condition holds, else `b`.
template <template <class> class V, class D>
constexpr V<D> select(B1<D> condition, V<D> a, V<D> b) {
  return {D::select(condition.rep, a.rep, b.rep)};
}

// Widths and views.
template <class D>
constexpr U64<D> zext64(U32<D> a) {
  return {D::zext64(a.rep)};
}
template <class D>
constexpr U64<D> sext64(U32<D> a) {
  return {D::sext64(a.rep)};
}
template <class D>
constexpr U32<D> lo32(U64<D> a) {
  return {D::lo32(a.rep)};
}
template <class D>
constexpr U32<D> hi32(U64<D> a) {
  return {D::hi32(a.rep)};
}
template <class D>
constexpr U32<D> zext32(B1<D> a) {
  return {D::zext32(a.rep)};
}
template <class D>
constexpr U32<D> bits(F32<D> a) {
  return {a.rep};
}
template <class D>
constexpr F32<D> as_f32(U32<D> a) {
  return {a.rep};
}
template <class D>
constexpr U64<D> bits(F64<D> a) {
  return {a.rep};
}
template <class D>
constexpr F64<D> as_f64(U64<D> a) {
  return {a.rep};
}
/// A half's bits, zero-extended.
template <class D>
constexpr U32<D> bits(F16<D> a) {
  return {a.rep};
}
/// `a` is below 0x10000.
template <class D>
constexpr F16<D> as_f16(U32<D> a) {
  return {a.rep};
}
template <class D>
constexpr U64<D> join64(U32<D> lo, U32<D> hi) {
  return zext64(lo) | (zext64(hi) << like(zext64(hi), std::uint64_t{32}));
}
/// The low `width` bits of `a`, the highest of them as a sign. `width` is 1 to 32.
template <class D>
constexpr U32<D> sign_extend(U32<D> a, unsigned width) {
  U32<D> shift = like(a, 32 - width);
  return ashr(a << shift, shift);
}
template <class D>
constexpr U32<D> zext(U16<D> a) {
  return {a.rep};
}
template <class D>
constexpr U32<D> sext(U16<D> a) {
  return sign_extend(U32<D>{a.rep}, 16);
}
template <class D>
constexpr U16<D> low16(U32<D> a) {
  return {(a & like(a, 0xFFFFu)).rep};
}
/// The number of zeros above the highest one, below the lowest one; the width if there is no one.
template <class D>
constexpr U32<D> leading_zeros(U32<D> a) {
  return {D::leading_zeros(a.rep)};
}
template <class D>
constexpr U32<D> trailing_zeros(U32<D> a) {
  return {D::trailing_zeros(a.rep)};
}
/// The bits in reverse order.
template <class D>
constexpr U32<D> reverse_bits(U32<D> a) {
  const auto swap = [](U32<D> v, std::uint32_t mask, unsigned count) {
    return ((v >> like(v, count)) & like(v, mask)) | ((v & like(v, mask)) << like(v, count));
  };
  a = swap(swap(swap(a, 0x5555'5555, 1), 0x3333'3333, 2), 0x0F0F'0F0F, 4);
  return swap(swap(a, 0x00FF'00FF, 8), 0xFFFF, 16);
}
/// The number of bits set.
template <class D>
constexpr U32<D> popcount(U32<D> a) {
  return {D::popcount(a.rep)};
}

}  // namespace compass::isa
