// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "driverless/isa/scaled_fma.h"
#include "driverless/isa/transcendental.h"

namespace compass::isa {

/// The host instructions that a frame may use. Chosen once at start.
enum class HostLevel : std::uint8_t { kBaseline, kAvx2, kAvx512 };

/// The plain-integer domain: one lane's value. Frames loop over lanes and the compiler makes vector
/// code of the loop. `Level` keeps the instantiations for different hosts apart.
template <HostLevel Level>
struct Concrete {
  using b1 = bool;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  using i32 = std::int32_t;
  using i64 = std::int64_t;

  static constexpr u32 constant32(u32 k) { return k; }
  static constexpr u64 constant64(u64 k) { return k; }

  template <class T>
  static constexpr T add(T a, T b) {
    return a + b;
  }
  template <class T>
  static constexpr T sub(T a, T b) {
    return a - b;
  }
  template <class T>
  static constexpr T mul(T a, T b) {
    return a * b;
  }
  template <class T>
  static constexpr T band(T a, T b) {
    return a & b;
  }
  template <class T>
  static constexpr T bor(T a, T b) {
    return a | b;
  }
  template <class T>
  static constexpr T bxor(T a, T b) {
    return a ^ b;
  }
  template <class T>
  static constexpr T shl(T a, T count) {
    return a << count;
  }
  template <class T>
  static constexpr T shr(T a, T count) {
    return a >> count;
  }
  static constexpr u32 ashr(u32 a, u32 count) {
    return static_cast<u32>(static_cast<i32>(a) >> count);
  }
  static constexpr u64 ashr(u64 a, u64 count) {
    return static_cast<u64>(static_cast<i64>(a) >> count);
  }
  template <class T>
  static constexpr bool eq(T a, T b) {
    return a == b;
  }
  template <class T>
  static constexpr bool ult(T a, T b) {
    return a < b;
  }
  static constexpr bool slt(u32 a, u32 b) { return static_cast<i32>(a) < static_cast<i32>(b); }
  static constexpr bool slt(u64 a, u64 b) { return static_cast<i64>(a) < static_cast<i64>(b); }
  static constexpr bool lnot(bool a) { return !a; }
  // Bitwise: no branch for the vectorizer to remove.
  static constexpr bool land(bool a, bool b) { return (int{a} & int{b}) != 0; }
  static constexpr bool lor(bool a, bool b) { return (int{a} | int{b}) != 0; }
  template <class T>
  static constexpr T select(bool condition, T a, T b) {
    return condition ? a : b;
  }
  static constexpr u64 zext64(u32 a) { return a; }
  static constexpr u64 sext64(u32 a) { return static_cast<u64>(i64{static_cast<i32>(a)}); }
  static constexpr u32 lo32(u64 a) { return static_cast<u32>(a); }
  static constexpr u32 hi32(u64 a) { return static_cast<u32>(a >> 32); }
  static constexpr u32 zext32(bool a) { return a ? 1 : 0; }
  static constexpr u32 popcount(u32 a) { return static_cast<u32>(std::popcount(a)); }

  static constexpr u32 leading_zeros(u32 a) { return static_cast<u32>(std::countl_zero(a)); }
  static constexpr u32 trailing_zeros(u32 a) { return static_cast<u32>(std::countr_zero(a)); }

  static constexpr float value(u32 bits) { return std::bit_cast<float>(bits); }
  static constexpr u32 bits(float value) { return std::bit_cast<u32>(value); }

  static constexpr u32 fadd32(u32 a, u32 b) { return bits(value(a) + value(b)); }
  static constexpr u32 fmul32(u32 a, u32 b) { return bits(value(a) * value(b)); }
  static constexpr u32 ffma32(u32 a, u32 b, u32 c) {
    return bits(__builtin_fmaf(value(a), value(b), value(c)));
  }
  static constexpr bool flt32(u32 a, u32 b) { return value(a) < value(b); }
  static constexpr bool feq32(u32 a, u32 b) { return value(a) == value(b); }
  static constexpr u32 frcp32(u32 a) { return bits(1.0f / value(a)); }
  static constexpr u32 fdiv32(u32 a, u32 b) { return bits(value(a) / value(b)); }
  static constexpr u32 fsqrt32(u32 a) { return bits(__builtin_sqrtf(value(a))); }
  static u32 frsq32(u32 a) { return bits(rsqrt_rounded(value(a))); }
  static u32 fexp2_32(u32 a) { return bits(exp2_rounded(value(a))); }
  static u32 flog2_32(u32 a) { return bits(log2_rounded(value(a))); }

  static constexpr double value64(u64 bits) { return std::bit_cast<double>(bits); }
  static constexpr u64 bits64(double value) { return std::bit_cast<u64>(value); }
  static constexpr u64 fadd64(u64 a, u64 b) { return bits64(value64(a) + value64(b)); }
  static constexpr u64 ffma64(u64 a, u64 b, u64 c) {
    return bits64(__builtin_fma(value64(a), value64(b), value64(c)));
  }
  static constexpr bool flt64(u64 a, u64 b) { return value64(a) < value64(b); }
  static constexpr bool feq64(u64 a, u64 b) { return value64(a) == value64(b); }

  // Half precision and bfloat16 in the low halves of registers. NaNs keep their payload.
  static constexpr u32 f16_to_f32(u32 half) {
    const u32 magnitude = (half & 0x7FFF) << 13;
    const u32 scaled = bits(value(magnitude) * 0x1p112f);
    return (half & 0x8000) << 16 | (magnitude >= 0x0F80'0000 ? magnitude | 0x7F80'0000 : scaled);
  }
  /// To nearest even; NaNs become quiet.
  static constexpr u32 f32_to_f16(u32 a) {
    const u32 sign = a >> 16 & 0x8000, magnitude = a & 0x7FFF'FFFF;
    const u32 normal = (magnitude - 0x3800'0000 + 0xFFF + (magnitude >> 13 & 1)) >> 13;
    const u32 small = bits(value(magnitude) + 0.5f) - 0x3F00'0000;
    const u32 nan = 0x7E00 | (magnitude >> 13 & 0x3FF);
    const u32 finite = magnitude < 0x3880'0000 ? small : normal;
    const u32 number = magnitude >= 0x4780'0000 ? 0x7C00 : finite;
    return sign | (magnitude > 0x7F80'0000 ? nan : number);
  }
  static constexpr u32 f32_to_bf16(u32 a) {
    const u32 rounded = (a + 0x7FFF + (a >> 16 & 1)) >> 16;
    return (a & 0x7FFF'FFFF) > 0x7F80'0000 ? a >> 16 | 0x40 : rounded;
  }

  static u32 fsin32(u32 a) { return bits(sin_turns_rounded(value(a))); }
  static u32 fcos32(u32 a) { return bits(cos_turns_rounded(value(a))); }
  // For halves: a single that rounds to the right half.
  static u32 fexp2_sticky(u32 a) { return bits(exp2_sticky(value(a))); }
  static u32 flog2_sticky(u32 a) { return bits(log2_sticky(value(a))); }
  static u32 frsq_sticky(u32 a) { return bits(rsqrt_sticky(value(a))); }
  static u32 fsin_sticky(u32 a) { return bits(sin_turns_sticky(value(a))); }
  static u32 fcos_sticky(u32 a) { return bits(cos_turns_sticky(value(a))); }
  static u32 ffloor32(u32 a) { return bits(__builtin_floorf(value(a))); }
  static u32 fceil32(u32 a) { return bits(__builtin_ceilf(value(a))); }
  static u32 ftrunc32(u32 a) { return bits(__builtin_truncf(value(a))); }
  static u32 frndne32(u32 a) { return bits(__builtin_roundevenf(value(a))); }

  static constexpr u64 fmul64(u64 a, u64 b) { return bits64(value64(a) * value64(b)); }
  static constexpr u64 fdiv64(u64 a, u64 b) { return bits64(value64(a) / value64(b)); }
  static constexpr u64 frcp64(u64 a) { return bits64(1.0 / value64(a)); }
  static constexpr u64 fsqrt64(u64 a) { return bits64(__builtin_sqrt(value64(a))); }
  static u64 frsq64(u64 a) { return bits64(rsqrt_near(value64(a))); }
  static u64 ffloor64(u64 a) { return bits64(__builtin_floor(value64(a))); }
  static u64 fceil64(u64 a) { return bits64(__builtin_ceil(value64(a))); }
  static u64 ftrunc64(u64 a) { return bits64(__builtin_trunc(value64(a))); }
  static u64 frndne64(u64 a) { return bits64(__builtin_roundeven(value64(a))); }
  static u64 fldexp64(u64 a, u32 exponent) {
    return bits64(std::ldexp(value64(a), static_cast<i32>(exponent)));
  }

  static u32 ffma_scaled32(u32 a, u32 b, u32 c, u32 power) {
    return bits(fma_scaled(value(a), value(b), value(c), static_cast<i32>(power)));
  }
  static u64 ffma_scaled64(u64 a, u64 b, u64 c, u32 power) {
    return bits64(fma_scaled(value64(a), value64(b), value64(c), static_cast<i32>(power)));
  }

  static constexpr u32 u32_to_f32(u32 a) { return bits(static_cast<float>(a)); }
  static constexpr u32 i32_to_f32(u32 a) { return bits(static_cast<float>(static_cast<i32>(a))); }
  static constexpr u64 u32_to_f64(u32 a) { return bits64(static_cast<double>(a)); }
  static constexpr u64 i32_to_f64(u32 a) {
    return bits64(static_cast<double>(static_cast<i32>(a)));
  }
  static constexpr u64 f32_to_f64(u32 a) { return bits64(static_cast<double>(value(a))); }
  static constexpr u32 f64_to_f32(u64 a) { return bits(static_cast<float>(value64(a))); }
  static constexpr u32 f32_to_i32(u32 a) {
    const float f = value(a);
    if (f != f) return 0;
    if (f >= 0x1p31f) return 0x7FFF'FFFF;
    if (f < -0x1p31f) return 0x8000'0000;
    return static_cast<u32>(static_cast<i32>(f));
  }
  static constexpr u32 f32_to_u32(u32 a) {
    const float f = value(a);
    if (!(f > 0)) return 0;
    return f >= 0x1p32f ? ~u32{0} : static_cast<u32>(f);
  }
  static constexpr u32 f64_to_i32(u64 a) {
    const double f = value64(a);
    if (f != f) return 0;
    if (f >= 0x1p31) return 0x7FFF'FFFF;
    if (f <= -0x1p31) return 0x8000'0000;
    return static_cast<u32>(static_cast<i32>(f));
  }
  static constexpr u32 f64_to_u32(u64 a) {
    const double f = value64(a);
    if (!(f > 0)) return 0;
    return f >= 0x1p32 ? ~u32{0} : static_cast<u32>(f);
  }
};

/// The domain that static_asserts use.
using C = Concrete<HostLevel::kBaseline>;

static_assert(C::f16_to_f32(0x3C00) == 0x3F80'0000 && C::f16_to_f32(0xFC00) == 0xFF80'0000);
static_assert(C::f16_to_f32(0x0001) == 0x3380'0000, "the smallest half is 2^-24");
static_assert(C::f32_to_f16(0x3380'0000) == 1 && C::f32_to_f16(0x3300'0000) == 0, "a tie to even");
static_assert(C::f32_to_f16(0x477F'F000) == 0x7C00 && C::f32_to_f16(0x477F'EFFF) == 0x7BFF);
static_assert(C::f32_to_bf16(0x3F80'8000) == 0x3F80 && C::f32_to_bf16(0x3F81'8000) == 0x3F82);

}  // namespace compass::isa
