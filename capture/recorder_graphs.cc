// SPDX-License-Identifier: MIT
// What the recorder knows of the nodes of graphs.
#include <optional>

#include "capture/recorder.h"
#include "capture/recorder_lock.h"
#include "capture/stream_of.h"

namespace compass::capture {
std::uint64_t Recorder::capture_for(std::uint64_t stream, Work work) const {
  if (work == Work::kOfNode) return kByHand;
  const FindCapture find = find_capture_.load(std::memory_order_acquire);
  return find == nullptr ? kNoCapture : find(stream);
}

std::uint64_t Recorder::capture_for(const journal::Body& body, Work work) const {
  if (work == Work::kOfNode) return kByHand;
  if (find_capture_.load(std::memory_order_relaxed) == nullptr) return kNoCapture;
  const auto stream = stream_of(body);
  return stream ? capture_for(*stream, work) : kNoCapture;
}

std::uint64_t Recorder::lasting_node_entry(std::uint64_t node) {
  const Lock lock(*this);
  return lock ? graphs_.lasting_entry(node) : 0;
}

void Recorder::set_node_entry(std::uint64_t node, std::uint64_t entry, bool lasts) {
  const Lock lock(*this);
  if (lock && entry != 0) graphs_.set_entry(node, entry, lasts);
}

std::uint64_t Recorder::node_entry(std::uint64_t node) {
  const Lock lock(*this);
  return lock ? graphs_.entry_of(node) : 0;
}

void Recorder::end_capture(std::uint64_t capture, std::uint64_t graph,
                           std::span<const Graphs::Node> nodes) {
  const Lock lock(*this);
  if (lock) graphs_.end_capture(capture, graph, nodes);
}

void Recorder::forget_node(std::uint64_t node) {
  const Lock lock(*this);
  if (lock) graphs_.forget_node(node);
}

void Recorder::forget_graph(std::uint64_t graph) {
  const Lock lock(*this);
  if (lock) graphs_.forget_graph(graph);
}

}  // namespace compass::capture
