// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>

#include "driverless/interp/signature.h"
#include "driverless/isa/domain.h"

/// What an instruction of vector memory accesses, found by running its meaning once while
/// compiling.
namespace compass::interp {

/// Memory that only notes how much of it is loaded or stored.
template <class D>
struct AccessSize {
  unsigned load_bytes = 0, store_bytes = 0;

  constexpr isa::U32<D> load8(isa::U64<D>) { return load_bytes = 1, isa::U32<D>{}; }
  constexpr isa::U32<D> load16(isa::U64<D>) { return load_bytes = 2, isa::U32<D>{}; }
  constexpr isa::U32<D> load32(isa::U64<D>) { return load_bytes = 4, isa::U32<D>{}; }
  template <unsigned N>
  constexpr isa::Words<D, N> load(isa::U64<D>) {
    return load_bytes = 4 * N, isa::Words<D, N>{};
  }
  constexpr void store8(isa::U64<D>, isa::U32<D>) { store_bytes = 1; }
  constexpr void store16(isa::U64<D>, isa::U32<D>) { store_bytes = 2; }
  constexpr void store32(isa::U64<D>, isa::U32<D>) { store_bytes = 4; }
  template <unsigned N>
  constexpr void store(isa::U64<D>, const isa::Words<D, N>&) {
    store_bytes = 4 * N;
  }
  /// An atomic is neither a load nor a store.
  template <class V, class F>
  constexpr V update(isa::U64<D>, F) {
    return {};
  }
};

/// Of a lane.
template <auto Meaning, class D>
constexpr AccessSize<D> access_size() {
  constexpr auto kFunction = Meaning.template operator()<D, AccessSize<D>>();
  using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
  AccessSize<D> size;
  std::apply([&](auto... arguments) { static_cast<void>(kFunction(size, arguments...)); },
             typename S::Arguments{});
  return size;
}

}  // namespace compass::interp
