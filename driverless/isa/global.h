// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// GLOBAL: one access a lane, to the address that frames form from vector address, scalar base and
/// offset. Manual: CDNA3 ISA, "FLAT, Scratch and Global instructions".
namespace compass::isa {

template <class D, class Memory>
constexpr U32<D> global_load_ubyte(Memory& memory, U64<D> address) {
  return memory.load8(address);
}
template <class D, class Memory>
constexpr U32<D> global_load_ushort(Memory& memory, U64<D> address) {
  return memory.load16(address);
}
template <class D, class Memory>
constexpr U32<D> global_load_dword(Memory& memory, U64<D> address) {
  return memory.load32(address);
}
template <class D, class Memory>
constexpr U32<D> global_load_sbyte(Memory& memory, U64<D> address) {
  return sign_extend(memory.load8(address), 8);
}
template <class D, class Memory>
constexpr U32<D> global_load_sshort(Memory& memory, U64<D> address) {
  return sign_extend(memory.load16(address), 16);
}
template <class D, class Memory>
constexpr Words<D, 2> global_load_dwordx2(Memory& memory, U64<D> address) {
  return memory.template load<2>(address);
}
template <class D, class Memory>
constexpr Words<D, 3> global_load_dwordx3(Memory& memory, U64<D> address) {
  return memory.template load<3>(address);
}
template <class D, class Memory>
constexpr Words<D, 4> global_load_dwordx4(Memory& memory, U64<D> address) {
  return memory.template load<4>(address);
}
/// Loads into the low half; the high half stays.
template <class D, class Memory>
constexpr U32<D> global_load_short_d16(Memory& memory, U64<D> address, U32<D> vdst) {
  return (vdst & like(vdst, 0xFFFF'0000u)) | memory.load16(address);
}
/// Loads into the high half; the low half stays.
template <class D, class Memory>
constexpr U32<D> global_load_short_d16_hi(Memory& memory, U64<D> address, U32<D> vdst) {
  return (vdst & like(vdst, 0xFFFFu)) | (memory.load16(address) << like(vdst, 16u));
}
template <class D, class Memory>
constexpr void global_store_byte(Memory& memory, U64<D> address, U32<D> data) {
  memory.store8(address, data);
}
template <class D, class Memory>
constexpr void global_store_short(Memory& memory, U64<D> address, U32<D> data) {
  memory.store16(address, data);
}
template <class D, class Memory>
constexpr void global_store_dword(Memory& memory, U64<D> address, U32<D> data) {
  memory.store32(address, data);
}
template <class D, class Memory>
constexpr void global_store_byte_d16_hi(Memory& memory, U64<D> address, U32<D> data) {
  memory.store8(address, data >> like(data, 16u));
}
template <class D, class Memory>
constexpr void global_store_short_d16_hi(Memory& memory, U64<D> address, U32<D> data) {
  memory.store16(address, data >> like(data, 16u));
}
template <class D, class Memory>
constexpr void global_store_dwordx2(Memory& memory, U64<D> address, Words<D, 2> data) {
  memory.store(address, data);
}
template <class D, class Memory>
constexpr void global_store_dwordx3(Memory& memory, U64<D> address, Words<D, 3> data) {
  memory.store(address, data);
}
template <class D, class Memory>
constexpr void global_store_dwordx4(Memory& memory, U64<D> address, Words<D, 4> data) {
  memory.store(address, data);
}

}  // namespace compass::isa
