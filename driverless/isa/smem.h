// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// SMEM: scalar loads. The address is dword-aligned by dropping its two lowest bits. Manual: CDNA3
/// ISA, "SMEM instructions".
namespace compass::isa {

template <class D>
constexpr U64<D> scalar_address(U64<D> base, U64<D> soffset, U32<D> offset) {
  U64<D> sum = base + soffset + sext64(offset);
  return sum & like(sum, ~std::uint64_t{3});
}

template <class D, class Memory>
constexpr U32<D> s_load_dword(Memory& memory, U64<D> base, U64<D> soffset, U32<D> offset) {
  return memory.load32(scalar_address(base, soffset, offset));
}
template <class D, class Memory>
constexpr Words<D, 2> s_load_dwordx2(Memory& memory, U64<D> base, U64<D> soffset, U32<D> offset) {
  return memory.template load<2>(scalar_address(base, soffset, offset));
}
template <class D, class Memory>
constexpr Words<D, 4> s_load_dwordx4(Memory& memory, U64<D> base, U64<D> soffset, U32<D> offset) {
  return memory.template load<4>(scalar_address(base, soffset, offset));
}
template <class D, class Memory>
constexpr Words<D, 8> s_load_dwordx8(Memory& memory, U64<D> base, U64<D> soffset, U32<D> offset) {
  return memory.template load<8>(scalar_address(base, soffset, offset));
}
template <class D, class Memory>
constexpr Words<D, 16> s_load_dwordx16(Memory& memory, U64<D> base, U64<D> soffset, U32<D> offset) {
  return memory.template load<16>(scalar_address(base, soffset, offset));
}

// From a buffer: `buffer` checks each word against the descriptor.

template <class D, class Buffer>
constexpr U32<D> s_buffer_load_dword(Buffer& buffer, Words<D, 4> v, U64<D> soffset, U32<D> offset) {
  return buffer.template load<1>(v, scalar_address(U64<D>{}, soffset, offset)).word[0];
}
template <class D, class Buffer>
constexpr Words<D, 2> s_buffer_load_dwordx2(Buffer& buffer, Words<D, 4> v, U64<D> soffset,
                                            U32<D> offset) {
  return buffer.template load<2>(v, scalar_address(U64<D>{}, soffset, offset));
}
template <class D, class Buffer>
constexpr Words<D, 4> s_buffer_load_dwordx4(Buffer& buffer, Words<D, 4> v, U64<D> soffset,
                                            U32<D> offset) {
  return buffer.template load<4>(v, scalar_address(U64<D>{}, soffset, offset));
}
template <class D, class Buffer>
constexpr Words<D, 8> s_buffer_load_dwordx8(Buffer& buffer, Words<D, 4> v, U64<D> soffset,
                                            U32<D> offset) {
  return buffer.template load<8>(v, scalar_address(U64<D>{}, soffset, offset));
}
template <class D, class Buffer>
constexpr Words<D, 16> s_buffer_load_dwordx16(Buffer& buffer, Words<D, 4> v, U64<D> soffset,
                                              U32<D> offset) {
  return buffer.template load<16>(v, scalar_address(U64<D>{}, soffset, offset));
}

// Clocks: `clock` counts its readings, so that every run sees the same times.

template <class D, class Clock>
constexpr U64<D> s_memtime(Clock& clock) {
  return clock.read();
}
template <class D, class Clock>
constexpr U64<D> s_memrealtime(Clock& clock) {
  return clock.read();
}

}  // namespace compass::isa
