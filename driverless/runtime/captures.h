// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "driverless/runtime/stream_capture.h"

namespace compass {

/// What a call does besides giving one stream work, where captures may forbid it.
enum class CallKind : std::uint8_t {
  kUnsafe,      ///< acts at once, unseen by captures: allocates, frees, loads code, waits
  kBlocking,    ///< copies or fills, and waits for that, as hipMemcpy does
  kDeviceWait,  ///< waits for all that a device has
};

/// All captures that have begun and not ended, and the rules by which they forbid calls. A call
/// that is forbidden invalidates the captures that forbid it. Threads: one at a time.
class Captures {
 public:
  /// Begins a capture into `graph`, whose nodes of now are not the capture's. What the stream is
  /// given first comes after `dependencies`, which are nodes of it.
  void begin(const std::shared_ptr<Queue>& queue, hip::StreamCaptureMode mode,
             std::shared_ptr<GraphTemplate> graph, std::vector<hip::GraphNode> dependencies);
  /// Ends the capture that began on `queue`. Without a graph where it was invalidated, or
  /// not everything joined.
  hip::Error end(const Queue& queue, std::shared_ptr<GraphTemplate>& graph);
  /// The stream ends, and the capture too if it began there.
  void leave(const Queue& queue);

  /// What `queue` is given from now on comes after a captured point; it may become captured by
  /// this.
  hip::Error join(const std::shared_ptr<Queue>& queue, const CapturedPoint& point);

  /// Whether any capture forbids the call: HIP's error if so.
  hip::Error check(CallKind kind);
  /// Whether work for `queue`, which is not captured, would depend on a captured stream by the
  /// legacy stream's rules.
  hip::Error check_work(const Queue& queue);
  /// The same, for who only asks: nothing becomes invalid.
  bool would_block(const Queue& queue) const;
  /// Whether the host may wait for `queue`, or ask for it.
  hip::Error check_wait(const Queue& queue);
  /// Whether the host may wait for an event that was last recorded at `point`.
  hip::Error check_event(const CapturedPoint& point);

 private:
  /// Invalidates the captures that `forbids` is true of: `error` if there is one.
  template <class Forbids>
  hip::Error invalidate_if(Forbids forbids, hip::Error error);
  void finish(const std::shared_ptr<StreamCapture>& capture);

  std::vector<std::shared_ptr<StreamCapture>> active_;
  std::uint64_t begun_ = 0;
};

/// How the calling thread treats captures: hipThreadExchangeStreamCaptureMode.
hip::StreamCaptureMode& thread_capture_mode();

/// A number for the calling thread, which no other has, nor had.
std::uint64_t this_thread();

}  // namespace compass
