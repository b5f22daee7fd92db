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

/// Whether a graph can have such a node. Of the program's functions HIP has only the newer form; of
/// values in memory the runtime launches none.
bool can_be_node(const Operation& operation) {
  return !std::holds_alternative<CallbackOperation>(operation) &&
         !std::holds_alternative<WriteValueOperation>(operation) &&
         !std::holds_alternative<WaitValueOperation>(operation);
}

/// Makes an operation a node.
hip::Error capture(const Queue& queue, Operation operation) {
  StreamCapture& capture = *queue.capture;
  if (!can_be_node(operation)) {
    capture.invalidated = true;
    return hip::kErrorStreamCaptureUnsupported;
  }
  return capture.add(queue, std::move(operation));
}

}  // namespace

hip::Error submit(Device& device, hip::Stream stream, Operation operation) {
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr) return hip::kErrorInvalidHandle;
  return submit(device.platform, queue, std::move(operation));
}

hip::Error submit(Platform& platform, const std::shared_ptr<Queue>& queue, Operation operation) {
  if (queue->capture != nullptr) return capture(*queue, std::move(operation));
  if (platform.memory.is_for_graph(operation)) return hip::kErrorInvalidValue;
  const hip::Error error = platform.captures.check_work(*queue);
  if (error != hip::kSuccess) return error;
  const Tag tag = tag_for(operation);
  platform.scheduler.enqueue(queue, std::move(operation), tag);
  return hip::kSuccess;
}

hip::Error submit_copy(Device& device, hip::Stream stream, CopyOperation copy) {
  Platform& platform = device.platform;
  if (const hip::Error error = platform.memory.check(copy); error != hip::kSuccess) return error;
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr) return hip::kErrorInvalidHandle;
  const std::uint64_t size_bytes = span_bytes(copy.from, copy.box).value_or(0);
  if (size_bytes == 0) return submit(platform, queue, MarkOperation{});
  const bool captured = queue->capture != nullptr;
  const bool pageable_target = platform.memory.is_pageable(copy.to.pointer);
  if (!captured && !pageable_target && platform.memory.is_pageable(copy.from.pointer) &&
      !platform.scheduler.runs_at_once()) {
    const auto* const bytes = static_cast<const std::byte*>(copy.from.pointer);
    copy.staged = std::make_shared<const Bytes>(bytes, bytes + size_bytes);
  }
  const hip::Error error = submit(platform, queue, std::move(copy));
  if (error != hip::kSuccess || captured || !pageable_target) return error;
  return wait_by(platform, [&] { platform.scheduler.wait(queue); });
}

hip::Error submit_and_wait(Device& device, hip::Stream stream, Operation operation) {
  const std::shared_ptr<Queue> queue = find_queue(device, stream);
  if (queue == nullptr) return hip::kErrorInvalidHandle;
  if (const hip::Error error = device.platform.captures.check(CallKind::kBlocking);
      error != hip::kSuccess) {
    return error;
  }
  if (device.platform.memory.is_for_graph(operation)) return hip::kErrorInvalidValue;
  const Tag tag = tag_for(operation);
  device.platform.scheduler.enqueue(queue, std::move(operation), tag);
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
