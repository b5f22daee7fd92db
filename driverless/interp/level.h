// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/op.h"
#include "driverless/isa/concrete.h"

/// One frame compiled for each host level. `flatten` inlines the whole body into the function that
/// carries the target attribute, where the loop over lanes becomes vector code.
namespace compass::interp {

template <class Frame>
[[gnu::flatten]] void run_baseline(Wavefront& wave, const Op& op) {
  Frame::template run<isa::HostLevel::kBaseline>(wave, op);
}

template <class Frame>
[[gnu::flatten, gnu::target("avx2,fma,bmi,bmi2")]] void run_avx2(Wavefront& wave, const Op& op) {
  Frame::template run<isa::HostLevel::kAvx2>(wave, op);
}

template <class Frame>
[[gnu::flatten, gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi,bmi2,"
                            "prefer-vector-width=512")]] void
run_avx512(Wavefront& wave, const Op& op) {
  Frame::template run<isa::HostLevel::kAvx512>(wave, op);
}

template <class Frame, class RowType>
constexpr void set_handlers(RowType& row) {
  row.handlers[0] = run_baseline<Frame>;
  row.handlers[1] = run_avx2<Frame>;
  row.handlers[2] = run_avx512<Frame>;
}

/// One value, or lane by lane, needs no vector code: every host level runs the same handler.
template <class Frame, class RowType>
void set_one_handler(RowType& row) {
  for (Handler& handler : row.handlers) handler = Frame::template run<isa::HostLevel::kBaseline>;
}

}  // namespace compass::interp
