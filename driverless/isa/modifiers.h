// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/convert.h"

/// What instructions of many kinds may do to their sources and results. Manual: CDNA3 ISA, "SDWA",
/// "DPP", "Output modifiers". (Output multipliers are ignored while MODE asks for IEEE rules, hence
/// always.)
namespace compass::isa {

/// A part of a register, by SDWA's codes.
enum class Part : std::uint8_t { kByte0, kByte1, kByte2, kByte3, kWord0, kWord1, kDword };
/// What becomes of the rest of a destination of which a part is written.
enum class Rest : std::uint8_t { kZeros, kSigns, kOld };

constexpr unsigned part_width(Part part) {
  return part == Part::kDword ? 32 : part >= Part::kWord0 ? 16 : 8;
}
constexpr unsigned part_shift(Part part) {
  if (part == Part::kDword) return 0;
  return part >= Part::kWord0 ? 16 * (static_cast<unsigned>(part) - 4)
                              : 8 * static_cast<unsigned>(part);
}

/// The part of a source.
template <class D>
constexpr U32<D> extract_part(U32<D> a, Part part) {
  U32<D> moved = a >> like(a, part_shift(part));
  return moved & like(a, ~0u >> (32 - part_width(part)));
}
template <class D>
constexpr U32<D> extract_signed_part(U32<D> a, Part part) {
  return sign_extend(a >> like(a, part_shift(part)), part_width(part));
}
/// A destination that held `old` after `value` went into its part.
template <class D>
constexpr U32<D> insert_part(U32<D> value, U32<D> old, Part part, Rest rest) {
  if (part == Part::kDword) return value;
  const unsigned width = part_width(part), shift = part_shift(part);
  const std::uint32_t ones = ~0u >> (32 - width);
  if (rest == Rest::kSigns) return sign_extend(value, width) << like(value, shift);
  U32<D> placed = (value & like(value, ones)) << like(value, shift);
  return rest == Rest::kZeros ? placed : placed | (old & like(old, ~(ones << shift)));
}
static_assert(extract_signed_part(U32<C>{0x0080'0000}, Part::kByte2).rep == 0xFFFF'FF80);
static_assert(insert_part(U32<C>{0x1'2345}, U32<C>{~0u}, Part::kWord1, Rest::kOld).rep ==
              0x2345'FFFF);
static_assert(insert_part(U32<C>{0x80}, U32<C>{0}, Part::kByte1, Rest::kSigns).rep == 0xFFFF'8000);

/// Between 0 and 1; NaN gives 0 or, without DX10_CLAMP, stays.
template <class V>
constexpr V clamp(const Mode& mode, V a) {
  V zero = like(a, FloatBits<V>{0}), one = like(a, FloatFields<V>::kOne);
  V inside = select(flt(zero, a), select(flt(a, one), a, one), zero);
  return mode.clamp_makes_nan_zero ? inside : select(is_nan(a), a, inside);
}
static_assert(clamp(Mode{}, F32<C>{0x7FC0'0000}).rep == 0 &&
              clamp(Mode{}, F16<C>{0x4000}).rep == 0x3C00);

/// The lane from which DPP control `control` gives `lane` its data, or kNoLane.
inline constexpr unsigned kNoLane = 0xFF;
constexpr unsigned dpp_source_lane(unsigned control, unsigned lane) {
  const unsigned row = lane & ~15u, place = lane & 15, count = control & 15;
  if (control <= 0xFF) return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
  switch (control & 0x1F0) {
    case 0x100:
      return place + count < 16 ? lane + count : kNoLane;
    case 0x110:
      return place >= count ? lane - count : kNoLane;
    case 0x120:
      return row | ((place - count) & 15);
    case 0x150:
      return row | count;
    default:
      break;
  }
  switch (control) {
    case 0x130:
      return lane < 63 ? lane + 1 : kNoLane;
    case 0x134:
      return (lane + 1) & 63;
    case 0x138:
      return lane > 0 ? lane - 1 : kNoLane;
    case 0x13C:
      return (lane - 1) & 63;
    case 0x140:
      return row | (15 - place);
    case 0x141:
      return lane ^ 7;
    case 0x142:
      return row > 0 ? row - 1 : kNoLane;
    case 0x143:
      return lane >= 32 ? 31 : kNoLane;
    default:
      return kNoLane;
  }
}
static_assert(dpp_source_lane(0x1B, 5) == 6, "quad_perm:[3,2,1,0]");
static_assert(dpp_source_lane(0x111, 16) == kNoLane && dpp_source_lane(0x111, 17) == 16,
              "row_shr:1");
static_assert(dpp_source_lane(0x121, 16) == 31, "row_ror:1");
static_assert(dpp_source_lane(0x142, 40) == 31 && dpp_source_lane(0x143, 63) == 31);

}  // namespace compass::isa
