// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "driverless/runtime/graph_template.h"
#include "driverless/runtime/runtime.h"
#include "ir/hip/graph_abi.h"

namespace compass {

hip::GraphNodeType type_of(const NodeWork& work);

// Makes what a node does from HIP's parameters for it, which are checked and copied. A null pointer
// gives kErrorInvalidValue.
hip::Error make_work(Device& device, const hip::KernelNodeParams* parameters, NodeWork& work);
hip::Error make_work(Device& device, const hip::MemsetParams* parameters, NodeWork& work);
hip::Error make_work(Device& device, const hip::HostNodeParams* parameters, NodeWork& work);

hip::Error make_work(Device& device, const hip::Memcpy3DParms* parameters, NodeWork& work);

/// The copy of `size_bytes` contiguous bytes; there must be some.
hip::Error make_copy_work(Device& device, void* to, const void* from, std::size_t size_bytes,
                          hip::MemcpyKind kind, NodeWork& work);
/// A copy of that graph, which must not be `parent`.
hip::Error make_child_work(Device& device, hip::Graph graph, NodeWork& work);
/// `Work` is EventRecord or EventWait.
template <class Work>
hip::Error make_event_work(Device& device, hip::Event event, NodeWork& work) {
  if (device.platform.events.find(event) == nullptr) return hip::kErrorInvalidValue;
  work = Work{event};
  return hip::kSuccess;
}

// The parameters of a node as HIP gives them. Pointers in those of a kernel point into `operation`
// and `arguments`.
hip::KernelNodeParams parameters_of(const KernelOperation& operation,
                                    std::vector<void*>& arguments);
hip::MemsetParams parameters_of(const FillOperation& operation);
hip::Memcpy3DParms parameters_of(const CopyOperation& operation);
hip::HostNodeParams parameters_of(const HostOperation& operation);

/// The operation of that kind, if the node runs one.
template <class Kind>
const Kind* operation_in(const NodeWork& work) {
  const auto* const operation = std::get_if<Operation>(&work);
  return operation == nullptr ? nullptr : std::get_if<Kind>(operation);
}

}  // namespace compass
