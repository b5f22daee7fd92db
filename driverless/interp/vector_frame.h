// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/fetch.h"
#include "driverless/interp/float_mode.h"
#include "driverless/interp/level.h"
#include "driverless/interp/results.h"
#include "driverless/interp/signature.h"

/// Lane operations: one pass over 64 lanes, EXEC respected.
namespace compass::interp {

template <class Tuple>
struct RowsOf;
template <class... V>
struct RowsOf<std::tuple<V...>> {
  using Sources = std::tuple<SourceRows<V>...>;
  using Results = std::tuple<ResultRows<V>...>;
  static constexpr bool kTakesMode = (std::is_same_v<V, isa::Mode> || ...);
  static constexpr std::uint32_t kModeBits = (mode_bits_of(ValueRows<V>::kClass) | ...);
};

/// `Meaning` is a lambda that gives the function for a domain.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct VectorFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    if constexpr (RowsOf<typename Of<isa::C>::S::Arguments>::kTakesMode) {
      if ((wave.mode & kModeBits) != (kDefaultMode & kModeBits)) [[unlikely]] {
        return run_in_mode(wave, op);
      }
    }
    loop<isa::Concrete<Level>>(wave, op, isa::Mode{});
  }

 private:
  template <class D>
  struct Of {
    static constexpr auto kFunction = Meaning.template operator()<D>();
    using S = Signature<std::remove_const_t<decltype(kFunction)>>;
    using Out = ResultTuple<Results.count, typename S::Result>;
  };

  static constexpr std::uint32_t kModeBits = RowsOf<typename Of<isa::C>::S::Arguments>::kModeBits |
                                             RowsOf<typename Of<isa::C>::Out>::kModeBits;

  // Other modes are rare: one instance for all host levels, small rather than fast.
  [[gnu::noinline, gnu::cold]] static void run_in_mode(Wavefront& wave, const Op& op) {
    using First = std::tuple_element_t<0, typename Of<isa::C>::Out>;
    const isa::Mode mode = decode_mode(wave.mode);
    const bool is_wide = (mode_bits_of(ValueRows<First>::kClass) & kSingleModeBits) == 0;
    const HostRounding rounding(is_wide ? mode.round_wide : mode.round_single);
    loop<isa::C>(wave, op, mode);
  }

  // No tuple in between, which would keep the loop from becoming vector code.
  template <class ResultTuple, class Value>
  static void write(ResultTuple& results, const Value& value, unsigned lane, std::uint32_t exec) {
    if constexpr (Results.count == 1) {
      std::get<0>(results).write(value, lane, exec);
    } else {
      static_assert(Results.count == 2);
      const auto& [first, second] = value;
      std::get<0>(results).write(first, lane, exec);
      std::get<1>(results).write(second, lane, exec);
    }
  }

  template <class D>
  static void loop(Wavefront& wave, const Op& op, const isa::Mode& mode) {
    using S = typename Of<D>::S;
    typename RowsOf<typename S::Arguments>::Sources sources;
    typename RowsOf<typename Of<D>::Out>::Results results;
    constexpr auto kArguments = std::make_index_sequence<S::kArguments>();
    constexpr auto kResults = std::make_index_sequence<Results.count>();
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(sources).fetch(wave, op.sources[I]), ...);
    }
    (kArguments);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(results).prepare(wave, op, op.results[I]), ...);
    }
    (kResults);
    alignas(64) LaneRow dpp_exec;
    if (op.dpp.lanes != nullptr) [[unlikely]]
      fill_dpp_exec(wave, op.dpp, dpp_exec);
    const LaneRow& exec = op.dpp.lanes != nullptr ? dpp_exec : wave.exec_row();
    const auto read = [&](auto index, unsigned lane) {
      if constexpr (std::is_same_v<std::tuple_element_t<index(), typename S::Arguments>,
                                   isa::Mode>) {
        return mode;
      } else {
        return std::get<index()>(sources).read(lane);
      }
    };
#pragma GCC ivdep  // a lane's result may overwrite only the same lane's sources
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto value = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return Of<D>::kFunction(read(std::integral_constant<std::size_t, I>(), lane)...);
      }
      (kArguments);
      write(results, value, lane, exec[lane]);
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(results).finish(wave, op, op.results[I], exec), ...);
    }
    (kResults);
  }
};

}  // namespace compass::interp
