// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driverless/runtime/graph_template.h"
#include "driverless/runtime/queue.h"
#include "ir/hip/graph_abi.h"

namespace compass {

/// A stream that takes part in a capture.
struct CapturedStream {
  std::shared_ptr<Queue> queue;
  std::vector<hip::GraphNode> dependencies;  ///< of what it is given next
};

/// One capture sequence, from its begin on one stream to its end on the same: what the streams that
/// take part are given becomes nodes of a graph. Threads: one at a time.
struct StreamCapture {
  std::uint64_t id = 0;
  hip::StreamCaptureMode mode = hip::kStreamCaptureModeGlobal;
  std::uint64_t thread = 0;  ///< of the host, that began it: see this_thread()
  std::shared_ptr<GraphTemplate> graph;
  bool invalidated = false;
  std::vector<CapturedStream> streams;   ///< first the one that it began on
  std::vector<hip::GraphNode> captured;  ///< nodes that it made
  std::vector<hip::GraphNode> released;  ///< of those, which need not be joined in the end

  CapturedStream* find(const Queue& queue);
  bool is_origin(const Queue& queue) const { return streams.front().queue.get() == &queue; }

  /// Makes what `queue` is given a node: after what that stream has had, before what it will have.
  hip::Error add(const Queue& queue, NodeWork work);
  /// What `queue` is given from now on comes after `nodes` too. It may be new here.
  void join(const std::shared_ptr<Queue>& queue, const std::vector<hip::GraphNode>& nodes);
  /// What `queue` is given from now on depends on nothing; what it depended on need not be joined.
  void release(const Queue& queue);
  /// Whether the stream that it began on has waited for all that was captured.
  bool is_joined() const;
};

/// Where an event was recorded, if the last record was captured.
struct CapturedPoint {
  std::weak_ptr<StreamCapture> capture;
  std::vector<hip::GraphNode> nodes;
};

}  // namespace compass
