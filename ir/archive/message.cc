// SPDX-License-Identifier: MIT
#include "ir/archive/message.h"

#include "ir/archive/message_parts.h"
#include "ir/archive/utf8.h"

namespace compass::archive {
namespace {

void set_argument(pb::LaunchArgument& message, const LaunchArgument& argument) {
  message.set_offset_bytes(argument.offset_bytes);
  message.set_size_bytes(argument.size_bytes);
  if (argument.is_pointer) {
    set_memory(*message.mutable_memory(), argument.memory);
  } else {
    message.set_bytes(argument.bytes.data(), argument.bytes.size());
  }
}

LaunchArgument argument_of(const pb::LaunchArgument& message) {
  LaunchArgument argument;
  argument.offset_bytes = message.offset_bytes();
  argument.size_bytes = message.size_bytes();
  argument.is_pointer = message.has_memory();
  if (argument.is_pointer) {
    argument.memory = memory_of(message.memory());
  } else {
    const ByteView bytes = as_byte_view(message.bytes());
    argument.bytes.assign(bytes.begin(), bytes.end());
  }
  return argument;
}

Device device_of(const pb::Device& message) {
  return {message.architecture(), message.name(), message.declared(), message.runtime_version()};
}

Result<KernelArgument> kernel_argument_of(const pb::KernelArgument& message) {
  KernelArgument argument;
  argument.name = message.name();
  argument.value_kind = message.value_kind();
  ASSIGN_OR_RETURN(argument.kind,
                   enumerator(message.kind(), ArgumentKind::kOther, "argument kind"));
  argument.offset_bytes = message.offset_bytes();
  argument.size_bytes = message.size_bytes();
  return argument;
}

}  // namespace

std::string encode_process(const Recording& recording) {
  pb::Process process;
  pb::Device& message = *process.mutable_device();
  const Device& device = recording.device;
  message.set_architecture(to_utf8(device.architecture));
  message.set_name(to_utf8(device.name));
  message.set_declared(device.declared);
  message.set_runtime_version(device.runtime_version);
  process.set_contents(static_cast<pb::ContentsMode>(recording.contents));
  return process.SerializeAsString();
}

Result<void> decode_process(ByteView bytes, Recording& recording) {
  ASSIGN_OR_RETURN(const pb::Process message, parse<pb::Process>(bytes));
  recording.device = device_of(message.device());
  ASSIGN_OR_RETURN(recording.contents,
                   enumerator(message.contents(), ContentsMode::kAll, "contents mode"));
  return {};
}

Result<Device> decode_device(ByteView bytes) {
  ASSIGN_OR_RETURN(const pb::Device message, parse<pb::Device>(bytes));
  return device_of(message);
}

std::string encode(const CodeObject& code_object) {
  pb::CodeObject message;
  message.set_id(code_object.id.value);
  message.set_sha256(to_utf8(code_object.sha256));
  message.set_target(to_utf8(code_object.target));
  message.set_size_bytes(code_object.size_bytes);
  return message.SerializeAsString();
}

Result<CodeObject> decode_code_object(ByteView bytes) {
  ASSIGN_OR_RETURN(const pb::CodeObject message, parse<pb::CodeObject>(bytes));
  return CodeObject{{message.id()}, message.sha256(), message.target(), message.size_bytes()};
}

std::string encode(const Kernel& kernel) {
  pb::Kernel message;
  message.set_id(kernel.id.value);
  message.set_code_object(kernel.code_object.value);
  message.set_name(to_utf8(kernel.name));
  message.set_demangled(to_utf8(kernel.demangled));
  message.set_canonical(to_utf8(kernel.canonical));
  message.set_kernarg_size_bytes(kernel.kernarg_size_bytes);
  message.set_lds_size_bytes(kernel.lds_size_bytes);
  message.set_scratch_size_bytes(kernel.scratch_size_bytes);
  message.set_wavefront_size(kernel.wavefront_size);
  message.set_vgpr_count(kernel.vgpr_count);
  message.set_agpr_count(kernel.agpr_count);
  message.set_sgpr_count(kernel.sgpr_count);
  message.set_max_workgroup_workitems(kernel.max_workgroup_workitems);
  for (const KernelArgument& argument : kernel.arguments) {
    pb::KernelArgument& part = *message.add_arguments();
    part.set_name(to_utf8(argument.name));
    part.set_value_kind(to_utf8(argument.value_kind));
    part.set_kind(static_cast<pb::ArgumentKind>(argument.kind));
    part.set_offset_bytes(argument.offset_bytes);
    part.set_size_bytes(argument.size_bytes);
  }
  return message.SerializeAsString();
}

Result<Kernel> decode_kernel(ByteView bytes) {
  ASSIGN_OR_RETURN(const pb::Kernel message, parse<pb::Kernel>(bytes));
  Kernel kernel;
  kernel.id = {message.id()};
  kernel.code_object = {message.code_object()};
  kernel.name = message.name();
  kernel.demangled = message.demangled();
  kernel.canonical = message.canonical();
  kernel.kernarg_size_bytes = message.kernarg_size_bytes();
  kernel.lds_size_bytes = message.lds_size_bytes();
  kernel.scratch_size_bytes = message.scratch_size_bytes();
  kernel.wavefront_size = message.wavefront_size();
  kernel.vgpr_count = message.vgpr_count();
  kernel.agpr_count = message.agpr_count();
  kernel.sgpr_count = message.sgpr_count();
  kernel.max_workgroup_workitems = message.max_workgroup_workitems();
  for (const pb::KernelArgument& part : message.arguments()) {
    ASSIGN_OR_RETURN(KernelArgument argument, kernel_argument_of(part));
    kernel.arguments.push_back(std::move(argument));
  }
  return kernel;
}

std::string encode(const Allocation& allocation) {
  pb::Allocation message;
  message.set_id(allocation.id.value);
  message.set_address(allocation.address.value);
  message.set_size_bytes(allocation.size_bytes);
  message.set_kind(static_cast<pb::AllocationKind>(allocation.kind));
  message.set_generation(allocation.generation);
  message.set_name(to_utf8(allocation.info.name));
  message.set_role(to_utf8(allocation.info.role));
  message.set_dtype(to_utf8(allocation.info.dtype));
  message.mutable_shape()->Assign(allocation.info.shape.begin(), allocation.info.shape.end());
  message.mutable_strides()->Assign(allocation.info.strides.begin(), allocation.info.strides.end());
  message.set_code_object(allocation.code_object.value);
  message.set_symbol(to_utf8(allocation.symbol));
  message.set_parent(allocation.parent.value);
  return message.SerializeAsString();
}

Result<Allocation> decode_allocation(ByteView bytes) {
  ASSIGN_OR_RETURN(const pb::Allocation message, parse<pb::Allocation>(bytes));
  Allocation allocation;
  allocation.id = {message.id()};
  allocation.address = {message.address()};
  allocation.size_bytes = message.size_bytes();
  ASSIGN_OR_RETURN(allocation.kind,
                   enumerator(message.kind(), AllocationKind::kGlobal, "allocation kind"));
  allocation.generation = message.generation();
  allocation.info.name = message.name();
  allocation.info.role = message.role();
  allocation.info.dtype = message.dtype();
  allocation.info.shape.assign(message.shape().begin(), message.shape().end());
  allocation.info.strides.assign(message.strides().begin(), message.strides().end());
  allocation.code_object = {message.code_object()};
  allocation.symbol = message.symbol();
  allocation.parent = {message.parent()};
  return allocation;
}

std::string encode(const Launch& launch) {
  pb::Launch message;
  message.set_id(launch.id.value);
  message.set_kernel(launch.kernel.value);
  for (const std::uint32_t count : launch.grid_workgroups) message.add_grid_workgroups(count);
  for (const std::uint32_t count : launch.workgroup_workitems) {
    message.add_workgroup_workitems(count);
  }
  message.set_dynamic_lds_bytes(launch.dynamic_lds_bytes);
  for (const LaunchArgument& argument : launch.arguments) {
    set_argument(*message.add_arguments(), argument);
  }
  message.set_is_cooperative(launch.is_cooperative);
  return message.SerializeAsString();
}

Result<Launch> decode_launch(ByteView bytes) {
  ASSIGN_OR_RETURN(const pb::Launch message, parse<pb::Launch>(bytes));
  if (message.grid_workgroups_size() != 3 || message.workgroup_workitems_size() != 3) {
    return Error{ErrorCode::kCorrupt, "a grid or workgroup without three sizes"};
  }
  Launch launch;
  launch.id = {message.id()};
  launch.kernel = {message.kernel()};
  for (int i = 0; i < 3; ++i) {
    launch.grid_workgroups[static_cast<std::size_t>(i)] = message.grid_workgroups(i);
    launch.workgroup_workitems[static_cast<std::size_t>(i)] = message.workgroup_workitems(i);
  }
  launch.dynamic_lds_bytes = message.dynamic_lds_bytes();
  for (const pb::LaunchArgument& part : message.arguments()) {
    launch.arguments.push_back(argument_of(part));
  }
  launch.is_cooperative = message.is_cooperative();
  return launch;
}

std::string encode(const Step& step) {
  pb::Step message;
  message.set_id(step.id.value);
  message.set_kind(to_utf8(step.kind));
  message.set_produces_output(step.produces_output);
  message.set_deferred(step.deferred);
  message.set_real_rows(step.real_rows);
  message.set_padded_rows(step.padded_rows);
  message.mutable_request_ids()->Assign(step.request_ids.begin(), step.request_ids.end());
  message.mutable_positions()->Assign(step.positions.begin(), step.positions.end());
  message.mutable_may_end()->Assign(step.may_end.begin(), step.may_end.end());
  return message.SerializeAsString();
}

Result<Step> decode_step(ByteView bytes) {
  ASSIGN_OR_RETURN(const pb::Step message, parse<pb::Step>(bytes));
  Step step;
  step.id = {message.id()};
  step.kind = message.kind();
  step.produces_output = message.produces_output();
  step.deferred = message.deferred();
  step.real_rows = message.real_rows();
  step.padded_rows = message.padded_rows();
  step.request_ids.assign(message.request_ids().begin(), message.request_ids().end());
  step.positions.assign(message.positions().begin(), message.positions().end());
  step.may_end.assign(message.may_end().begin(), message.may_end().end());
  return step;
}

}  // namespace compass::archive
