// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"

/// DS permutes: no memory, but other lanes' data through the same unit. Manual: CDNA3 ISA, "LDS &
/// GDS instructions".
namespace compass::isa {

/// The lane that a byte address names, modulo 64 lanes.
template <class D>
constexpr U32<D> lane_of(U32<D> addr, U32<D> offset) {
  return ((addr + offset) >> like(addr, 2u)) & like(addr, 63u);
}

// Pulling: `source` gives the data register of any lane, 0 where that lane is off.

/// DS_BPERMUTE_B32. Each lane gets the data of the lane that its address names.
template <class D, class Lanes>
constexpr U32<D> ds_bpermute_b32(Lanes& source, U32<D> addr, U32<D> offset) {
  return source.lane(lane_of(addr, offset));
}

/// The lane that DS_SWIZZLE_B32 reads for `lane`: with bit 15 of the pattern one of its four
/// neighbours, two bits for each; else its number within 32 lanes through three masks.
template <class D>
constexpr U32<D> swizzled_lane(U32<D> lane, U32<D> pattern) {
  U32<D> field = like(lane, 31u);
  U32<D> masked = lane & pattern & field;
  U32<D> set = masked | ((pattern >> like(lane, 5u)) & field);
  U32<D> flipped = set ^ ((pattern >> like(lane, 10u)) & field);
  U32<D> in_quad = (pattern >> ((lane & like(lane, 3u)) << like(lane, 1u))) & like(lane, 3u);
  U32<D> is_quad = pattern & like(lane, 0x8000u);
  return select(is_quad != like(lane, 0u), (lane & like(lane, ~3u)) | in_quad,
                (lane & like(lane, ~31u)) | flipped);
}
static_assert(swizzled_lane(U32<C>{35}, U32<C>{0x401F}).rep == 51, "swap by 16");
static_assert(swizzled_lane(U32<C>{6}, U32<C>{0x8000 | 0b00'01'10'11}).rep == 5);
static_assert(swizzled_lane(U32<C>{45}, U32<C>{0x78}).rep == 43, "lane 3 of each eight");

/// DS_SWIZZLE_B32.
template <class D, class Lanes>
constexpr U32<D> ds_swizzle_b32(Lanes& source, U32<D> lane, U32<D> offset) {
  return source.lane(swizzled_lane(lane, offset));
}

/// DS_PERMUTE_B32, pushing. The lane to which a lane's data goes. Of several lanes with one target
/// the highest wins; a lane to which none sends gets 0.
template <class D>
constexpr U32<D> ds_permute_b32(U32<D> addr, U32<D> offset) {
  return lane_of(addr, offset);
}

}  // namespace compass::isa
