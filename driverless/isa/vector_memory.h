// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"

/// GLOBAL, FLAT, SCRATCH and MUBUF: one access a lane. The encodings differ in how frames form a
/// lane's address and in what memory is; the instructions are the same. Manual: CDNA3 ISA, "FLAT,
/// Scratch and Global instructions" and "MUBUF instructions".
namespace compass::isa {

template <class D, class Memory>
constexpr U32<D> load_ubyte(Memory& memory, U64<D> address) {
  return memory.load8(address);
}
template <class D, class Memory>
constexpr U32<D> load_sbyte(Memory& memory, U64<D> address) {
  return sign_extend(memory.load8(address), 8);
}
template <class D, class Memory>
constexpr U32<D> load_ushort(Memory& memory, U64<D> address) {
  return memory.load16(address);
}
template <class D, class Memory>
constexpr U32<D> load_sshort(Memory& memory, U64<D> address) {
  return sign_extend(memory.load16(address), 16);
}
template <class D, class Memory>
constexpr U32<D> load_dword(Memory& memory, U64<D> address) {
  return memory.load32(address);
}
template <class D, class Memory>
constexpr Words<D, 2> load_dwordx2(Memory& memory, U64<D> address) {
  return memory.template load<2>(address);
}
template <class D, class Memory>
constexpr Words<D, 3> load_dwordx3(Memory& memory, U64<D> address) {
  return memory.template load<3>(address);
}
template <class D, class Memory>
constexpr Words<D, 4> load_dwordx4(Memory& memory, U64<D> address) {
  return memory.template load<4>(address);
}

/// `half` into the low half of `old`; the high half stays.
template <class D>
constexpr U32<D> into_low(U32<D> old, U32<D> half) {
  return (old & like(old, 0xFFFF'0000u)) | (half & like(half, 0xFFFFu));
}
/// `half` into the high half of `old`; the low half stays.
template <class D>
constexpr U32<D> into_high(U32<D> old, U32<D> half) {
  return (old & like(old, 0xFFFFu)) | (half << like(half, 16u));
}
static_assert(into_low(U32<C>{0x1234'5678}, U32<C>{0xFFFF'FF80}).rep == 0x1234'FF80);
static_assert(into_high(U32<C>{0x1234'5678}, U32<C>{0xFFFF'FF80}).rep == 0xFF80'5678);

template <class D, class Memory>
constexpr U32<D> load_ubyte_d16(Memory& memory, U64<D> address, U32<D> vdst) {
  return into_low(vdst, memory.load8(address));
}
template <class D, class Memory>
constexpr U32<D> load_ubyte_d16_hi(Memory& memory, U64<D> address, U32<D> vdst) {
  return into_high(vdst, memory.load8(address));
}
template <class D, class Memory>
constexpr U32<D> load_sbyte_d16(Memory& memory, U64<D> address, U32<D> vdst) {
  return into_low(vdst, sign_extend(memory.load8(address), 8));
}
template <class D, class Memory>
constexpr U32<D> load_sbyte_d16_hi(Memory& memory, U64<D> address, U32<D> vdst) {
  return into_high(vdst, sign_extend(memory.load8(address), 8));
}
template <class D, class Memory>
constexpr U32<D> load_short_d16(Memory& memory, U64<D> address, U32<D> vdst) {
  return into_low(vdst, memory.load16(address));
}
template <class D, class Memory>
constexpr U32<D> load_short_d16_hi(Memory& memory, U64<D> address, U32<D> vdst) {
  return into_high(vdst, memory.load16(address));
}

template <class D, class Memory>
constexpr void store_byte(Memory& memory, U64<D> address, U32<D> data) {
  memory.store8(address, data);
}
template <class D, class Memory>
constexpr void store_byte_d16_hi(Memory& memory, U64<D> address, U32<D> data) {
  memory.store8(address, data >> like(data, 16u));
}
template <class D, class Memory>
constexpr void store_short(Memory& memory, U64<D> address, U32<D> data) {
  memory.store16(address, data);
}
template <class D, class Memory>
constexpr void store_short_d16_hi(Memory& memory, U64<D> address, U32<D> data) {
  memory.store16(address, data >> like(data, 16u));
}
template <class D, class Memory>
constexpr void store_dword(Memory& memory, U64<D> address, U32<D> data) {
  memory.store32(address, data);
}
template <class D, class Memory>
constexpr void store_dwordx2(Memory& memory, U64<D> address, Words<D, 2> data) {
  memory.store(address, data);
}
template <class D, class Memory>
constexpr void store_dwordx3(Memory& memory, U64<D> address, Words<D, 3> data) {
  memory.store(address, data);
}
template <class D, class Memory>
constexpr void store_dwordx4(Memory& memory, U64<D> address, Words<D, 4> data) {
  memory.store(address, data);
}

}  // namespace compass::isa
