// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "driverless/interp/scalar_frame.h"

/// Wave operations: one register's lanes, and once per wavefront.
namespace compass::interp {

/// The register that a wave operation reads or writes lanes of.
template <class D>
class RegisterLanes {
 public:
  RegisterLanes(Wavefront& wave, LaneRow& row) : wave_(wave), row_(row) {}

  isa::U32<D> read(isa::U32<D> lane) const { return {row_[lane.rep]}; }
  void write(isa::U32<D> lane, isa::U32<D> value) { row_[lane.rep] = value.rep; }
  /// The first lane that EXEC has on; 0 if it has none.
  isa::U32<D> first_active() const {
    return {wave_.exec() == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(wave_.exec()))};
  }

 private:
  Wavefront& wave_;
  LaneRow& row_;
};

/// The first source is the register, the others are what the meaning takes.
template <auto Meaning, isa::Places Results, isa::Places Sources>
struct WaveFrame {
  static_assert(Sources.at[0] == isa::Place::kLanes);

  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    using D = isa::Concrete<Level>;
    constexpr auto kFunction = Meaning.template operator()<D>();
    using S = EffectSignature<std::remove_const_t<decltype(kFunction)>>;
    RegisterLanes<D> lanes(wave, wave.vgpr[op.sources[0].index]);
    const auto call = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return kFunction(lanes, read_scalar<std::tuple_element_t<I, typename S::Arguments>>(
                                  wave, op.sources[I + 1])...);
    };
    if constexpr (Results.count == 0) {
      call(std::make_index_sequence<S::kArguments>());
    } else {
      write_scalar(wave, op.results[0], call(std::make_index_sequence<S::kArguments>()));
    }
  }
};

/// V_PERMLANE*_SWAP: two registers exchange groups of lanes.
template <unsigned GroupLanes>
struct PermlaneSwapFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    if (wave.exec() != ~std::uint64_t{0}) {
      wave.status = WaveStatus::kStopped;
      return;
    }
    LaneRow &vdst = wave.vgpr[op.results[0].index], &vsrc = wave.vgpr[op.results[1].index];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((lane & GroupLanes) == 0) std::swap(vdst[lane + GroupLanes], vsrc[lane]);
    }
  }
};

}  // namespace compass::interp
