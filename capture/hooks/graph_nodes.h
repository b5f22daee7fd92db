// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capture/recorder.h"
#include "ir/hip/graph_abi.h"

namespace compass::capture {

/// The graph's nodes, in the order in which they were made. Absent where the runtime knows no such
/// graph.
std::optional<std::vector<Graphs::Node>> nodes_in(Recorder& recorder, hip::Graph graph);

/// What the graph would run, were it instantiated now. What its nodes do that were not captured is
/// asked of the runtime, and appended. Absent as above.
std::optional<std::vector<journal::GraphNode>> read_nodes(Recorder& recorder, hip::Graph graph);

// Appends what a node does. The entry's number; 0 where it could not be recorded, which is said.

std::uint64_t append_node(Recorder& recorder, const hip::KernelNodeParams& parameters);
std::uint64_t append_node(Recorder& recorder, const hip::Memcpy3DParms& parameters);
std::uint64_t append_node(Recorder& recorder, const hip::DriverMemcpy3D& parameters);
std::uint64_t append_node(Recorder& recorder, const hip::MemsetParams& parameters);
std::uint64_t append_copy_node(Recorder& recorder, const void* to, const void* from,
                               std::size_t size_bytes, unsigned kind);
std::uint64_t append_host_node(Recorder& recorder);
std::uint64_t append_event_record_node(Recorder& recorder, hip::Event event);
std::uint64_t append_event_wait_node(Recorder& recorder, hip::Event event);
std::uint64_t append_child_node(Recorder& recorder, hip::Graph child);
std::uint64_t append_node(Recorder& recorder, const hip::GraphNodeParams& parameters);

}  // namespace compass::capture
