// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "driverless/interp/fetch.h"
#include "driverless/interp/level.h"
#include "driverless/interp/signature.h"

/// Lane operations: one pass over 64 lanes, EXEC respected.
namespace compass::interp {

/// Clamps floats to [0, 1]; NaN gives 0.
void clamp_row(LaneRow& value);

/// The lowest bits of 64 lanes as a mask.
inline std::uint64_t pack_mask(const LaneRow& row) {
  std::uint8_t bits[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) bits[lane] = row[lane] & 1;
  std::uint64_t mask = 0;
  for (unsigned group = 0; group < kLanes / 8; ++group) {
    std::uint64_t bytes;
    std::memcpy(&bytes, bits + 8 * group, sizeof bytes);
    mask |= (bytes * 0x0102'0408'1020'4080u >> 56) << (8 * group);
  }
  return mask;
}

/// Where one result goes while the loop runs.
template <class V>
struct ResultRows {
  static constexpr unsigned kCount = ValueRows<V>::kCount;
  std::uint32_t* row[kCount];
  alignas(64) LaneRow scratch[kCount];

  ResultRows() {}  // as SourceRows

  void prepare(Wavefront& wave, const Op& op, const Destination& to) {
    for (unsigned n = 0; n < kCount; ++n) row[n] = op.clamp ? scratch[n] : wave.vgpr[to.index + n];
  }
  void write(const V& value, unsigned lane, std::uint32_t exec) {
    for (unsigned n = 0; n < kCount; ++n) {
      row[n][lane] = exec != 0 ? ValueRows<V>::word(value, n) : row[n][lane];
    }
  }
  void finish(Wavefront& wave, const Op& op, const Destination& to) {
    if (!op.clamp) [[likely]] return;
    const LaneRow& exec = wave.exec_row();
    for (unsigned n = 0; n < kCount; ++n) {
      clamp_row(scratch[n]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (exec[lane] != 0) wave.vgpr[to.index + n][lane] = scratch[n][lane];
      }
    }
  }
};

template <class D>
struct ResultRows<isa::B1<D>> {
  alignas(64) LaneRow bits;

  ResultRows() {}

  void prepare(Wavefront&, const Op&, const Destination&) {}
  void write(isa::B1<D> value, unsigned lane, std::uint32_t exec) {
    bits[lane] = value.rep ? exec : 0;
  }
  void finish(Wavefront& wave, const Op&, const Destination& to) {
    wave.set_sgpr64(to.index, pack_mask(bits));
  }
};

template <class Tuple>
struct RowsOf;
template <class... V>
struct RowsOf<std::tuple<V...>> {
  using Sources = std::tuple<SourceRows<V>...>;
  using Results = std::tuple<ResultRows<V>...>;
};

/// `Meaning` is a lambda that gives the function for a domain.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct VectorFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    constexpr auto kFunction = Meaning.template operator()<isa::Concrete<Level>>();
    using S = Signature<std::remove_const_t<decltype(kFunction)>>;
    using Out = ResultTuple<Results.count, typename S::Result>;
    typename RowsOf<typename S::Arguments>::Sources sources;
    typename RowsOf<Out>::Results results;
    constexpr auto kArguments = std::make_index_sequence<S::kArguments>();
    constexpr auto kResults = std::make_index_sequence<Results.count>();
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(sources).fetch(wave, op.sources[I]), ...);
    }(kArguments);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(results).prepare(wave, op, op.results[I]), ...);
    }(kResults);
    const LaneRow& exec = wave.exec_row();
#pragma GCC ivdep  // a lane's result may overwrite only the same lane's sources
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto value = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return kFunction(std::get<I>(sources).read(lane)...);
      }(kArguments);
      const auto values = results_of<Results.count>(value);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (std::get<I>(results).write(std::get<I>(values), lane, exec[lane]), ...);
      }(kResults);
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(results).finish(wave, op, op.results[I]), ...);
    }(kResults);
  }
};

}  // namespace compass::interp
