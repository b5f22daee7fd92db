// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/access_size.h"
#include "driverless/interp/effect_frame.h"
#include "driverless/interp/memory_kind.h"

/// GLOBAL, FLAT, SCRATCH and MUBUF.
namespace compass::interp {

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
    using Effect = typename Kind::template Effect<D>;
    constexpr auto kFunction = Meaning.template operator()<D, Effect>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    Effect memory(wave, op);
    if (stops_at_descriptor(wave, memory)) return;
    LaneAddresses addresses;
    Kind::kAddresses(wave, op, op.sources[0], addresses);
    SourceTuple<S> sources;
    fetch_all<S>(wave, op, sources, 1);
    if (run_whole<D>(wave, op, memory, addresses, sources)) return;
    run_by_lane<S>(wave, op, kFunction, memory, addresses, sources);
  }

 private:
  // True if the instruction is a load or store that all lanes may make, and has been done.
  template <class D, class Effect, class SourceRowsTuple>
  static bool run_whole(Wavefront& wave, const Op& op, Effect& memory,
                        const LaneAddresses& addresses, const SourceRowsTuple& sources) {
    constexpr AccessSize<D> kSize = access_size<Meaning, D>();
    if constexpr (Kind::kHasWholeWave) {
      if constexpr (kSize.load_bytes >= 4) {
        LaneRow* to = &wave.vgpr[op.results[0].index];
        return Kind::template load<kSize.load_bytes / 4>(wave, memory, addresses, to);
      } else if constexpr (kSize.store_bytes >= 4) {
        const auto& data = std::get<1>(sources).row;
        return Kind::template store<kSize.store_bytes / 4>(wave, memory, addresses, data);
      } else if constexpr (kSize.load_bytes + kSize.store_bytes > 0) {
        return run_checked<D>(wave, op, memory, addresses, sources);
      }
    }
    return false;
  }

  // Parts of words.
  template <class D, class Effect, class SourceRowsTuple>
  static bool run_checked(Wavefront& wave, const Op& op, Effect& memory,
                          const LaneAddresses& addresses, const SourceRowsTuple& sources) {
    if (wave.exec() == 0) return true;
    LaneAddresses places;
    if (!Kind::places(wave, memory, addresses, places)) return false;
    constexpr AccessSize<D> kSize = access_size<Meaning, D>();
    constexpr auto kRegion = kSize.load_bytes > 0 ? region_of_loads : region_of_stores;
    AddressSpan span;
    const Region* region =
        kRegion(wave, active_lanes(wave), places.lane, kSize.load_bytes + kSize.store_bytes, span);
    if (region == nullptr) return false;
    constexpr auto kFunction = Meaning.template operator()<D, CheckedMemory<D>>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    CheckedMemory<D> checked(*region);
    run_lanes<S>(wave, op, kFunction, checked, places, sources);
    return true;
  }

  template <class S, class F, class Effect>
  [[gnu::noinline]] static void run_by_lane(Wavefront& wave, const Op& op, F function,
                                            Effect& memory, const LaneAddresses& addresses,
                                            const SourceTuple<S>& sources) {
    run_lanes<S>(wave, op, function, memory, addresses, sources);
  }

  template <class S, class F, class Effect>
  static void run_lanes(Wavefront& wave, const Op& op, F function, Effect& memory,
                        const LaneAddresses& addresses, const SourceTuple<S>& sources) {
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
