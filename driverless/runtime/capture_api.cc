// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

Error begin(Device& device, const std::shared_ptr<Queue>& queue, StreamCaptureMode mode,
            std::shared_ptr<GraphTemplate> graph, std::vector<GraphNode> dependencies) {
  if (queue == nullptr) return kErrorContextIsDestroyed;
  if (queue->is_legacy) return kErrorStreamCaptureUnsupported;
  if (mode < kStreamCaptureModeGlobal || mode > kStreamCaptureModeRelaxed) {
    return kErrorInvalidValue;
  }
  if (queue->capture != nullptr) return kErrorIllegalState;
  device.platform.captures.begin(queue, mode, std::move(graph), std::move(dependencies));
  return kSuccess;
}

StreamCaptureStatus status_of(const Queue& queue) {
  if (queue.capture == nullptr) return kStreamCaptureStatusNone;
  return queue.capture->invalidated ? kStreamCaptureStatusInvalidated : kStreamCaptureStatusActive;
}

/// Runs `body` with the queue behind `stream`, unless that is the legacy stream and a capture would
/// have to be asked about it.
template <class Body>
Error with_status(Stream stream, const StreamCaptureStatus* status, Body body) {
  return with_device([&](Device& device) {
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (status == nullptr) return kErrorInvalidValue;
    if (queue == nullptr) return kErrorContextIsDestroyed;
    if (device.platform.captures.would_block(*queue)) return kErrorStreamCaptureImplicit;
    return body(*queue);
  });
}

}  // namespace

Error hipStreamBeginCapture(Stream stream, StreamCaptureMode mode) {
  return with_device([&](Device& device) {
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    const int device_ordinal = queue == nullptr ? device.ordinal : queue->device_ordinal;
    return begin(device, queue, mode, device.platform.graphs.make_template(device_ordinal), {});
  });
}

Error hipStreamBeginCaptureToGraph(Stream stream, Graph graph, const GraphNode* dependencies,
                                   const void* dependency_data, std::size_t count,
                                   StreamCaptureMode mode) {
  return with_device([&](Device& device) {
    if (dependency_data != nullptr) return kErrorNotSupported;
    GraphTemplate* const found = device.platform.graphs.find(graph);
    if (found == nullptr || (dependencies == nullptr) != (count == 0) ||
        count > found->nodes().size()) {
      return kErrorInvalidValue;
    }
    std::vector<GraphNode> nodes(dependencies, dependencies + count);
    for (const GraphNode node : nodes) {
      if (found->find(node) == nullptr) return kErrorInvalidValue;
    }
    return begin(device, find_queue(device, stream), mode, found->shared_from_this(),
                 std::move(nodes));
  });
}

Error hipStreamEndCapture(Stream stream, Graph* graph) {
  return with_device([&](Device& device) {
    if (graph == nullptr) return kErrorInvalidValue;
    *graph = nullptr;
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (queue == nullptr) return kErrorContextIsDestroyed;
    std::shared_ptr<GraphTemplate> captured;
    const Error error = device.platform.captures.end(*queue, captured);
    if (error != kSuccess) return error;
    *graph = captured->handle();
    device.platform.graphs.owned.insert(std::move(captured));
    return kSuccess;
  });
}

Error hipStreamIsCapturing(Stream stream, StreamCaptureStatus* status) {
  return with_status(stream, status, [&](const Queue& queue) {
    *status = status_of(queue);
    return kSuccess;
  });
}

Error hipStreamGetCaptureInfo(Stream stream, StreamCaptureStatus* status, unsigned long long* id) {
  return hipStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

Error hipStreamGetCaptureInfo_v2(Stream stream, StreamCaptureStatus* status, unsigned long long* id,
                                 Graph* graph, const GraphNode** dependencies, std::size_t* count) {
  return with_status(stream, status, [&](const Queue& queue) {
    *status = status_of(queue);
    if (*status != kStreamCaptureStatusActive) return kSuccess;
    const CapturedStream& captured = *queue.capture->find(queue);
    if (id != nullptr) *id = queue.capture->id;
    if (graph != nullptr) *graph = queue.capture->graph->handle();
    if (dependencies != nullptr) *dependencies = captured.dependencies.data();
    if (count != nullptr) *count = captured.dependencies.size();
    return kSuccess;
  });
}

Error hipStreamUpdateCaptureDependencies(Stream stream, GraphNode* dependencies, std::size_t count,
                                         unsigned flags) {
  return with_device([&](Device& device) {
    const std::shared_ptr<Queue> queue = find_queue(device, stream);
    if (queue == nullptr) return kErrorContextIsDestroyed;
    if (flags > kStreamSetCaptureDependencies) return kErrorInvalidValue;
    if (status_of(*queue) != kStreamCaptureStatusActive) return kErrorIllegalState;
    if (dependencies == nullptr && count > 0) return kErrorInvalidValue;
    StreamCapture& capture = *queue->capture;
    if (count > capture.graph->nodes().size()) return kErrorInvalidValue;
    const std::vector<GraphNode> nodes(dependencies, dependencies + count);
    for (const GraphNode node : nodes) {
      if (capture.graph->find(node) == nullptr) return kErrorInvalidValue;
    }
    if (flags == kStreamSetCaptureDependencies) capture.release(*queue);
    capture.join(queue, nodes);
    return kSuccess;
  });
}

Error hipThreadExchangeStreamCaptureMode(StreamCaptureMode* mode) {
  return with_device([&](Device&) {
    if (mode == nullptr || *mode < kStreamCaptureModeGlobal || *mode > kStreamCaptureModeRelaxed) {
      return kErrorInvalidValue;
    }
    std::swap(thread_capture_mode(), *mode);
    return kSuccess;
  });
}

}  // namespace compass::hip
