// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/access.h"
#include "driverless/interp/effect_frame.h"
#include "driverless/interp/whole_wave.h"
#include "driverless/isa/ds.h"

/// DS: LDS.
namespace compass::interp {

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

}  // namespace compass::interp
