// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "driverless/interp/access.h"
#include "driverless/interp/buffer_access.h"
#include "driverless/interp/fetch.h"
#include "driverless/interp/scalar_frame.h"
#include "driverless/interp/scratch_space.h"
#include "driverless/interp/signature.h"
#include "driverless/interp/whole_wave.h"
#include "driverless/isa/ds.h"
#include "driverless/isa/ds_permute.h"
#include "driverless/isa/vector_memory.h"

/// Operations with effects on memory or other lanes: lane by lane, in the order of lanes.
namespace compass::interp {

/// The address of each lane: vector address (source `source`), scalar base and offset.
struct LaneAddresses {
  std::uint64_t lane[kLanes];
};

/// 64 bits of a VGPR pair and the offset.
inline void flat_addresses(const Wavefront& wave, const Op& op, const Source& source,
                           LaneAddresses& out) {
  const auto offset = static_cast<std::uint64_t>(std::int64_t{op.offset});
  const LaneRow& low = wave.vgpr[source.index];
  const LaneRow& high = wave.vgpr[source.index + 1];
  for (unsigned n = 0; n < kLanes; ++n) {
    out.lane[n] = (low[n] | std::uint64_t{high[n]} << 32) + offset;
  }
}

/// As flat, or a scalar base, 32 bits of a VGPR and the offset.
inline void global_addresses(const Wavefront& wave, const Op& op, const Source& source,
                             LaneAddresses& out) {
  if (op.scalar_base.kind == SourceKind::kNone) return flat_addresses(wave, op, source, out);
  const std::uint64_t base = wave.sgpr64(op.scalar_base.index) +
                             static_cast<std::uint64_t>(std::int64_t{op.offset});
  const LaneRow& low = wave.vgpr[source.index];
  for (unsigned n = 0; n < kLanes; ++n) out.lane[n] = base + low[n];
}

/// Modulo 32 bits.
void scratch_addresses(const Wavefront& wave, const Op& op, const Source& source,
                       LaneAddresses& out);
/// Index and offset, as BufferAccess takes them.
void buffer_addresses(const Wavefront& wave, const Op& op, const Source& source,
                      LaneAddresses& out);

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
      if constexpr (Results.at[0] == isa::Place::kNone) continue;
      if (Results.at[0] == isa::Place::kReturned && op.results[0].kind == ResultKind::kNone) continue;
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

template <class F, class G>
constexpr bool is_same_function(F f, G g) {
  if constexpr (std::is_same_v<F, G>) {
    return f == g;
  } else {
    return false;
  }
}

/// What the encodings of vector memory differ in: the object that effects reach, the addresses and
/// the start of the name ("global_", "flat_", "scratch_", "buffer_").
struct GlobalKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kGlobal;
  static constexpr unsigned kPrefix = 0;
  template <class D>
  using Effect = GlobalAccess<D>;
  static constexpr auto kAddresses = global_addresses;
  static constexpr bool kHasWholeWave = true;
  template <unsigned N, class E>
  static bool load(Wavefront& wave, E&, const LaneAddresses& addresses, LaneRow* to) {
    return load_whole_wave<N>(wave, active_lanes(wave), addresses.lane, to);
  }
  template <unsigned N, class E>
  static bool store(Wavefront& wave, E&, const LaneAddresses& addresses,
                    const std::uint32_t* const* data) {
    return store_whole_wave<N>(wave, active_lanes(wave), addresses.lane, data);
  }
};
/// What lies in an aperture is in no region, so that it goes lane by lane.
struct FlatKind : GlobalKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kFlat;
  static constexpr unsigned kPrefix = 1;
  template <class D>
  using Effect = FlatAccess<D>;
  static constexpr auto kAddresses = flat_addresses;
};
struct ScratchKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kScratch;
  static constexpr unsigned kPrefix = 2;
  template <class D>
  using Effect = ScratchAccess<D>;
  static constexpr auto kAddresses = scratch_addresses;
  static constexpr bool kHasWholeWave = false;
};
struct BufferKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kBuffer;
  static constexpr unsigned kPrefix = 3;
  template <class D>
  using Effect = BufferAccess<D>;
  static constexpr auto kAddresses = buffer_addresses;
  static constexpr bool kHasWholeWave = true;

  /// Lanes beyond the buffer load zeros and store nothing.
  template <unsigned N, class E>
  static bool load(Wavefront& wave, E& buffer, const LaneAddresses& addresses, LaneRow* to) {
    BufferLanes reached;
    if (!buffer.reach(active_lanes(wave), addresses.lane, N, reached)) return false;
    const LaneSet lanes{reached.mask, reached.row};
    if (!load_whole_wave<N>(wave, lanes, reached.address, to)) return false;
    const LaneRow& exec = wave.exec_row();
    for (unsigned n = 0; n < N && reached.mask != wave.exec(); ++n) {
      for (unsigned lane = 0; lane < kLanes; ++lane) to[n][lane] &= reached.row[lane] | ~exec[lane];
    }
    return true;
  }
  template <unsigned N, class E>
  static bool store(Wavefront& wave, E& buffer, const LaneAddresses& addresses,
                    const std::uint32_t* const* data) {
    BufferLanes reached;
    if (!buffer.reach(active_lanes(wave), addresses.lane, N, reached)) return false;
    return store_whole_wave<N>(wave, {reached.mask, reached.row}, reached.address, data);
  }
};

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

/// Loads of `N` words a lane to LDS: at M0[17:2] words, the offset again, and the lane's place among
/// the wavefront's. Manual: CDNA3 ISA, "Memory Buffer Load to LDS".
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

/// How many words a lane `function` reads from LDS, if that is all it does; else 0.
template <class D, class F>
constexpr unsigned plain_lds_read_words(F function) {
  if (is_same_function(function, &isa::ds_read_b32<D, LdsAccess<D>>)) return 1;
  if (is_same_function(function, &isa::ds_read_b64<D, LdsAccess<D>>)) return 2;
  return is_same_function(function, &isa::ds_read_b128<D, LdsAccess<D>>) ? 4 : 0;
}
template <class D, class F>
constexpr unsigned plain_lds_write_words(F function) {
  if (is_same_function(function, &isa::ds_write_b32<D, LdsAccess<D>>)) return 1;
  if (is_same_function(function, &isa::ds_write_b64<D, LdsAccess<D>>)) return 2;
  return is_same_function(function, &isa::ds_write_b128<D, LdsAccess<D>>) ? 4 : 0;
}

template <auto Meaning, isa::Places Results, isa::Places Sources>
struct LdsFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    SourceTuple<S> sources;
    fetch_all<S>(wave, op, sources);
    if (run_whole<D>(wave, op, sources)) return;
    LdsAccess<D> lds(wave, op);
    for_each_active_lane<S, Results>(wave, op, kFunction, lds, [&](auto index, unsigned lane) {
      return std::get<index()>(sources).read(lane);
    });
  }

 private:
  // True if the instruction is a plain one and has been done.
  template <class D, class SourceRowsTuple>
  static bool run_whole(Wavefront& wave, const Op& op, const SourceRowsTuple& sources) {
    constexpr auto kFunction = Meaning.template operator()<D>();
    constexpr unsigned kReads = plain_lds_read_words<D>(kFunction);
    constexpr unsigned kWrites = plain_lds_write_words<D>(kFunction);
    if constexpr (kReads + kWrites > 0) {
      alignas(64) LaneRow address;
      const auto offset = static_cast<std::uint32_t>(op.sources[Sources.count - 1].constant);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        address[lane] = std::get<0>(sources).row[0][lane] + offset;
      }
      if constexpr (kReads > 0) {
        return load_lds_whole_wave<kReads>(wave, address, &wave.vgpr[op.results[0].index]);
      } else {
        return store_lds_whole_wave<kWrites>(wave, address, std::get<1>(sources).row);
      }
    }
    return false;
  }
};

/// Writes `values` to the result's register in the lanes that are on.
inline void write_active(Wavefront& wave, const Op& op, const LaneRow& values) {
  const LaneRow& exec = wave.exec_row();
  LaneRow& to = wave.vgpr[op.results[0].index];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    to[lane] = (values[lane] & exec[lane]) | (to[lane] & ~exec[lane]);
  }
}

/// Pulling permutes: the data register is the operand behind the sources.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct PermuteFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    SourceRows<isa::U32<D>> data, address;
    data.fetch(wave, op.sources[Sources.count]);
    if constexpr (Sources.at[0] != isa::Place::kLane) address.fetch(wave, op.sources[0]);
    const isa::U32<D> offset{static_cast<std::uint32_t>(op.sources[1].constant)};
    LaneAccess<D> lanes(wave, data.row[0]);
    alignas(64) LaneRow values;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      isa::U32<D> first{lane};
      if constexpr (Sources.at[0] != isa::Place::kLane) first = address.read(lane);
      values[lane] = kFunction(lanes, first, offset).rep;
    }
    write_active(wave, op, values);
  }
};

/// DS_PERMUTE_B32, the one that pushes.
struct PushFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    SourceRows<isa::U32<D>> data, address;
    address.fetch(wave, op.sources[0]);
    data.fetch(wave, op.sources[2]);
    const isa::U32<D> offset{static_cast<std::uint32_t>(op.sources[1].constant)};
    alignas(64) LaneRow values{};
    for (std::uint64_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      values[isa::ds_permute_b32(address.read(lane), offset).rep] = data.row[0][lane];
    }
    write_active(wave, op, values);
  }
};

/// SMEM: a scalar operation on memory, on a buffer or on the clock.
template <template <class> class Effect, auto Meaning, isa::Places Results>
struct ScalarMemoryFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    Effect<D> effect(wave, op);
    apply_scalar<S, Results>(wave, op, kFunction, effect);
  }
};

/// The time, as a count of its readings in the workgroup.
template <class D>
class ClockAccess {
 public:
  ClockAccess(Wavefront& wave, const Op&) : clock_(wave.workgroup->clock) {}
  isa::U64<D> read() { return {clock_ += kTicks}; }

 private:
  static constexpr std::uint64_t kTicks = 64;
  std::uint64_t& clock_;
};

}  // namespace compass::interp
