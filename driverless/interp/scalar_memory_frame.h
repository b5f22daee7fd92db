// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/access.h"
#include "driverless/interp/buffer_access.h"
#include "driverless/interp/scalar_frame.h"

/// SMEM: scalar loads and clocks.
namespace compass::interp {

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
