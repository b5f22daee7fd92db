// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "driverless/runtime/linkage.h"
#include "ir/hip/graph_abi.h"

// Graphs and stream capture: included by api.h. NOLINTBEGIN(readability-identifier-naming)
#pragma GCC visibility push(default)
extern COMPASS_HIP_LINKAGE {

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
Error hipGraphClone(Graph* clone, Graph original);
Error hipGraphNodeFindInClone(GraphNode* node, GraphNode original, Graph clone);
Error hipGraphGetNodes(Graph graph, GraphNode* nodes, std::size_t* count);
Error hipGraphGetRootNodes(Graph graph, GraphNode* nodes, std::size_t* count);
Error hipGraphGetEdges(Graph graph, GraphNode* from, GraphNode* to, std::size_t* count);
Error hipGraphAddDependencies(Graph graph, const GraphNode* from, const GraphNode* to,
                              std::size_t count);
Error hipGraphRemoveDependencies(Graph graph, const GraphNode* from, const GraphNode* to,
                                 std::size_t count);
Error hipGraphNodeGetDependencies(GraphNode node, GraphNode* dependencies, std::size_t* count);
Error hipGraphNodeGetDependentNodes(GraphNode node, GraphNode* dependents, std::size_t* count);
Error hipGraphNodeGetType(GraphNode node, GraphNodeType* type);
Error hipGraphDestroyNode(GraphNode node);
Error hipGraphDebugDotPrint(Graph graph, const char* path, unsigned);

// graph_nodes_api.cc
Error hipGraphAddEmptyNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                           std::size_t count);
Error hipGraphAddKernelNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                            std::size_t count, const KernelNodeParams* parameters);
Error hipGraphAddMemcpyNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                            std::size_t count, const Memcpy3DParms* parameters);
Error hipGraphAddMemcpyNode1D(GraphNode* node, Graph graph, const GraphNode* dependencies,
                              std::size_t count, void* to, const void* from, std::size_t size_bytes,
                              MemcpyKind kind);
Error hipGraphAddMemsetNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                            std::size_t count, const MemsetParams* parameters);
Error hipGraphAddHostNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                          std::size_t count, const HostNodeParams* parameters);
Error hipGraphAddChildGraphNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                std::size_t count, Graph child);
Error hipGraphAddEventRecordNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                 std::size_t count, Event event);
Error hipGraphAddEventWaitNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                               std::size_t count, Event event);

// node_parameters_api.cc
Error hipGraphKernelNodeGetParams(GraphNode node, KernelNodeParams* parameters);
Error hipGraphKernelNodeSetParams(GraphNode node, const KernelNodeParams* parameters);
Error hipGraphMemcpyNodeGetParams(GraphNode node, Memcpy3DParms* parameters);
Error hipGraphMemcpyNodeSetParams(GraphNode node, const Memcpy3DParms* parameters);
Error hipGraphMemcpyNodeSetParams1D(GraphNode node, void* to, const void* from,
                                    std::size_t size_bytes, MemcpyKind kind);
Error hipGraphMemsetNodeGetParams(GraphNode node, MemsetParams* parameters);
Error hipGraphMemsetNodeSetParams(GraphNode node, const MemsetParams* parameters);
Error hipGraphHostNodeGetParams(GraphNode node, HostNodeParams* parameters);
Error hipGraphHostNodeSetParams(GraphNode node, const HostNodeParams* parameters);
Error hipGraphEventRecordNodeGetEvent(GraphNode node, Event* event);
Error hipGraphEventRecordNodeSetEvent(GraphNode node, Event event);
Error hipGraphEventWaitNodeGetEvent(GraphNode node, Event* event);
Error hipGraphEventWaitNodeSetEvent(GraphNode node, Event event);
Error hipGraphChildGraphNodeGetGraph(GraphNode node, Graph* graph);
Error hipGraphKernelNodeGetAttribute(GraphNode node, KernelNodeAttribute attribute, void* value);
Error hipGraphKernelNodeSetAttribute(GraphNode node, KernelNodeAttribute attribute,
                                     const void* value);
Error hipGraphKernelNodeCopyAttributes(GraphNode from, GraphNode to);

// any_node_api.cc
Error hipGraphAddNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                      std::size_t count, GraphNodeParams* parameters);
Error hipGraphNodeSetParams(GraphNode node, GraphNodeParams* parameters);
Error hipGraphExecNodeSetParams(GraphExec executable, GraphNode node, GraphNodeParams* parameters);

// symbol_nodes_api.cc
Error hipGraphAddMemcpyNodeToSymbol(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                    std::size_t count, const void* symbol, const void* from,
                                    std::size_t size_bytes, std::size_t offset_bytes,
                                    MemcpyKind kind);
Error hipGraphAddMemcpyNodeFromSymbol(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                      std::size_t count, void* to, const void* symbol,
                                      std::size_t size_bytes, std::size_t offset_bytes,
                                      MemcpyKind kind);
Error hipGraphMemcpyNodeSetParamsToSymbol(GraphNode node, const void* symbol, const void* from,
                                          std::size_t size_bytes, std::size_t offset_bytes,
                                          MemcpyKind kind);
Error hipGraphMemcpyNodeSetParamsFromSymbol(GraphNode node, void* to, const void* symbol,
                                            std::size_t size_bytes, std::size_t offset_bytes,
                                            MemcpyKind kind);
Error hipGraphExecMemcpyNodeSetParamsToSymbol(GraphExec executable, GraphNode node,
                                              const void* symbol, const void* from,
                                              std::size_t size_bytes, std::size_t offset_bytes,
                                              MemcpyKind kind);
Error hipGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec executable, GraphNode node, void* to,
                                                const void* symbol, std::size_t size_bytes,
                                                std::size_t offset_bytes, MemcpyKind kind);

// driver_nodes_api.cc
Error hipDrvGraphAddMemcpyNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                               std::size_t count, const DriverMemcpy3D* parameters,
                               Context context);
Error hipDrvGraphMemcpyNodeGetParams(GraphNode node, DriverMemcpy3D* parameters);
Error hipDrvGraphMemcpyNodeSetParams(GraphNode node, const DriverMemcpy3D* parameters);
Error hipDrvGraphExecMemcpyNodeSetParams(GraphExec executable, GraphNode node,
                                         const DriverMemcpy3D* parameters, Context);
Error hipDrvGraphAddMemsetNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                               std::size_t count, const void* parameters, Context);
Error hipDrvGraphExecMemsetNodeSetParams(GraphExec executable, GraphNode node,
                                         const void* parameters, Context);
Error hipDrvGraphAddMemFreeNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                                std::size_t count, void* pointer);

// graph_memory_api.cc
Error hipGraphAddMemAllocNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                              std::size_t count, MemAllocNodeParams* parameters);
Error hipGraphAddMemFreeNode(GraphNode* node, Graph graph, const GraphNode* dependencies,
                             std::size_t count, void* pointer);
Error hipGraphMemAllocNodeGetParams(GraphNode node, MemAllocNodeParams* parameters);
Error hipGraphMemFreeNodeGetParams(GraphNode node, void* pointer);
Error hipDeviceGetGraphMemAttribute(int device_ordinal, GraphMemAttribute attribute, void* value);
Error hipDeviceSetGraphMemAttribute(int device_ordinal, GraphMemAttribute attribute, void* value);
Error hipDeviceGraphMemTrim(int device_ordinal);

// graph_exec_api.cc
Error hipGraphInstantiate(GraphExec* executable, Graph graph, GraphNode* error_node,
                          char* log_buffer, std::size_t log_bytes);
Error hipGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long flags);
Error hipGraphInstantiateWithParams(GraphExec* executable, Graph graph,
                                    GraphInstantiateParams* parameters);
Error hipGraphExecDestroy(GraphExec executable);
Error hipGraphLaunch(GraphExec executable, Stream stream);
Error hipGraphUpload(GraphExec executable, Stream stream);
Error hipGraphExecGetFlags(GraphExec executable, unsigned long long* flags);
Error hipGraphExecUpdate(GraphExec executable, Graph graph, GraphNode* error_node,
                         GraphExecUpdateResult* result);

// executable_nodes_api.cc
Error hipGraphExecKernelNodeSetParams(GraphExec executable, GraphNode node,
                                      const KernelNodeParams* parameters);
Error hipGraphExecMemcpyNodeSetParams(GraphExec executable, GraphNode node,
                                      Memcpy3DParms* parameters);
Error hipGraphExecMemcpyNodeSetParams1D(GraphExec executable, GraphNode node, void* to,
                                        const void* from, std::size_t size_bytes, MemcpyKind kind);
Error hipGraphExecMemsetNodeSetParams(GraphExec executable, GraphNode node,
                                      const MemsetParams* parameters);
Error hipGraphExecHostNodeSetParams(GraphExec executable, GraphNode node,
                                    const HostNodeParams* parameters);
Error hipGraphExecEventRecordNodeSetEvent(GraphExec executable, GraphNode node, Event event);
Error hipGraphExecEventWaitNodeSetEvent(GraphExec executable, GraphNode node, Event event);
Error hipGraphExecChildGraphNodeSetParams(GraphExec executable, GraphNode node, Graph child);
Error hipGraphNodeSetEnabled(GraphExec executable, GraphNode node, unsigned enabled);
Error hipGraphNodeGetEnabled(GraphExec executable, GraphNode node, unsigned* enabled);

// user_object_api.cc
Error hipUserObjectCreate(UserObject* object, void* pointer, HostFunction destroy,
                          unsigned references, unsigned flags);
Error hipUserObjectRetain(UserObject object, unsigned count);
Error hipUserObjectRelease(UserObject object, unsigned count);
Error hipGraphRetainUserObject(Graph graph, UserObject object, unsigned count, unsigned flags);
Error hipGraphReleaseUserObject(Graph graph, UserObject object, unsigned count);

// per_thread_capture_api.cc
Error hipGraphLaunch_spt(GraphExec executable, Stream stream);
Error hipStreamBeginCapture_spt(Stream stream, StreamCaptureMode mode);
Error hipStreamEndCapture_spt(Stream stream, Graph* graph);
Error hipStreamIsCapturing_spt(Stream stream, StreamCaptureStatus* status);
Error hipStreamGetCaptureInfo_spt(Stream stream, StreamCaptureStatus* status,
                                  unsigned long long* id);
Error hipStreamGetCaptureInfo_v2_spt(Stream stream, StreamCaptureStatus* status,
                                     unsigned long long* id, Graph* graph,
                                     const GraphNode** dependencies, std::size_t* count);

}  // namespace compass::hip

}  // extern COMPASS_HIP_LINKAGE
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
