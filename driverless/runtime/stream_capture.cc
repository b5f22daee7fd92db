// SPDX-License-Identifier: MIT
#include "driverless/runtime/stream_capture.h"

#include <algorithm>
#include <utility>

namespace compass {
namespace {

bool contains(const std::vector<hip::GraphNode>& nodes, hip::GraphNode node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

}  // namespace

CapturedStream* StreamCapture::find(const Queue& queue) {
  const auto at = std::find_if(streams.begin(), streams.end(), [&](const CapturedStream& stream) {
    return stream.queue.get() == &queue;
  });
  return at == streams.end() ? nullptr : &*at;
}

hip::Error StreamCapture::add(const Queue& queue, NodeWork work) {
  if (invalidated) return hip::kErrorStreamCaptureInvalidated;
  CapturedStream& stream = *find(queue);
  // The program may have destroyed nodes of the graph that grows.
  std::erase_if(stream.dependencies,
                [this](hip::GraphNode node) { return graph->find(node) == nullptr; });
  const Node* const node = graph->add(std::move(work), stream.dependencies);
  captured.push_back(node->handle);
  stream.dependencies = {node->handle};
  return hip::kSuccess;
}

void StreamCapture::join(const std::shared_ptr<Queue>& queue,
                         const std::vector<hip::GraphNode>& nodes) {
  CapturedStream* stream = find(*queue);
  if (stream == nullptr) stream = &streams.emplace_back(CapturedStream{queue, {}});
  for (const hip::GraphNode node : nodes) {
    if (!contains(stream->dependencies, node)) stream->dependencies.push_back(node);
  }
}

void StreamCapture::release(const Queue& queue) {
  std::vector<hip::GraphNode>& dependencies = find(queue)->dependencies;
  released.insert(released.end(), dependencies.begin(), dependencies.end());
  dependencies.clear();
}

bool StreamCapture::is_joined() const {
  return std::all_of(captured.begin(), captured.end(), [this](hip::GraphNode handle) {
    const Node* const node = graph->find(handle);
    return node == nullptr || !node->dependents.empty() || contains(released, handle) ||
           contains(streams.front().dependencies, handle);
  });
}

}  // namespace compass
