// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "ir/hip/graph_abi.h"

// Graphs and stream capture: included by api.h. NOLINTBEGIN(readability-identifier-naming)
#pragma GCC visibility push(default)
extern "C" {

namespace compass::hip {

// capture_api.cc
Error hipStreamBeginCapture(Stream stream, StreamCaptureMode mode);
Error hipStreamBeginCaptureToGraph(Stream stream, Graph graph, const GraphNode* dependencies,
                                   const void* dependency_data, std::size_t count,
                                   StreamCaptureMode mode);
Error hipStreamEndCapture(Stream stream, Graph* graph);
Error hipStreamIsCapturing(Stream stream, StreamCaptureStatus* status);
Error hipStreamGetCaptureInfo(Stream stream, StreamCaptureStatus* status, unsigned long long* id);
Error hipStreamGetCaptureInfo_v2(Stream stream, StreamCaptureStatus* status, unsigned long long* id,
                                 Graph* graph, const GraphNode** dependencies, std::size_t* count);
Error hipStreamUpdateCaptureDependencies(Stream stream, GraphNode* dependencies, std::size_t count,
                                         unsigned flags);
Error hipThreadExchangeStreamCaptureMode(StreamCaptureMode* mode);

// graph_api.cc
Error hipGraphCreate(Graph* graph, unsigned flags);
Error hipGraphDestroy(Graph graph);
Error hipGraphGetNodes(Graph graph, GraphNode* nodes, std::size_t* count);

// graph_exec_api.cc
Error hipGraphInstantiate(GraphExec* executable, Graph graph, GraphNode* error_node,
                          char* log_buffer, std::size_t log_bytes);
Error hipGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long flags);
Error hipGraphExecDestroy(GraphExec executable);
Error hipGraphLaunch(GraphExec executable, Stream stream);
Error hipGraphUpload(GraphExec executable, Stream stream);

}  // namespace compass::hip

}  // extern "C"
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
