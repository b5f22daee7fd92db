// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/op.h"
#include "driverless/machine/look.h"

namespace compass::interp {

/// A handler that adds the instruction to the trace that this thread makes, if it is of the
/// wavefront that is traced, and does it.
void trace_and_run(Wavefront& wave, const Op& op);

/// As long as this lives, trace_and_run() on this thread fills `look`; null: nobody traces.
class TracingScope {
 public:
  explicit TracingScope(Look* look);
  ~TracingScope();
  TracingScope(const TracingScope&) = delete;
  TracingScope& operator=(const TracingScope&) = delete;
};

}  // namespace compass::interp
