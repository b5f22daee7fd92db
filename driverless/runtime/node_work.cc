// SPDX-License-Identifier: MIT
#include "driverless/runtime/node_work.h"

#include <utility>

#include "driverless/runtime/copies.h"
#include "driverless/runtime/kernel_operation.h"

namespace compass {
namespace {

struct TypeOf {
  hip::GraphNodeType operator()(const Operation& operation) const {
    return std::visit(*this, operation);
  }
  hip::GraphNodeType operator()(const ChildGraph&) const { return hip::kGraphNodeGraph; }
  hip::GraphNodeType operator()(const EventRecord&) const { return hip::kGraphNodeEventRecord; }
  hip::GraphNodeType operator()(const EventWait&) const { return hip::kGraphNodeWaitEvent; }
  hip::GraphNodeType operator()(const MemoryAllocation&) const { return hip::kGraphNodeMemAlloc; }
  hip::GraphNodeType operator()(const MemoryFree&) const { return hip::kGraphNodeMemFree; }
  hip::GraphNodeType operator()(const KernelOperation&) const { return hip::kGraphNodeKernel; }
  hip::GraphNodeType operator()(const CopyOperation&) const { return hip::kGraphNodeMemcpy; }
  hip::GraphNodeType operator()(const FillOperation&) const { return hip::kGraphNodeMemset; }
  hip::GraphNodeType operator()(const HostOperation&) const { return hip::kGraphNodeHost; }
  template <class Other>
  hip::GraphNodeType operator()(const Other&) const {
    return hip::kGraphNodeEmpty;
  }
};

}  // namespace

hip::GraphNodeType type_of(const NodeWork& work) { return std::visit(TypeOf{}, work); }

hip::Error make_work(Device& device, const hip::KernelNodeParams* parameters, NodeWork& work) {
  if (parameters == nullptr || parameters->function == nullptr) return hip::kErrorInvalidValue;
  const bool gives_twice = parameters->arguments != nullptr && parameters->extra != nullptr;
  if (gives_twice) return hip::kErrorInvalidValue;
  LaunchArguments arguments{.values = parameters->arguments};
  if (parameters->extra != nullptr) {
    const hip::Error error = read_extra(parameters->extra, arguments);
    if (error != hip::kSuccess) return error;
  }
  KernelOperation operation;
  const hip::Error error = make_kernel_operation(
      device, device.ordinal, parameters->function,
      {parameters->grid_workgroups, parameters->workgroup_workitems, parameters->dynamic_lds_bytes},
      arguments, operation);
  if (error == hip::kSuccess) work = Operation{std::move(operation)};
  return error;
}

hip::Error make_work(Device& device, const hip::MemsetParams* parameters, NodeWork& work) {
  if (parameters == nullptr || parameters->height == 0) return hip::kErrorInvalidValue;
  const unsigned element_bytes = parameters->element_bytes;
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) {
    return hip::kErrorInvalidValue;
  }
  FillOperation fill{.to = {.pointer = parameters->to, .row_pitch_bytes = parameters->pitch_bytes},
                     .pattern = {.value = parameters->value & (~0u >> (32 - 8 * element_bytes)),
                                 .size_bytes = element_bytes},
                     .box = {.height = parameters->height}};
  if (__builtin_mul_overflow(parameters->width, element_bytes, &fill.box.width_bytes) ||
      (fill.box.height > 1 && parameters->pitch_bytes < fill.box.width_bytes)) {
    return hip::kErrorInvalidValue;
  }
  const hip::Error error = device.platform.memory.check(fill);
  if (error == hip::kSuccess) work = Operation{fill};
  return error;
}

hip::Error make_work(Device&, const hip::HostNodeParams* parameters, NodeWork& work) {
  if (parameters == nullptr || parameters->function == nullptr) return hip::kErrorInvalidValue;
  work = Operation{HostOperation{parameters->function, parameters->user_data}};
  return hip::kSuccess;
}

hip::Error make_work(Device& device, const hip::Memcpy3DParms* parameters, NodeWork& work) {
  CopyOperation copy;
  hip::Error error = make_copy(parameters, copy);
  if (error == hip::kSuccess) error = device.platform.memory.check(copy);
  if (error == hip::kSuccess) work = Operation{std::move(copy)};
  return error;
}

hip::Error make_copy_work(Device& device, void* to, const void* from, std::size_t size_bytes,
                          hip::MemcpyKind kind, NodeWork& work) {
  if (size_bytes == 0 || to == from) return hip::kErrorInvalidValue;
  CopyOperation copy{.to = {.pointer = to},
                     .from = {.pointer = const_cast<void*>(from)},
                     .box = {.width_bytes = size_bytes},
                     .kind = kind};
  const hip::Error error = device.platform.memory.check(copy);
  if (error == hip::kSuccess) work = Operation{std::move(copy)};
  return error;
}

hip::Error make_child_work(Device& device, hip::Graph graph, NodeWork& work) {
  const GraphTemplate* const found = device.platform.graphs.find(graph);
  if (found == nullptr) return hip::kErrorInvalidValue;
  if (found->has_memory_nodes()) return hip::kErrorNotSupported;
  work = ChildGraph{found->clone()};
  return hip::kSuccess;
}

hip::KernelNodeParams parameters_of(const KernelOperation& operation,
                                    std::vector<void*>& arguments) {
  arguments.clear();
  for (const KernelArgument& argument : Agent::metadata(*operation.kernel).arguments) {
    if (argument.kind == ArgumentKind::kHidden) continue;
    arguments.push_back(const_cast<std::byte*>(operation.explicit_kernarg.data()) +
                        argument.offset_bytes);
  }
  const auto& workgroup = operation.workgroup_workitems;
  const auto& grid = operation.grid_workgroups;
  return {.workgroup_workitems = {workgroup[0], workgroup[1], workgroup[2]},
          .extra = nullptr,
          .function = const_cast<void*>(operation.function),
          .grid_workgroups = {grid[0], grid[1], grid[2]},
          .arguments = arguments.data(),
          .dynamic_lds_bytes = operation.dynamic_lds_bytes};
}

hip::MemsetParams parameters_of(const FillOperation& operation) {
  return {.to = operation.to.pointer,
          .element_bytes = operation.pattern.size_bytes,
          .height = operation.box.height,
          .pitch_bytes = operation.to.row_pitch_bytes,
          .value = operation.pattern.value,
          .width = operation.box.width_bytes / operation.pattern.size_bytes};
}

hip::Memcpy3DParms parameters_of(const CopyOperation& operation) {
  const Box& box = operation.box;
  const auto pitched = [&](const Pitched& place) {
    const std::size_t row_bytes =
        place.row_pitch_bytes == 0 ? box.width_bytes : place.row_pitch_bytes;
    return hip::PitchedPtr{
        place.pointer, row_bytes, box.width_bytes,
        place.slice_pitch_bytes == 0 ? box.height : place.slice_pitch_bytes / row_bytes};
  };
  return {.from_array = nullptr,
          .from_position = {},
          .from = pitched(operation.from),
          .to_array = nullptr,
          .to_position = {},
          .to = pitched(operation.to),
          .extent = {box.width_bytes, box.height, box.depth},
          .kind = operation.kind};
}

hip::HostNodeParams parameters_of(const HostOperation& operation) {
  return {operation.function, operation.user_data};
}

}  // namespace compass
