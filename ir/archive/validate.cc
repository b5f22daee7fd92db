// SPDX-License-Identifier: MIT
#include "ir/archive/validate.h"

#include <algorithm>
#include <variant>

#include "ir/archive/validate_parts.h"

namespace compass::archive {
namespace {

Result<void> check_most(std::uint64_t bytes, std::uint64_t most, std::string_view what) {
  if (bytes <= most) return {};
  return corrupt(concat("has ", bytes, " bytes of ", what, ", at most ", most, " are allowed"));
}

Result<void> check_kernel(const Recording& recording, const Kernel& kernel) {
  auto known = check_id(kernel.code_object, recording.code_objects.size(), "code object");
  if (!known) return known;
  if (kernel.wavefront_size != 32 && kernel.wavefront_size != 64) {
    return corrupt(concat("has wavefronts of ", kernel.wavefront_size, " lanes"));
  }
  // Far above what any device has, and far below what hurts.
  constexpr std::uint32_t kMostKernargBytes = 1 << 20;
  constexpr std::uint32_t kMostLdsBytes = 1 << 24;
  constexpr std::uint32_t kMostScratchBytes = 1 << 24;
  if (auto ok = check_most(kernel.kernarg_size_bytes, kMostKernargBytes, "kernarg"); !ok) return ok;
  if (auto ok = check_most(kernel.lds_size_bytes, kMostLdsBytes, "LDS"); !ok) return ok;
  return check_most(kernel.scratch_size_bytes, kMostScratchBytes, "scratch");
}

Result<void> check_argument(const Recording& recording, const Launch& launch,
                            const LaunchArgument& argument) {
  const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
  const std::uint32_t segment = recording.kernel(launch.kernel).kernarg_size_bytes;
  if (end > segment) {
    return corrupt(
        concat("has an argument that ends at byte ", end, " of a kernarg segment of ", segment));
  }
  if (argument.is_pointer ? argument.size_bytes != 8
                          : argument.size_bytes != argument.bytes.size()) {
    return corrupt(concat("has an argument at byte ", argument.offset_bytes,
                          " whose value does not have its size of ", argument.size_bytes));
  }
  return check_memory(recording, argument.memory);
}

/// Ids are in order by now: those before it have been checked.
Result<void> check_block(const Recording& recording, const Allocation& block) {
  if (block.parent >= block.id) {
    return corrupt(concat("is a block of allocation ", block.parent.value));
  }
  const Allocation& parent = recording.allocation(block.parent);
  const std::uint64_t offset = block.address.value - parent.address.value;
  if (block.address >= parent.address && offset <= parent.size_bytes &&
      block.size_bytes <= parent.size_bytes - offset && block.kind == parent.kind) {
    return {};
  }
  return corrupt(
      concat("is a block of allocation ", block.parent.value, ", where it does not lie"));
}

Result<void> check_allocation(const Recording& recording, const Allocation& allocation) {
  if (allocation.parent) return check_block(recording, allocation);
  if (allocation.kind != AllocationKind::kGlobal) return {};
  return check_id(allocation.code_object, recording.code_objects.size(), "code object");
}

Result<void> check_launch(const Recording& recording, const Launch& launch) {
  auto known = check_id(launch.kernel, recording.kernels.size(), "kernel");
  if (!known) return known;
  for (const LaunchArgument& argument : launch.arguments) {
    if (auto fits = check_argument(recording, launch, argument); !fits) return fits;
  }
  return {};
}

}  // namespace

Result<void> check_memory(const Recording& recording, const MemoryRef& memory) {
  if (!memory.allocation) return {};
  const std::vector<Allocation>& all = recording.allocations;
  if (auto known = check_id(memory.allocation, all.size(), "allocation"); !known) return known;
  const std::uint64_t size = recording.allocation(memory.allocation).size_bytes;
  if (memory.offset_bytes <= size) return {};
  return corrupt(concat("names offset ", memory.offset_bytes, " of allocation ",
                        memory.allocation.value, ", which holds ", size, " bytes"));
}

bool names_launch(const Recording& recording, std::uint64_t record_sequence,
                  std::uint64_t node_sequence) {
  const auto find = [&](std::uint64_t sequence) {
    const bool is_record = sequence != 0 && sequence <= recording.records.size();
    return is_record ? &recording.records[sequence - 1] : nullptr;
  };
  const Record* const record = find(record_sequence);
  if (record == nullptr || record->captured) return false;
  if (node_sequence == 0) return std::holds_alternative<LaunchKernel>(record->body);
  const Record* const node = find(node_sequence);
  return std::holds_alternative<LaunchGraph>(record->body) && node != nullptr && node->captured &&
         std::holds_alternative<LaunchKernel>(node->body);
}

Result<void> validate(const Recording& recording, Extent extent) {
  if (auto ok = check_numbering(recording.code_objects, "code object"); !ok) return ok;
  if (auto ok = check_numbering(recording.kernels, "kernel"); !ok) return ok;
  if (auto ok = check_numbering(recording.allocations, "allocation"); !ok) return ok;
  if (auto ok = check_numbering(recording.launches, "launch"); !ok) return ok;
  if (auto ok = check_numbering(recording.steps, "step"); !ok) return ok;
  for (const CodeObject& code_object : recording.code_objects) {
    if (!is_sha256(code_object.sha256)) {
      return corrupt(concat("code object ", code_object.id.value, " has no SHA-256"));
    }
  }
  for (const Kernel& kernel : recording.kernels) {
    auto ok = check_kernel(recording, kernel);
    if (!ok) return std::move(ok).error().with(concat("kernel ", kernel.id.value));
  }
  for (const Allocation& allocation : recording.allocations) {
    auto ok = check_allocation(recording, allocation);
    if (!ok) return std::move(ok).error().with(concat("allocation ", allocation.id.value));
  }
  for (const FirstUse& use : recording.first_uses) {
    if (!use.kernel) continue;
    auto ok = check_id(use.kernel, recording.kernels.size(), "kernel");
    if (!ok) return std::move(ok).error().with("the first use of an allocation");
  }
  for (const Launch& launch : recording.launches) {
    auto ok = check_launch(recording, launch);
    if (!ok) return std::move(ok).error().with(concat("launch ", launch.id.value));
  }
  if (auto ok = check_records(recording, extent); !ok) return ok;
  return check_observed(recording, extent);
}

}  // namespace compass::archive
