// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"

/// What scalar operations return: a value and SCC.
namespace compass::isa {

template <class D, class V>
struct ValueAndScc {
  V sdst;
  B1<D> scc;
};

template <class D>
constexpr ValueAndScc<D, U32<D>> and_nonzero(U32<D> value) {
  return {.sdst = value, .scc = value != like(value, 0u)};
}
template <class D>
constexpr ValueAndScc<D, U64<D>> and_nonzero(U64<D> value) {
  return {.sdst = value, .scc = value != like(value, std::uint64_t{0})};
}

}  // namespace compass::isa
