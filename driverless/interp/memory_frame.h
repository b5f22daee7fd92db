// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "driverless/interp/access.h"
#include "driverless/interp/fetch.h"
#include "driverless/interp/scalar_frame.h"
#include "driverless/interp/signature.h"

/// Operations with effects on memory or other lanes: lane by lane, in the order of lanes.
namespace compass::interp {

/// The address of each lane: vector address (source `source`), scalar base and offset.
struct GlobalAddresses {
  std::uint64_t lane[kLanes];

  GlobalAddresses(const Wavefront& wave, const Op& op, const Source& source);
};

template <class Tuple>
struct SourcesOf;
template <class... V>
struct SourcesOf<std::tuple<V...>> {
  using type = std::tuple<SourceRows<V>...>;
};

/// Calls the meaning for every active lane; `before(lane)` sets the effect's lane, `source<I>(lane)`
/// reads a source.
template <class S, isa::Places Results, class F, class Effect, class Read>
void for_each_active_lane(Wavefront& wave, const Op& op, F function, Effect& effect, Read read) {
  constexpr auto kArguments = std::make_index_sequence<S::kArguments>();
  for (std::uint64_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto call = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return function(effect, read(std::integral_constant<std::size_t, I>(), lane)...);
    };
    if constexpr (requires { effect.lane = lane; }) effect.lane = lane;
    if constexpr (Results.count == 0) {
      call(kArguments);
    } else {
      static_assert(Results.count == 1);
      const auto value = call(kArguments);
      using V = std::remove_const_t<decltype(value)>;
      for (unsigned n = 0; n < ValueRows<V>::kCount; ++n) {
        wave.vgpr[op.results[0].index + n][lane] = ValueRows<V>::word(value, n);
      }
    }
  }
}

template <class S>
using SourceTuple = typename SourcesOf<typename S::Arguments>::type;

template <class S>
void fetch_all(const Wavefront& wave, const Op& op, SourceTuple<S>& sources, unsigned first = 0) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((I >= first ? std::get<I>(sources).fetch(wave, op.sources[I]) : void()), ...);
  }(std::make_index_sequence<S::kArguments>());
}

/// GLOBAL: the first source is the address.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct GlobalFrame {
  static_assert(Sources.count > 0 && Sources.at[0] == isa::Place::kAddr);

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    const GlobalAddresses addresses(wave, op, op.sources[0]);
    SourceTuple<S> sources;
    fetch_all<S>(wave, op, sources, 1);
    GlobalAccess<D> memory(wave, op);
    for_each_active_lane<S, Results>(wave, op, kFunction, memory, [&](auto index, unsigned lane) {
      if constexpr (index() == 0) {
        return isa::U64<D>{addresses.lane[lane]};
      } else {
        return std::get<index()>(sources).read(lane);
      }
    });
  }
};

template <auto Meaning, isa::Places Results, isa::Places Sources>
struct LdsFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    SourceTuple<S> sources;
    fetch_all<S>(wave, op, sources);
    LdsAccess<D> lds(wave, op);
    for_each_active_lane<S, Results>(wave, op, kFunction, lds, [&](auto index, unsigned lane) {
      return std::get<index()>(sources).read(lane);
    });
  }
};

/// Permutes: the data register is the operand behind the sources, `Op::scalar_base` here unused.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct PermuteFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    SourceTuple<S> sources;
    fetch_all<S>(wave, op, sources);
    SourceRows<isa::U32<D>> data;
    data.fetch(wave, op.sources[S::kArguments]);
    LaneAccess<D> lanes(wave, data.row[0]);
    for_each_active_lane<S, Results>(wave, op, kFunction, lanes, [&](auto index, unsigned lane) {
      return std::get<index()>(sources).read(lane);
    });
  }
};

/// SMEM: a scalar operation on memory.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct ScalarMemoryFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    GlobalAccess<D> memory(wave, op);
    apply_scalar<S, Results>(wave, op, kFunction, memory);
  }
};

}  // namespace compass::interp
