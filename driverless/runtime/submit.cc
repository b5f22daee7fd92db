// SPDX-License-Identifier: MIT
#include "driverless/runtime/submit.h"

#include <utility>

#include "driverless/runtime/allocations.h"
#include "driverless/runtime/live_tag.h"

namespace compass {
namespace {

/// Waits by `wait`, and tells what went wrong up to then.
template <class Wait>
hip::Error wait_by(Platform& platform, Wait wait) {
  if (HostFunctions::is_this_thread()) return hip::kErrorIllegalState;
  wait();
  trim_pools(platform);
  return platform.executor.status();
}

/// Makes an operation a node. A callback is none: HIP has only host functions as nodes.
hip::Error capture(const Queue& queue, Operation operation) {
  StreamCapture& capture = *queue.capture;
  if (std::holds_alternative<CallbackOperation>(operation)) {
    capture.invalidated = true;
    return hip::kErrorStreamCaptureUnsupported;
  }
  return capture.add(queue, std::move(operation), current_tag().entry);
}

}  // namespace

hip::Error submit(Device& device, hip::Stream stream, Operation operation) {
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr) return hip::kErrorInvalidHandle;
  if (queue->capture != nullptr) return capture(*queue, std::move(operation));
  if (device.platform.memory.is_for_graph(operation)) return hip::kErrorInvalidValue;
  if (const hip::Error error = device.platform.captures.check_work(*queue);
      error != hip::kSuccess) {
    return error;
  }
  device.platform.scheduler.enqueue(queue, std::move(operation), current_tag());
  return hip::kSuccess;
}

hip::Error submit_copy(Device& device, hip::Stream stream, CopyOperation copy) {
  const DeviceMemory& memory = device.platform.memory;
  if (const hip::Error error = memory.check(copy); error != hip::kSuccess) return error;
  const std::uint64_t size_bytes = span_bytes(copy.from, copy.box).value_or(0);
  if (size_bytes == 0) return submit(device, stream, MarkOperation{});
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  const bool captured = queue != nullptr && queue->capture != nullptr;
  const bool pageable_target = memory.is_pageable(copy.to.pointer);
  if (!captured && !pageable_target && memory.is_pageable(copy.from.pointer) &&
      !device.platform.scheduler.runs_at_once()) {
    const auto* const bytes = static_cast<const std::byte*>(copy.from.pointer);
    copy.staged = std::make_shared<const Bytes>(bytes, bytes + size_bytes);
  }
  const hip::Error error = submit(device, stream, std::move(copy));
  if (error != hip::kSuccess || captured || !pageable_target) return error;
  return wait_by(device.platform, [&] { device.platform.scheduler.wait(queue); });
}

hip::Error submit_and_wait(Device& device, hip::Stream stream, Operation operation) {
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr) return hip::kErrorInvalidHandle;
  if (const hip::Error error = device.platform.captures.check(CallKind::kBlocking);
      error != hip::kSuccess) {
    return error;
  }
  if (device.platform.memory.is_for_graph(operation)) return hip::kErrorInvalidValue;
  device.platform.scheduler.enqueue(queue, std::move(operation), current_tag());
  return wait_by(device.platform, [&] { device.platform.scheduler.wait(queue); });
}

hip::Error wait_for(Platform& platform, const std::shared_ptr<Queue>& queue) {
  const hip::Error error = platform.captures.check_wait(*queue);
  if (error != hip::kSuccess) return error;
  return wait_by(platform, [&] { platform.scheduler.wait(queue); });
}

hip::Error wait_for(Platform& platform, const Point& point) {
  const hip::Error error = platform.captures.check(CallKind::kUnsafe);
  if (error != hip::kSuccess) return error;
  return wait_by(platform, [&] { platform.scheduler.wait(point); });
}

hip::Error wait_for_all(Platform& platform) {
  const hip::Error error = platform.captures.check(CallKind::kDeviceWait);
  if (error != hip::kSuccess) return error;
  return wait_by(platform, [&] { platform.scheduler.wait_for_all(); });
}

hip::Error poll(Platform& platform, const std::shared_ptr<Queue>& queue) {
  const hip::Error error = platform.captures.check_wait(*queue);
  if (error != hip::kSuccess) return error;
  return platform.scheduler.poll(queue) ? platform.executor.status() : hip::kErrorNotReady;
}

hip::Error poll(Platform& platform, const Point& point) {
  const hip::Error error = platform.captures.check(CallKind::kUnsafe);
  if (error != hip::kSuccess) return error;
  return platform.scheduler.poll(point) ? platform.executor.status() : hip::kErrorNotReady;
}

}  // namespace compass
