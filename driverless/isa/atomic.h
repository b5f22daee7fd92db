// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"
#include "driverless/isa/float.h"

/// Atomics, in LDS and in memory: what each makes of the old value and its data. V is a U32 or a
/// U64. Manual: CDNA3 ISA, "LDS & GDS instructions", "FLAT, Scratch and Global instructions".
namespace compass::isa {

template <class D, class V>
constexpr V atomic_swap(V, V data) {
  return data;
}
template <class D, class V>
constexpr V atomic_add(V old, V data) {
  return old + data;
}
template <class D, class V>
constexpr V atomic_sub(V old, V data) {
  return old - data;
}
template <class D, class V>
constexpr V atomic_rsub(V old, V data) {
  return data - old;
}
template <class D, class V>
constexpr V atomic_and(V old, V data) {
  return old & data;
}
template <class D, class V>
constexpr V atomic_or(V old, V data) {
  return old | data;
}
template <class D, class V>
constexpr V atomic_xor(V old, V data) {
  return old ^ data;
}
template <class D, class V>
constexpr V atomic_umin(V old, V data) {
  return select(data < old, data, old);
}
template <class D, class V>
constexpr V atomic_umax(V old, V data) {
  return select(data > old, data, old);
}

/// Signed order as unsigned order.
template <class D>
constexpr U32<D> flip_sign(U32<D> a) {
  return a ^ like(a, 0x8000'0000u);
}
template <class D>
constexpr U64<D> flip_sign(U64<D> a) {
  return a ^ like(a, std::uint64_t{1} << 63);
}
template <class D, class V>
constexpr V atomic_smin(V old, V data) {
  return select(flip_sign(data) < flip_sign(old), data, old);
}
template <class D, class V>
constexpr V atomic_smax(V old, V data) {
  return select(flip_sign(data) > flip_sign(old), data, old);
}
/// Counts up to `data` and starts again at 0.
template <class D, class V>
constexpr V atomic_inc(V old, V data) {
  return select(old < data, old + like(old, 1), like(old, 0));
}
/// Counts down to 0 and starts again at `data`, also from above it.
template <class D, class V>
constexpr V atomic_dec(V old, V data) {
  return select((old == like(old, 0)) | (old > data), data, old - like(old, 1));
}
static_assert(atomic_smin<C>(U32<C>{5}, U32<C>{~0u}).rep == ~0u, "-1 is below 5");
static_assert(atomic_inc<C>(U32<C>{7}, U32<C>{7}).rep == 0);
static_assert(atomic_dec<C>(U64<C>{9}, U64<C>{7}).rep == 7);

// Floating point: to nearest even, denormals kept.

template <class D, class V>
constexpr V atomic_add_f32(V old, V data) {
  return bits(fadd(Mode{}, as_f32(old), as_f32(data)));
}
template <class D, class V>
constexpr V atomic_min_f32(V old, V data) {
  return bits(fmin(Mode{}, as_f32(old), as_f32(data)));
}
template <class D, class V>
constexpr V atomic_max_f32(V old, V data) {
  return bits(fmax(Mode{}, as_f32(old), as_f32(data)));
}

template <class D>
constexpr B1<D> is_nan64(U64<D> a) {
  return (a & like(a, ~std::uint64_t{0} >> 1)) > like(a, std::uint64_t{0x7FF} << 52);
}
/// Makes NaNs quiet as float.h does, with the first one before the second.
template <class D>
constexpr U64<D> nan_rule64(U64<D> result, U64<D> a, U64<D> b) {
  U64<D> quiet_bit = like(a, std::uint64_t{1} << 51);
  U64<D> made = select(is_nan64(result), like(a, std::uint64_t{0x7FF8} << 48), result);
  return select(is_nan64(a), a | quiet_bit, select(is_nan64(b), b | quiet_bit, made));
}
template <class D, class V>
constexpr V atomic_add_f64(V old, V data) {
  return nan_rule64(V{D::fadd64(old.rep, data.rep)}, old, data);
}
/// The smaller one; a number before a NaN, -0 before +0.
template <class D, class V>
constexpr V atomic_min_f64(V old, V data) {
  V number = select(B1<D>{D::flt64(data.rep, old.rep)}, data,
                    select(B1<D>{D::feq64(data.rep, old.rep)}, old | data, old));
  V one = select(is_nan64(old), data, select(is_nan64(data), old, number));
  return select(is_nan64(old) & is_nan64(data), nan_rule64(old, old, data), one);
}
/// The greater one; a number before a NaN, +0 before -0.
template <class D, class V>
constexpr V atomic_max_f64(V old, V data) {
  V number = select(B1<D>{D::flt64(old.rep, data.rep)}, data,
                    select(B1<D>{D::feq64(data.rep, old.rep)}, old & data, old));
  V one = select(is_nan64(old), data, select(is_nan64(data), old, number));
  return select(is_nan64(old) & is_nan64(data), nan_rule64(old, old, data), one);
}

// Both halves, each on its own. A sum of two halves in single precision rounds once more without
// harm: 24 bits are more than twice 11 and two.

template <class D>
constexpr U32<D> add_f16(U32<D> a, U32<D> b) {
  F32<D> sum = fadd(Mode{}, F32<D>{D::f16_to_f32(a.rep)}, F32<D>{D::f16_to_f32(b.rep)});
  return {D::f32_to_f16(sum.rep)};
}
template <class D>
constexpr U32<D> add_bf16(U32<D> a, U32<D> b) {
  U32<D> sixteen = like(a, 16u);
  F32<D> sum = fadd(Mode{}, as_f32(a << sixteen), as_f32(b << sixteen));
  return {D::f32_to_bf16(sum.rep)};
}
template <class D, class V>
constexpr V atomic_pk_add_f16(V old, V data) {
  V low = like(old, 0xFFFFu), sixteen = like(old, 16u);
  return add_f16<D>(old & low, data & low) | add_f16<D>(old >> sixteen, data >> sixteen) << sixteen;
}
template <class D, class V>
constexpr V atomic_pk_add_bf16(V old, V data) {
  V low = like(old, 0xFFFFu), sixteen = like(old, 16u);
  return add_bf16<D>(old & low, data & low) | add_bf16<D>(old >> sixteen, data >> sixteen)
                                                  << sixteen;
}
static_assert(atomic_pk_add_f16<C>(U32<C>{0x3C00'0001}, U32<C>{0x3C00'0001}).rep == 0x4000'0002);
static_assert(atomic_pk_add_bf16<C>(U32<C>{0x3F80'3F80}, U32<C>{0x3F80'3B80}).rep == 0x4000'3F80,
              "1 + 2^-8 is a tie");
static_assert(atomic_min_f64<C>(U64<C>{0}, U64<C>{std::uint64_t{1} << 63}).rep >> 63 == 1);

/// The access: gives the old value.
template <class D, class Memory, class Address, class V, auto Change>
constexpr V atomic_update(Memory& memory, Address address, V data) {
  return memory.template update<V>(address, [data](V old) { return Change(old, data); });
}
/// The same in LDS, where instructions carry an offset.
template <class D, class Lds, class V, auto Change>
constexpr V ds_update(Lds& lds, U32<D> addr, V data, U32<D> offset) {
  return atomic_update<D, Lds, U32<D>, V, Change>(lds, addr + offset, data);
}

/// ATOMIC_CMPSWAP. The first word replaces the old value if the second equals it.
template <class D, class Memory>
constexpr U32<D> atomic_cmpswap(Memory& memory, U64<D> address, Words<D, 2> data) {
  return memory.template update<U32<D>>(
      address, [data](U32<D> old) { return select(old == data.word[1], data.word[0], old); });
}
template <class D>
constexpr U64<D> join(U32<D> low, U32<D> high) {
  return zext64(low) | zext64(high) << like(zext64(high), std::uint64_t{32});
}
template <class D, class Memory>
constexpr U64<D> atomic_cmpswap_x2(Memory& memory, U64<D> address, Words<D, 4> data) {
  U64<D> replacement = join(data.word[0], data.word[1]);
  U64<D> expected = join(data.word[2], data.word[3]);
  return memory.template update<U64<D>>(address, [replacement, expected](U64<D> old) {
    return select(old == expected, replacement, old);
  });
}
/// DS_CMPST. The second data replaces the old value if the first equals it.
template <class D, class Lds, class V>
constexpr V ds_compare_store(Lds& lds, U32<D> addr, V compare, V data, U32<D> offset) {
  return lds.template update<V>(
      addr + offset, [compare, data](V old) { return select(old == compare, data, old); });
}

}  // namespace compass::isa
