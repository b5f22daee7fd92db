// SPDX-License-Identifier: MIT
// What both sides of a differential test mean by the names in the .def tables. No headers: one side
// is a device without a library.
#pragma once

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef _Float16 f16;
typedef float f32;
typedef double f64;

template <class T, class F>
static inline T bits_as(F from) {
  static_assert(sizeof(T) == sizeof(F));
  return __builtin_bit_cast(T, from);
}

// `value` where the language says what its conversion is, else 0.
template <class T>
static inline f64 lowest() {
  return static_cast<T>(-1) < static_cast<T>(0) ? -static_cast<f64>(u64{1} << (sizeof(T) * 8 - 1))
                                                : 0;
}
template <class T>
static inline f64 past_highest() {
  const bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  return 2.0 * static_cast<f64>(u64{1} << (sizeof(T) * 8 - (is_signed ? 2 : 1)));
}
template <class T, class F>
static inline T to_integer(F value) {
  const bool is_inside =
      value >= static_cast<F>(lowest<T>()) && value < static_cast<F>(past_highest<T>());
  return is_inside ? static_cast<T>(value) : static_cast<T>(0);
}

template <class T>
static inline T rotate_left(T value, unsigned by) {
  const unsigned width = sizeof(T) * 8;
  return static_cast<T>(value << (by % width) | value >> ((width - by) % width));
}

typedef f32 f32x2 __attribute__((ext_vector_type(2)));
typedef f16 f16x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x2 __attribute__((ext_vector_type(2)));
typedef i16 i16x2 __attribute__((ext_vector_type(2)));

// Two floats as bits, with one NaN for all.
static inline u64 both(f32x2 value) {
  const u32 x = value.x == value.x ? bits_as<u32>(value.x) : 0x7fc00000u;
  const u32 y = value.y == value.y ? bits_as<u32>(value.y) : 0x7fc00000u;
  return x | static_cast<u64>(y) << 32;
}
static inline u32 both(f16x2 value) {
  const u32 x = value.x == value.x ? bits_as<u16>(value.x) : 0x7e00u;
  const u32 y = value.y == value.y ? bits_as<u16>(value.y) : 0x7e00u;
  return x | y << 16;
}

#ifdef __AMDGCN__
static inline f16 fma_f16(f16 a, f16 b, f16 c) { return __builtin_fmaf16(a, b, c); }
static inline f16x2 fma_f16x2(f16x2 a, f16x2 b, f16x2 c) {
  return __builtin_elementwise_fma(a, b, c);
}
#else
// The neighbour of `rounded` with an odd last bit, if `rest` was lost: rounding that again, to far
// fewer bits, is as if there had been no first time.
template <class Bits, class F>
static inline F to_odd(F rounded, f64 rest) {
  const Bits bits = bits_as<Bits>(rounded);
  if (rest == 0 || rest != rest || (bits & 1) != 0 || rounded - rounded != 0) return rounded;
  return bits_as<F>((rest > 0) == (rounded > 0) ? bits + 1 : bits - 1);
}
static inline f16 fma_f16(f16 a, f16 b, f16 c) {
  const f64 product = static_cast<f64>(static_cast<f32>(a)) * static_cast<f32>(b);  // exact
  const f64 addend = static_cast<f32>(c), sum = product + addend;
  const f64 back = sum - product;
  const f64 odd = to_odd<u64>(sum, (product - (sum - back)) + (addend - back));
  const f32 single = static_cast<f32>(odd);
  return static_cast<f16>(to_odd<u32>(single, odd - single));
}
static inline f16x2 fma_f16x2(f16x2 a, f16x2 b, f16x2 c) {
  return f16x2{fma_f16(a.x, b.x, c.x), fma_f16(a.y, b.y, c.y)};
}
#endif
