// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/runtime.h"

namespace compass {

/// Makes an event the place where a stream is; where that is captured, a place in the graph that
/// grows, for other streams to join at, or, of an external one, a node that records it whenever the
/// graph is launched.
hip::Error record_event(Device& device, hip::Event event, hip::Stream stream, unsigned flags);

}  // namespace compass
