// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/float.h"

/// Floats to whole numbers, to and from integers and floats of other widths.
namespace compass::isa {

template <class D>
constexpr F32<D> raw_floor(F32<D> a) {
  return {D::ffloor32(a.rep)};
}
template <class D>
constexpr F32<D> raw_ceil(F32<D> a) {
  return {D::fceil32(a.rep)};
}
template <class D>
constexpr F32<D> raw_trunc(F32<D> a) {
  return {D::ftrunc32(a.rep)};
}
template <class D>
constexpr F32<D> raw_rndne(F32<D> a) {
  return {D::frndne32(a.rep)};
}
template <class D>
constexpr F64<D> raw_floor(F64<D> a) {
  return {D::ffloor64(a.rep)};
}
template <class D>
constexpr F64<D> raw_ceil(F64<D> a) {
  return {D::fceil64(a.rep)};
}
template <class D>
constexpr F64<D> raw_trunc(F64<D> a) {
  return {D::ftrunc64(a.rep)};
}
template <class D>
constexpr F64<D> raw_rndne(F64<D> a) {
  return {D::frndne64(a.rep)};
}
// Whole halves are whole singles.
template <class D>
constexpr F16<D> raw_floor(F16<D> a) {
  return narrow(Mode{}, raw_floor(f16_to_f32(a)));
}
template <class D>
constexpr F16<D> raw_ceil(F16<D> a) {
  return narrow(Mode{}, raw_ceil(f16_to_f32(a)));
}
template <class D>
constexpr F16<D> raw_trunc(F16<D> a) {
  return narrow(Mode{}, raw_trunc(f16_to_f32(a)));
}
template <class D>
constexpr F16<D> raw_rndne(F16<D> a) {
  return narrow(Mode{}, raw_rndne(f16_to_f32(a)));
}

template <class V>
constexpr V ffloor(const Mode& mode, V a) {
  return nan_rule(raw_floor(enter(mode, a)), a);
}
template <class V>
constexpr V fceil(const Mode& mode, V a) {
  return nan_rule(raw_ceil(enter(mode, a)), a);
}
template <class V>
constexpr V ftrunc(const Mode& mode, V a) {
  return nan_rule(raw_trunc(enter(mode, a)), a);
}
/// Ties to even in every mode.
template <class V>
constexpr V frndne(const Mode& mode, V a) {
  return nan_rule(raw_rndne(enter(mode, a)), a);
}
/// What is left above the whole number below; always below one.
template <class V>
constexpr V ffract(const Mode& mode, V a) {
  V rest = fadd(mode, a, fneg(ffloor(mode, a)));
  V below_one = like(a, FloatFields<V>::kBelowOne);
  return select(flt(below_one, rest), below_one, rest);
}

template <class D>
constexpr F32<D> u32_to_f32(const Mode&, U32<D> a) {
  return {D::u32_to_f32(a.rep)};
}
template <class D>
constexpr F32<D> i32_to_f32(const Mode&, U32<D> a) {
  return {D::i32_to_f32(a.rep)};
}
template <class D>
constexpr F64<D> u32_to_f64(U32<D> a) {
  return {D::u32_to_f64(a.rep)};
}
template <class D>
constexpr F64<D> i32_to_f64(U32<D> a) {
  return {D::i32_to_f64(a.rep)};
}
/// Towards zero; NaN gives 0, what is out of range the nearest end.
template <class D>
constexpr U32<D> f32_to_i32(F32<D> a) {
  return {D::f32_to_i32(a.rep)};
}
template <class D>
constexpr U32<D> f32_to_u32(F32<D> a) {
  return {D::f32_to_u32(a.rep)};
}
template <class D>
constexpr U32<D> f64_to_i32(F64<D> a) {
  return {D::f64_to_i32(a.rep)};
}
template <class D>
constexpr U32<D> f64_to_u32(F64<D> a) {
  return {D::f64_to_u32(a.rep)};
}
/// `a`, signed, between two ends.
template <class D>
constexpr U32<D> saturate_signed(U32<D> a, std::uint32_t least, std::uint32_t greatest) {
  U32<D> above = select(slt(a, like(a, least)), like(a, least), a);
  return select(slt(like(a, greatest), above), like(a, greatest), above);
}
template <class D>
constexpr U32<D> saturate_unsigned(U32<D> a, std::uint32_t greatest) {
  return select(a > like(a, greatest), like(a, greatest), a);
}

/// Exact; NaNs keep sign and payload.
template <class D>
constexpr F64<D> f32_to_f64(const Mode& mode, F32<D> a) {
  a = enter(mode, a);
  U64<D> number = {D::f32_to_f64(a.rep)};
  U64<D> payload = zext64(bits(a) & like(bits(a), 0x3F'FFFFu)) << like(number, std::uint64_t{29});
  U64<D> sign = zext64(sign_of(a)) << like(number, std::uint64_t{32});
  return as_f64(select(is_nan(a), payload | sign | like(number, kMadeNan<F64<D>>), number));
}
template <class D>
constexpr F32<D> f64_to_f32(const Mode& mode, F64<D> a) {
  a = enter(mode, a);
  U32<D> number = {D::f64_to_f32(a.rep)};
  U32<D> payload = lo32(bits(a) >> like(bits(a), std::uint64_t{29})) & like(number, 0x3F'FFFFu);
  U32<D> sign = hi32(bits(a)) & like(number, 0x8000'0000u);
  return leave(mode,
               as_f32(select(is_nan(a), payload | sign | like(number, 0x7FC0'0000u), number)));
}
static_assert(f32_to_f64(Mode{}, F32<C>{0xFF80'0001}).rep == 0xFFF8'0000'2000'0000);
static_assert(f64_to_f32(Mode{}, F64<C>{0xFFF8'0000'2000'0000}).rep == 0xFFC0'0001);

/// The upper half of a single, rounded to nearest, ties to even, in every mode.
template <class D>
constexpr U16<D> f32_to_bf16(F32<D> a) {
  return {D::f32_to_bf16(a.rep)};
}

}  // namespace compass::isa
