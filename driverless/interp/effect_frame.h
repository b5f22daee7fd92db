// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "driverless/interp/fetch.h"
#include "driverless/interp/signature.h"

/// What frames of operations with effects on memory or other lanes share: lane by lane, in the
/// order of lanes.
namespace compass::interp {

template <class Tuple>
struct SourcesOf;
template <class... V>
struct SourcesOf<std::tuple<V...>> {
  using type = std::tuple<SourceRows<V>...>;
};

/// Calls the meaning for every active lane; `before(lane)` sets the effect's lane,
/// `source<I>(lane)` reads a source.
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
      if constexpr (Results.at[0] == isa::Place::kNone) continue;
      if (Results.at[0] == isa::Place::kReturned && op.results[0].kind == ResultKind::kNone)
        continue;
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
  }
  (std::make_index_sequence<S::kArguments>());
}

template <class F, class G>
constexpr bool is_same_function(F f, G g) {
  if constexpr (std::is_same_v<F, G>) {
    return f == g;
  } else {
    return false;
  }
}

}  // namespace compass::interp
