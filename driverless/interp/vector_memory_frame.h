// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/effect_frame.h"
#include "driverless/interp/memory_kind.h"
#include "driverless/isa/vector_memory.h"

/// GLOBAL, FLAT, SCRATCH and MUBUF.
namespace compass::interp {

/// How many words a lane `function` loads, if that is all it does; else 0.
template <class D, class Effect, class F>
constexpr unsigned plain_load_words(F function) {
  if (is_same_function(function, &isa::load_dword<D, Effect>)) return 1;
  if (is_same_function(function, &isa::load_dwordx2<D, Effect>)) return 2;
  if (is_same_function(function, &isa::load_dwordx3<D, Effect>)) return 3;
  return is_same_function(function, &isa::load_dwordx4<D, Effect>) ? 4 : 0;
}
template <class D, class Effect, class F>
constexpr unsigned plain_store_words(F function) {
  if (is_same_function(function, &isa::store_dword<D, Effect>)) return 1;
  if (is_same_function(function, &isa::store_dwordx2<D, Effect>)) return 2;
  if (is_same_function(function, &isa::store_dwordx3<D, Effect>)) return 3;
  return is_same_function(function, &isa::store_dwordx4<D, Effect>) ? 4 : 0;
}

/// Whether the descriptor of a buffer instruction is none that is supported; stops the wavefront.
template <class Effect>
bool stops_at_descriptor(Wavefront& wave, const Effect& effect) {
  if constexpr (requires { effect.is_special(); }) {
    if (effect.is_special()) {
      wave.status = WaveStatus::kStopped;
      return true;
    }
  }
  return false;
}

/// Vector memory: the first source is the address.
template <class Kind, auto Meaning, isa::Places Results, isa::Places Sources>
struct VectorMemoryFrame {
  static_assert(Sources.count > 0 && Sources.at[0] == isa::Place::kAddr);

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    typename Kind::template Effect<D> memory(wave, op);
    if (stops_at_descriptor(wave, memory)) return;
    LaneAddresses addresses;
    Kind::kAddresses(wave, op, op.sources[0], addresses);
    SourceTuple<S> sources;
    fetch_all<S>(wave, op, sources, 1);
    using Effect = typename Kind::template Effect<D>;
    constexpr unsigned kLoads = plain_load_words<D, Effect>(kFunction);
    constexpr unsigned kStores = plain_store_words<D, Effect>(kFunction);
    if constexpr (kLoads > 0 && Kind::kHasWholeWave) {
      LaneRow* to = &wave.vgpr[op.results[0].index];
      if (Kind::template load<kLoads>(wave, memory, addresses, to)) return;
    }
    if constexpr (kStores > 0 && Kind::kHasWholeWave) {
      if (Kind::template store<kStores>(wave, memory, addresses, std::get<1>(sources).row)) return;
    }
    run_by_lane<S>(wave, op, kFunction, memory, addresses, sources);
  }

  template <class S, class F, class Effect>
  [[gnu::noinline]] static void run_by_lane(Wavefront& wave, const Op& op, F function,
                                            Effect& memory, const LaneAddresses& addresses,
                                            const SourceTuple<S>& sources) {
    for_each_active_lane<S, Results>(wave, op, function, memory, [&](auto index, unsigned lane) {
      if constexpr (index() == 0) {
        return std::tuple_element_t<0, typename S::Arguments>{addresses.lane[lane]};
      } else {
        return std::get<index()>(sources).read(lane);
      }
    });
  }
};

/// Loads of `N` words a lane to LDS: at M0[17:2] words, the offset again, and the lane's place
/// among the wavefront's. Manual: CDNA3 ISA, "Memory Buffer Load to LDS".
template <class Kind, unsigned N>
struct LdsLoadFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    typename Kind::template Effect<D> memory(wave, op);
    if (stops_at_descriptor(wave, memory)) return;
    LaneAddresses addresses;
    Kind::kAddresses(wave, op, op.sources[0], addresses);
    LdsAccess<D> lds(wave, op);
    const std::uint32_t base = (wave.sgpr[kM0] & 0x3'FFFC) + static_cast<std::uint32_t>(op.offset);
    for (std::uint64_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      memory.lane = lds.lane = lane;
      const isa::Words<D, N> words = memory.template load<N>({addresses.lane[lane]});
      lds.template store<N>({base + lane * 4 * N}, words);
    }
  }
};

}  // namespace compass::interp
