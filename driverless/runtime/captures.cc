// SPDX-License-Identifier: MIT
#include "driverless/runtime/captures.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace compass {
namespace {

/// Whether the legacy stream of a device would wait for one of the capture's streams.
bool has_blocking_stream(const StreamCapture& capture, int device_ordinal) {
  return std::any_of(
      capture.streams.begin(), capture.streams.end(), [&](const CapturedStream& stream) {
        return stream.queue->is_blocking() && stream.queue->device_ordinal == device_ordinal;
      });
}

bool forbids_unsafe_calls(const StreamCapture& capture) {
  if (capture.mode == hip::kStreamCaptureModeRelaxed) return false;
  if (capture.thread == this_thread()) return true;
  return capture.mode == hip::kStreamCaptureModeGlobal &&
         thread_capture_mode() == hip::kStreamCaptureModeGlobal;
}

bool is_any(const StreamCapture&) { return true; }

}  // namespace

template <class Forbids>
hip::Error Captures::invalidate_if(Forbids forbids, hip::Error error) {
  bool forbidden = false;
  for (const auto& capture : active_) {
    if (!forbids(*capture)) continue;
    capture->invalidated = true;
    forbidden = true;
  }
  return forbidden ? error : hip::kSuccess;
}

void Captures::begin(const std::shared_ptr<Queue>& queue, hip::StreamCaptureMode mode,
                     std::shared_ptr<GraphTemplate> graph,
                     std::vector<hip::GraphNode> dependencies) {
  auto capture = std::make_shared<StreamCapture>();
  capture->id = ++begun_;
  capture->mode = mode;
  capture->thread = this_thread();
  capture->graph = std::move(graph);
  capture->streams.push_back({queue, std::move(dependencies)});
  queue->capture = capture;
  active_.push_back(std::move(capture));
}

hip::Error Captures::end(const Queue& queue, std::shared_ptr<GraphTemplate>& graph) {
  const std::shared_ptr<StreamCapture> capture = queue.capture;
  if (capture == nullptr) return hip::kErrorIllegalState;
  if (!capture->is_origin(queue)) return hip::kErrorStreamCaptureUnmatched;
  if (capture->mode != hip::kStreamCaptureModeRelaxed && capture->thread != this_thread()) {
    return hip::kErrorStreamCaptureWrongThread;
  }
  finish(capture);
  if (capture->invalidated) return hip::kErrorStreamCaptureInvalidated;
  if (!capture->is_joined()) return hip::kErrorStreamCaptureUnjoined;
  graph = capture->graph;
  return hip::kSuccess;
}

void Captures::finish(const std::shared_ptr<StreamCapture>& capture) {
  for (const CapturedStream& stream : capture->streams) stream.queue->capture = nullptr;
  std::erase(active_, capture);
}

void Captures::leave(const Queue& queue) {
  const std::shared_ptr<StreamCapture> capture = queue.capture;
  if (capture == nullptr) return;
  if (capture->is_origin(queue)) return finish(capture);
  std::erase_if(capture->streams, [&](const CapturedStream& stream) {
    if (stream.queue.get() != &queue) return false;
    stream.queue->capture = nullptr;
    return true;
  });
}

hip::Error Captures::join(const std::shared_ptr<Queue>& queue, const CapturedPoint& point) {
  const std::shared_ptr<StreamCapture> capture = point.capture.lock();
  if (capture == nullptr) return hip::kSuccess;  // it has ended: as if never recorded
  if (queue->capture != nullptr && queue->capture != capture) {
    queue->capture->invalidated = capture->invalidated = true;
    return hip::kErrorStreamCaptureMerge;
  }
  if (capture->invalidated) return hip::kErrorStreamCaptureInvalidated;
  if (queue->is_legacy) {
    capture->invalidated = true;
    return hip::kErrorStreamCaptureImplicit;
  }
  capture->join(queue, point.nodes);
  queue->capture = capture;
  return hip::kSuccess;
}

hip::Error Captures::check(CallKind kind) {
  switch (kind) {
    case CallKind::kUnsafe:
      if (thread_capture_mode() == hip::kStreamCaptureModeRelaxed) return hip::kSuccess;
      return invalidate_if(forbids_unsafe_calls, hip::kErrorStreamCaptureUnsupported);
    case CallKind::kBlocking:
      return invalidate_if(is_any, hip::kErrorStreamCaptureImplicit);
    case CallKind::kDeviceWait:
      return invalidate_if(is_any, hip::kErrorStreamCaptureUnsupported);
  }
  return hip::kSuccess;
}

hip::Error Captures::check_work(const Queue& queue) {
  if (!queue.is_legacy) return hip::kSuccess;
  return invalidate_if(
      [&](const StreamCapture& capture) {
        return has_blocking_stream(capture, queue.device_ordinal);
      },
      hip::kErrorStreamCaptureImplicit);
}

bool Captures::would_block(const Queue& queue) const {
  return queue.is_legacy && std::any_of(active_.begin(), active_.end(), [&](const auto& capture) {
           return has_blocking_stream(*capture, queue.device_ordinal);
         });
}

hip::Error Captures::check_wait(const Queue& queue) {
  if (queue.capture != nullptr) {
    queue.capture->invalidated = true;
    return hip::kErrorStreamCaptureUnsupported;
  }
  const hip::Error error = check_work(queue);
  return error == hip::kSuccess ? check(CallKind::kUnsafe) : error;
}

hip::Error Captures::check_event(const CapturedPoint& point) {
  if (const std::shared_ptr<StreamCapture> capture = point.capture.lock()) {
    capture->invalidated = true;
    return hip::kErrorCapturedEvent;
  }
  return hip::kSuccess;
}

hip::StreamCaptureMode& thread_capture_mode() {
  thread_local hip::StreamCaptureMode mode = hip::kStreamCaptureModeGlobal;
  return mode;
}

std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const std::uint64_t number = ++threads;
  return number;
}

}  // namespace compass
