// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/domain.h"

/// Operations between a register's lanes and scalars; EXEC only says which lane is first. Manual:
/// CDNA3 ISA, "VOP1 instructions", "VOP3A instructions".
namespace compass::isa {

/// V_READFIRSTLANE_B32. The first active lane, or lane 0.
template <class D, class Lanes>
constexpr U32<D> v_readfirstlane_b32(Lanes& lanes) {
  return lanes.read(lanes.first_active());
}
template <class D, class Lanes>
constexpr U32<D> v_readlane_b32(Lanes& lanes, U32<D> s1) {
  return lanes.read(s1 & like(s1, 63u));
}
template <class D, class Lanes>
constexpr void v_writelane_b32(Lanes& lanes, U32<D> s0, U32<D> s1) {
  lanes.write(s1 & like(s1, 63u), s0);
}

}  // namespace compass::isa
