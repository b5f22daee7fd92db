// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driverless/runtime/operation.h"
#include "driverless/runtime/runtime.h"

namespace compass {

/// Gives a stream an operation that is checked: it runs in the stream's order or, where the stream
/// is captured, becomes a node.
hip::Error submit(Device& device, hip::Stream stream, Operation operation);
/// The same for who knows the queue.
hip::Error submit(Platform& platform, const std::shared_ptr<Queue>& queue, Operation operation);

/// The same for a copy, which is checked here. One to pageable memory has run when this returns; of
/// one from there the bytes are taken.
hip::Error submit_copy(Device& device, hip::Stream stream, CopyOperation copy);

/// The same for a call that returns when the operation has run, which captures forbid. Tells what
/// went wrong before it.
hip::Error submit_and_wait(Device& device, hip::Stream stream, Operation operation);

/// The host waits, if no capture forbids that. kErrorIllegalState in a host function, which the
/// wait may be for.
hip::Error wait_for(Platform& platform, const std::shared_ptr<Queue>& queue);
hip::Error wait_for(Platform& platform, const Point& point);
hip::Error wait_for_all(Platform& platform);

/// The host asks: kErrorNotReady, or what a wait would give.
hip::Error poll(Platform& platform, const std::shared_ptr<Queue>& queue);
hip::Error poll(Platform& platform, const Point& point);

}  // namespace compass
