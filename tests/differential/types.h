// SPDX-License-Identifier: MIT
// What both sides of a differential test mean by the names in the .def tables. No headers: one side is
// a device without a library.
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
  return static_cast<T>(-1) < static_cast<T>(0) ? -static_cast<f64>(u64{1} << (sizeof(T) * 8 - 1)) : 0;
}
template <class T>
static inline f64 past_highest() {
  const bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  return 2.0 * static_cast<f64>(u64{1} << (sizeof(T) * 8 - (is_signed ? 2 : 1)));
}
template <class T, class F>
static inline T to_integer(F value) {
  const bool is_inside = value >= static_cast<F>(lowest<T>()) && value < static_cast<F>(past_highest<T>());
  return is_inside ? static_cast<T>(value) : static_cast<T>(0);
}

template <class T>
static inline T rotate_left(T value, unsigned by) {
  const unsigned width = sizeof(T) * 8;
  return static_cast<T>(value << (by % width) | value >> ((width - by) % width));
}
