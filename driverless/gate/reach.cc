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
    follow();
    if (missing_.empty()) return {};
    take_variables();
    follow();
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

  /// Whether what is passed by value holds its address: a structure, a number, or two words that
  /// lie one behind the other.
  bool is_in_bytes(const Launch& launch, AllocationId id) const {
    const Bytes bytes = by_value(launch);
    for (std::uint64_t at = 0; at + kPointerBytes <= bytes.size(); at += 4) {
      if (points_into(load<std::uint64_t>(bytes, at), id)) return true;
    }
    return false;
  }

  /// All that is passed by value, where it stands in the kernarg segment.
  static Bytes by_value(const Launch& launch) {
    Bytes bytes;
    for (const LaunchArgument& argument : launch.arguments) {
      if (argument.is_pointer) continue;
      bytes.resize(
          std::max<std::size_t>(bytes.size(), argument.offset_bytes + argument.bytes.size()));
      std::copy(argument.bytes.begin(), argument.bytes.end(),
                bytes.begin() + argument.offset_bytes);
    }
    return bytes;
  }

  bool points_into(std::uint64_t pointer, AllocationId id) const {
    const Allocation& allocation = recording_.allocation(id);
    return (pointer & kAddressBits) - allocation.address.value <= allocation.size_bytes;
  }

  /// What variables of loaded code hold may lead further.
  void take_variables() {
    memory_->for_each_region([&](const Region& region) {
      if (region.kind != RegionKind::kCode || !region.writable) return;
      take([&](const TouchedAllocation& each) {
        return holds(region, {0, region.size_bytes}, each.allocation);
      });
    });
  }

  /// What is reached may hold pointers to the next.
  void follow() {
    while (!missing_.empty() && follow_pointers()) {
    }
  }

  /// Whether another one was reached.
  bool follow_pointers() {
    const std::size_t before = missing_.size();
    const std::vector<const TouchedAllocation*> holders = std::exchange(fresh_, {});
    for (const TouchedAllocation* holder : holders) {
      const Region* const region = memory_->find(recording_.allocation(holder->allocation).address);
      if (region == nullptr || region->id != holder->allocation) continue;
      take([&](const TouchedAllocation& each) {
        return std::any_of(
            holder->extents.reads.begin(), holder->extents.reads.end(),
            [&](const Extent& extent) { return holds(*region, extent, each.allocation); });
      });
    }
    return missing_.size() != before;
  }

  bool holds(const Region& region, const Extent& extent, AllocationId id) const {
    std::uint64_t at = (extent.begin + kPointerBytes - 1) / kPointerBytes * kPointerBytes;
    for (; at + kPointerBytes <= std::min(extent.end, region.size_bytes); at += kPointerBytes) {
      const ByteView bytes(region.host + at, kPointerBytes);
      if (points_into(load<std::uint64_t>(bytes, 0), id)) return true;
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
