// SPDX-License-Identifier: MIT
#include "driverless/gate/blame.h"

#include <limits>

namespace compass::gate {
namespace {

// No index leads as far as this, as no device has so much memory.
constexpr std::uint64_t kFarBytes = std::uint64_t{1} << 40;

/// What an argument points to: an allocation, or, where there is none, nothing at its address.
struct Target {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Target target_of(const Recording& recording, const MemoryRef& memory) {
  if (!memory.allocation) return {memory.offset_bytes, memory.offset_bytes};
  const Allocation& allocation = recording.allocation(memory.allocation);
  return {allocation.address.value, allocation.address.value + allocation.size_bytes};
}

/// How many bytes lie between an access and what an argument points to.
std::uint64_t distance(const Target& target, const Fault& fault) {
  if (fault.address.value >= target.end) return fault.address.value - target.end;
  const std::uint64_t access_end = fault.address.value + fault.size_bytes;
  return access_end <= target.begin ? target.begin - access_end : 0;
}

}  // namespace

const LaunchArgument* blame(const Context& context, const Launch& launch, const Fault& fault) {
  const LaunchArgument* best = nullptr;
  std::uint64_t best_distance = std::numeric_limits<std::uint64_t>::max();
  bool best_is_past = false;
  for (const LaunchArgument& argument : launch.arguments) {
    if (!argument.is_pointer) continue;
    if (fault.kind == FaultKind::kUseAfterFree && fault.allocation) {
      if (context.root_of(argument.memory.allocation) == fault.allocation) return &argument;
      continue;
    }
    if (fault.address.value < kNullBytes && !argument.memory.is_null()) continue;
    const Target target = target_of(context.recording(), argument.memory);
    const std::uint64_t away = distance(target, fault);
    if (away > kFarBytes) continue;
    const bool is_past = fault.address.value >= target.begin;
    if (away > best_distance || (away == best_distance && (best_is_past || !is_past))) continue;
    best = &argument;
    best_distance = away;
    best_is_past = is_past;
  }
  return best;
}

}  // namespace compass::gate
