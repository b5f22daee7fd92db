// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"

/// Buffers: addresses within what a descriptor of four SGPRs (V#) describes. Manual: CDNA3 ISA,
/// "Vector Memory Buffer Instructions".
namespace compass::isa {

/// What a descriptor says, as far as linear buffers need it.
template <class D>
struct BufferDescriptor {
  U64<D> base;
  U32<D> stride;
  U32<D> num_records;  ///< bytes, or elements of `stride` bytes where that is not 0
  /// It asks for swizzling, or that the lane's number be added to the index.
  B1<D> is_special;
};

template <class D>
constexpr BufferDescriptor<D> buffer_descriptor(Words<D, 4> v) {
  U32<D> upper = v.word[1];
  U64<D> high = zext64(upper & like(upper, 0xFFFFu)) << like(U64<D>{}, std::uint64_t{32});
  U32<D> special = (upper & like(upper, 0x8000'0000u)) |     // swizzle enable
                   (v.word[3] & like(upper, 0x0080'0000u));  // add tid enable
  return {.base = zext64(v.word[0]) | high,
          .stride = (upper >> like(upper, 16u)) & like(upper, 0x3FFFu),
          .num_records = v.word[2],
          .is_special = special != like(upper, 0u)};
}

/// Where in a buffer a lane's access is. `offset` holds everything but the scalar offset.
template <class D>
struct BufferPlace {
  U32<D> index;
  U32<D> offset;
};

/// Whether one word or less at `place` must not be touched: loads give 0, stores do nothing. With a
/// stride the index decides, and the offset too where there is an index at all.
template <class D>
constexpr B1<D> buffer_out_of_range(const BufferDescriptor<D>& buffer, BufferPlace<D> place,
                                    U32<D> soffset, B1<D> has_index) {
  B1<D> is_raw = buffer.stride == like(buffer.stride, 0u);
  B1<D> has_stride = !is_raw;
  B1<D> beyond_bytes = !(zext64(place.offset) + zext64(soffset) < zext64(buffer.num_records));
  B1<D> beyond_elements = !(place.index < buffer.num_records);
  B1<D> beyond_stride = has_index & !(place.offset < buffer.stride);
  return (is_raw & beyond_bytes) | (has_stride & (beyond_elements | beyond_stride));
}

template <class D>
constexpr U64<D> buffer_address(const BufferDescriptor<D>& buffer, BufferPlace<D> place,
                                U32<D> soffset) {
  return buffer.base + zext64(soffset) + zext64(place.offset) +
         zext64(place.index) * zext64(buffer.stride);
}

/// One past the last byte that a scalar load may touch, from the base.
template <class D>
constexpr U64<D> scalar_buffer_bytes(const BufferDescriptor<D>& buffer) {
  B1<D> is_raw = buffer.stride == like(buffer.stride, 0u);
  U64<D> records = zext64(buffer.num_records);
  return select(is_raw, records, records * zext64(buffer.stride));
}

inline constexpr BufferDescriptor<C> kRawBuffer = buffer_descriptor(
    Words<C, 4>{U32<C>{0x1000}, U32<C>{0x7F}, U32<C>{0x7FFF'FFFE}, U32<C>{0x27000}});
static_assert(kRawBuffer.base.rep == 0x7F'0000'1000 && kRawBuffer.stride.rep == 0);
static_assert(!kRawBuffer.is_special.rep);
static_assert(
    buffer_out_of_range(kRawBuffer, {U32<C>{0}, U32<C>{0x8000'0000}}, U32<C>{0}, B1<C>{false}).rep,
    "how Triton masks a lane");
static_assert(!buffer_out_of_range(kRawBuffer, {U32<C>{0}, U32<C>{0x7FFF'FFF0}}, U32<C>{8},
                                   B1<C>{false})
                   .rep);
inline constexpr BufferDescriptor<C> kElements =
    buffer_descriptor(Words<C, 4>{U32<C>{0}, U32<C>{12 << 16}, U32<C>{5}, U32<C>{0}});
static_assert(buffer_out_of_range(kElements, {U32<C>{5}, U32<C>{0}}, U32<C>{0}, B1<C>{true}).rep);
static_assert(buffer_out_of_range(kElements, {U32<C>{4}, U32<C>{12}}, U32<C>{0}, B1<C>{true}).rep);
static_assert(buffer_address(kElements, {U32<C>{4}, U32<C>{8}}, U32<C>{100}).rep == 156);

}  // namespace compass::isa
