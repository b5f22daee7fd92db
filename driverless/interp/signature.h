// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>

#include "driverless/interp/row.h"

/// From a meaning's signature to a row: the operand list is the signature.
namespace compass::interp {

template <class F>
struct Signature;

template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
  static constexpr unsigned kArguments = sizeof...(A);
};

/// A meaning whose first parameter is the object that its effects reach.
template <class F>
struct EffectSignature;

template <class R, class E, class... A>
struct EffectSignature<R (*)(E&, A...)> : Signature<R (*)(A...)> {
  using Effect = E;
};

/// The members of a struct of several results, as a tuple; a single result as a tuple of one.
template <unsigned Count, class R>
constexpr auto results_of(const R& result) {
  if constexpr (Count == 1) {
    return std::tuple(result);
  } else if constexpr (Count == 2) {
    const auto& [a, b] = result;
    return std::tuple(a, b);
  } else {
    static_assert(Count == 3);
    const auto& [a, b, c] = result;
    return std::tuple(a, b, c);
  }
}

template <unsigned Count, class R>
using ResultTuple = decltype(results_of<Count>(std::declval<R>()));

/// Fills in what the signature says; fails to compile where row and meaning disagree.
template <class S, isa::Places Results, isa::Places Sources>
constexpr void describe(Row& row) {
  static_assert(Sources.count == S::kArguments,
                "the row lists other sources than its meaning takes");
  row.results = Results;
  row.sources = Sources;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((row.source_shapes[I] = {ValueRows<std::tuple_element_t<I, typename S::Arguments>>::kCount,
                              ValueRows<std::tuple_element_t<I, typename S::Arguments>>::kClass}),
     ...);
  }
  (std::make_index_sequence<S::kArguments>());
  if constexpr (Results.count == 0) {
    static_assert(std::is_void_v<typename S::Result>, "the meaning has a result, the row none");
  } else {
    using Tuple = ResultTuple<Results.count, typename S::Result>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((row.result_shapes[I] = {ValueRows<std::tuple_element_t<I, Tuple>>::kCount,
                                ValueRows<std::tuple_element_t<I, Tuple>>::kClass}),
       ...);
    }
    (std::make_index_sequence<Results.count>());
  }
}

}  // namespace compass::interp
