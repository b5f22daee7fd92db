// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/hip/graph_abi.h"

namespace compass::capture {

/// The number of the capture that the stream is part of, by which Recorder::append() knows it; 0:
/// none. Costs a load while this process captures nothing.
std::uint64_t capture_of(hip::Stream stream);

}  // namespace compass::capture
