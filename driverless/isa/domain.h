// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// The values that instructions compute with, over any domain D.
///
/// D gives a representation for each type (`D::u32`, …) and the primitive operations as static
/// functions on representations. Meanings use only what stands here, so that one body serves integers
/// (Concrete), LLVM values and ranges.
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

/// The MODE register as far as frames admit it: round to nearest even, denormals kept, IEEE rules for
/// signalling NaNs. A kernel that asks for another mode is not run.
struct Mode {};

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
constexpr U64<D> like(U64<D>, std::uint64_t k) {
  return {D::constant64(k)};
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
constexpr B1<D> operator!=(U32<D> a, U32<D> b) {
  return !(a == b);
}
template <class D>
constexpr B1<D> operator!=(U64<D> a, U64<D> b) {
  return !(a == b);
}

/// `a` where the condition holds, else `b`.
template <class D>
constexpr U32<D> select(B1<D> condition, U32<D> a, U32<D> b) {
  return {D::select(condition.rep, a.rep, b.rep)};
}
template <class D>
constexpr U64<D> select(B1<D> condition, U64<D> a, U64<D> b) {
  return {D::select(condition.rep, a.rep, b.rep)};
}
template <class D>
constexpr F32<D> select(B1<D> condition, F32<D> a, F32<D> b) {
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
/// The low `width` bits of `a`, the highest of them as a sign. `width` is 1 to 32.
template <class D>
constexpr U32<D> sign_extend(U32<D> a, unsigned width) {
  U32<D> shift = like(a, 32 - width);
  return ashr(a << shift, shift);
}
/// The number of bits set.
template <class D>
constexpr U32<D> popcount(U32<D> a) {
  return {D::popcount(a.rep)};
}

}  // namespace compass::isa
