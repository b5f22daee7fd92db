// SPDX-License-Identifier: MIT
#include "driverless/gate/reach.h"

#include <algorithm>
#include <unordered_set>

namespace compass::gate {
namespace {

/// Buffer descriptors keep other things in the upper bits of an address.
constexpr std::uint64_t kAddressBits = 0x0000'FFFF'FFFF'FFFF;
constexpr std::uint64_t kPointerBytes = sizeof(std::uint64_t);

class Reach {
 public:
  Reach(const LaunchEvidence& evidence, const Memory* memory)
      : evidence_(evidence), recording_(evidence.context.recording()), memory_(memory) {}

  std::vector<TouchedAllocation> strays() {
    for (const TouchedAllocation& each : evidence_.touched) {
      if (!is_variable(each.allocation)) missing_.push_back(&each);
    }
    take_arguments();
    if (missing_.empty() || memory_ == nullptr) return copies();
    // What is reached may hold pointers to the next.
    while (!missing_.empty() && follow_pointers()) {
    }
    return copies();
  }

 private:
  bool is_variable(AllocationId id) const {
    return recording_.allocation(id).kind == AllocationKind::kGlobal;
  }

  std::vector<TouchedAllocation> copies() const {
    std::vector<TouchedAllocation> all;
    for (const TouchedAllocation* each : missing_) all.push_back(*each);
    return all;
  }

  void take_arguments() {
    std::unordered_set<AllocationId> direct;
    const Launch launch = evidence_.launch();
    for (const LaunchArgument& argument : launch.arguments) {
      if (argument.is_pointer) direct.insert(evidence_.context.root_of(argument.memory.allocation));
    }
    take([&](const TouchedAllocation& each) {
      return direct.contains(each.allocation) || is_in_bytes(launch, each.allocation);
    });
  }

  /// Whether a structure or number that is passed by value holds its address.
  bool is_in_bytes(const Launch& launch, AllocationId id) const {
    for (const LaunchArgument& argument : launch.arguments) {
      for (std::uint64_t at = 0; at + kPointerBytes <= argument.bytes.size(); at += 4) {
        if (points_into(load<std::uint64_t>(argument.bytes, at), id)) return true;
      }
    }
    return false;
  }

  bool points_into(std::uint64_t pointer, AllocationId id) const {
    const Allocation& allocation = recording_.allocation(id);
    return (pointer & kAddressBits) - allocation.address.value <= allocation.size_bytes;
  }

  /// Whether another one was reached.
  bool follow_pointers() {
    const std::size_t before = missing_.size();
    const std::vector<const TouchedAllocation*> holders = std::exchange(fresh_, {});
    for (const TouchedAllocation* holder : holders) {
      const Region* const region =
          memory_->find(recording_.allocation(holder->allocation).address);
      if (region == nullptr || region->id != holder->allocation) continue;
      take([&](const TouchedAllocation& each) { return holds(*region, *holder, each.allocation); });
    }
    return missing_.size() != before;
  }

  bool holds(const Region& region, const TouchedAllocation& holder, AllocationId id) const {
    for (const Extent& extent : holder.extents.reads) {
      std::uint64_t at = (extent.begin + kPointerBytes - 1) / kPointerBytes * kPointerBytes;
      for (; at + kPointerBytes <= std::min(extent.end, region.size_bytes); at += kPointerBytes) {
        const ByteView bytes(region.host + at, kPointerBytes);
        if (points_into(load<std::uint64_t>(bytes, 0), id)) return true;
      }
    }
    return false;
  }

  template <class IsReached>
  void take(IsReached is_reached) {
    std::erase_if(missing_, [&](const TouchedAllocation* each) {
      const bool reached = is_reached(*each);
      if (reached) fresh_.push_back(each);
      return reached;
    });
  }

  const LaunchEvidence& evidence_;
  const Recording& recording_;
  const Memory* memory_;
  std::vector<const TouchedAllocation*> missing_;
  std::vector<const TouchedAllocation*> fresh_;  // reached, and not yet looked into
};

}  // namespace

std::vector<TouchedAllocation> strays_of(const LaunchEvidence& evidence, const Memory* memory) {
  return Reach(evidence, memory).strays();
}

}  // namespace compass::gate
