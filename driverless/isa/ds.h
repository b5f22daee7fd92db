// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"
#include "driverless/isa/vector_memory.h"

/// DS: LDS, by byte address within the workgroup's segment. Manual: CDNA3 ISA, "LDS & GDS
/// instructions".
namespace compass::isa {

template <class D, class Lds>
constexpr U32<D> ds_read_u8(Lds& lds, U32<D> addr, U32<D> offset) {
  return lds.load8(addr + offset);
}
template <class D, class Lds>
constexpr U32<D> ds_read_i8(Lds& lds, U32<D> addr, U32<D> offset) {
  return sign_extend(lds.load8(addr + offset), 8);
}
template <class D, class Lds>
constexpr U32<D> ds_read_u16(Lds& lds, U32<D> addr, U32<D> offset) {
  return lds.load16(addr + offset);
}
template <class D, class Lds>
constexpr U32<D> ds_read_i16(Lds& lds, U32<D> addr, U32<D> offset) {
  return sign_extend(lds.load16(addr + offset), 16);
}
template <class D, class Lds>
constexpr U32<D> ds_read_b32(Lds& lds, U32<D> addr, U32<D> offset) {
  return lds.load32(addr + offset);
}
template <class D, class Lds>
constexpr Words<D, 2> ds_read_b64(Lds& lds, U32<D> addr, U32<D> offset) {
  return lds.template load<2>(addr + offset);
}
template <class D, class Lds>
constexpr Words<D, 3> ds_read_b96(Lds& lds, U32<D> addr, U32<D> offset) {
  return lds.template load<3>(addr + offset);
}
template <class D, class Lds>
constexpr Words<D, 4> ds_read_b128(Lds& lds, U32<D> addr, U32<D> offset) {
  return lds.template load<4>(addr + offset);
}
template <class D, class Lds>
constexpr void ds_write_b8(Lds& lds, U32<D> addr, U32<D> data, U32<D> offset) {
  lds.store8(addr + offset, data);
}
template <class D, class Lds>
constexpr void ds_write_b16(Lds& lds, U32<D> addr, U32<D> data, U32<D> offset) {
  lds.store16(addr + offset, data);
}
template <class D, class Lds>
constexpr void ds_write_b32(Lds& lds, U32<D> addr, U32<D> data, U32<D> offset) {
  lds.store32(addr + offset, data);
}
template <class D, class Lds>
constexpr void ds_write_b64(Lds& lds, U32<D> addr, Words<D, 2> data, U32<D> offset) {
  lds.store(addr + offset, data);
}
template <class D, class Lds>
constexpr void ds_write_b96(Lds& lds, U32<D> addr, Words<D, 3> data, U32<D> offset) {
  lds.store(addr + offset, data);
}
template <class D, class Lds>
constexpr void ds_write_b128(Lds& lds, U32<D> addr, Words<D, 4> data, U32<D> offset) {
  lds.store(addr + offset, data);
}

/// The address of the `offset`-th element of `bytes` bytes from `addr`.
template <class D>
constexpr U32<D> element(U32<D> addr, U32<D> offset, std::uint32_t bytes) {
  return addr + offset * like(offset, bytes);
}
template <class D, class Lds>
constexpr Words<D, 2> ds_read2_b32(Lds& lds, U32<D> addr, U32<D> offset0, U32<D> offset1) {
  return {lds.load32(element(addr, offset0, 4)), lds.load32(element(addr, offset1, 4))};
}
template <class D, class Lds>
constexpr Words<D, 4> ds_read2_b64(Lds& lds, U32<D> addr, U32<D> offset0, U32<D> offset1) {
  Words<D, 2> first = lds.template load<2>(element(addr, offset0, 8));
  Words<D, 2> second = lds.template load<2>(element(addr, offset1, 8));
  return {first.word[0], first.word[1], second.word[0], second.word[1]};
}
template <class D, class Lds>
constexpr Words<D, 2> ds_read2st64_b32(Lds& lds, U32<D> addr, U32<D> offset0, U32<D> offset1) {
  return {lds.load32(element(addr, offset0, 256)), lds.load32(element(addr, offset1, 256))};
}
template <class D, class Lds>
constexpr Words<D, 4> ds_read2st64_b64(Lds& lds, U32<D> addr, U32<D> offset0, U32<D> offset1) {
  Words<D, 2> first = lds.template load<2>(element(addr, offset0, 512));
  Words<D, 2> second = lds.template load<2>(element(addr, offset1, 512));
  return {first.word[0], first.word[1], second.word[0], second.word[1]};
}
template <class D, class Lds>
constexpr void ds_write2_b32(Lds& lds, U32<D> addr, U32<D> data0, U32<D> data1, U32<D> offset0,
                             U32<D> offset1) {
  lds.store32(element(addr, offset0, 4), data0);
  lds.store32(element(addr, offset1, 4), data1);
}
template <class D, class Lds>
constexpr void ds_write2_b64(Lds& lds, U32<D> addr, Words<D, 2> data0, Words<D, 2> data1,
                             U32<D> offset0, U32<D> offset1) {
  lds.store(element(addr, offset0, 8), data0);
  lds.store(element(addr, offset1, 8), data1);
}
template <class D, class Lds>
constexpr void ds_write2st64_b32(Lds& lds, U32<D> addr, U32<D> data0, U32<D> data1, U32<D> offset0,
                                 U32<D> offset1) {
  lds.store32(element(addr, offset0, 256), data0);
  lds.store32(element(addr, offset1, 256), data1);
}
template <class D, class Lds>
constexpr void ds_write2st64_b64(Lds& lds, U32<D> addr, Words<D, 2> data0, Words<D, 2> data1,
                                 U32<D> offset0, U32<D> offset1) {
  lds.store(element(addr, offset0, 512), data0);
  lds.store(element(addr, offset1, 512), data1);
}

// Parts of registers.
template <class D, class Lds>
constexpr U32<D> ds_read_u8_d16(Lds& lds, U32<D> addr, U32<D> offset, U32<D> vdst) {
  return into_low(vdst, lds.load8(addr + offset));
}
template <class D, class Lds>
constexpr U32<D> ds_read_u8_d16_hi(Lds& lds, U32<D> addr, U32<D> offset, U32<D> vdst) {
  return into_high(vdst, lds.load8(addr + offset));
}
template <class D, class Lds>
constexpr U32<D> ds_read_i8_d16(Lds& lds, U32<D> addr, U32<D> offset, U32<D> vdst) {
  return into_low(vdst, sign_extend(lds.load8(addr + offset), 8));
}
template <class D, class Lds>
constexpr U32<D> ds_read_i8_d16_hi(Lds& lds, U32<D> addr, U32<D> offset, U32<D> vdst) {
  return into_high(vdst, sign_extend(lds.load8(addr + offset), 8));
}
template <class D, class Lds>
constexpr U32<D> ds_read_u16_d16(Lds& lds, U32<D> addr, U32<D> offset, U32<D> vdst) {
  return into_low(vdst, lds.load16(addr + offset));
}
template <class D, class Lds>
constexpr U32<D> ds_read_u16_d16_hi(Lds& lds, U32<D> addr, U32<D> offset, U32<D> vdst) {
  return into_high(vdst, lds.load16(addr + offset));
}
template <class D, class Lds>
constexpr void ds_write_b8_d16_hi(Lds& lds, U32<D> addr, U32<D> data, U32<D> offset) {
  lds.store8(addr + offset, data >> like(data, 16u));
}
template <class D, class Lds>
constexpr void ds_write_b16_d16_hi(Lds& lds, U32<D> addr, U32<D> data, U32<D> offset) {
  lds.store16(addr + offset, data >> like(data, 16u));
}

}  // namespace compass::isa
