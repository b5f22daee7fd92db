// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "driverless/machine/shadow.h"
#include "ir/allocation.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass {

enum class RegionKind : std::uint8_t {
  kDevice,
  kPinnedHost,  ///< page-locked by the runtime, or the host's own and registered with it
  kManaged,     ///< the host's and the device's
  kCode,     ///< a loaded code object: instructions, constants, module globals
  kKernarg,  ///< arguments of the launch that runs
};

/// Addressable bytes: [base, base + size_bytes), stored at `host`. The owner of the bytes is
/// whoever mapped them. `id` is 0 for regions that no program allocated.
struct Region {
  DeviceAddress base;
  std::uint64_t size_bytes = 0;
  std::byte* host = nullptr;
  RegionKind kind = RegionKind::kDevice;
  AllocationId id;
  std::uint32_t generation = 1;
  bool writable = true;
  /// Of memory that a program allocated; null elsewhere. Made by Memory::map.
  std::shared_ptr<Shadow> shadow = nullptr;

  DeviceAddress end() const { return base + size_bytes; }
  /// Whether all of [address, address + size) lies inside.
  bool contains(DeviceAddress address, std::uint64_t size) const {
    return address.value - base.value <= size_bytes &&
           size <= size_bytes - (address.value - base.value);
  }
};

/// What the agent can address, to the byte, and what it could address once.
///
/// Lookups take a logarithm of the number of regions. Threads: one at a time, or readers only.
class Memory {
 public:
  /// Fails if any byte of `region` is already mapped or its end wraps. What a program allocated on
  /// the device starts undefined; what the host can write unseen is known.
  Result<void> map(Region region);

  /// Ends the region that starts at `base`; a program's allocation is remembered as freed. Fails if
  /// there is none.
  Result<Region> unmap(DeviceAddress base);

  /// The live region that contains `address`, or null. Valid until the next map or unmap.
  const Region* find(DeviceAddress address) const;

  /// The live region with the fewest bytes between it and `address`, or null if there is none.
  const Region* nearest(DeviceAddress address) const;

  /// The region freed last of those that contained `address`, or null.
  const Region* freed(DeviceAddress address) const;

  /// The storage of [address, address + size), or null if that is not all in one live region.
  std::byte* host(DeviceAddress address, std::uint64_t size) const;

  // What happens to memory outside of launches; addresses that are not mapped are passed over.
  // `writer` is the tag of whoever does it, as launches have one.

  void note_write(DeviceAddress address, std::uint64_t size, ByteState state, std::uint32_t writer);
  void note_copy(DeviceAddress destination, DeviceAddress source, std::uint64_t size,
                 std::uint32_t writer);

  /// Ends the running launch: what it wrote is `writer`'s. Gives what it touched, by region, to
  /// `visit(const Region&, const TouchedExtents&)`.
  template <class Visit>
  void end_launch(std::uint32_t writer, Visit visit) {
    for (const auto& [base, region] : live_) {
      if (region.shadow == nullptr || !region.shadow->is_touched()) continue;
      visit(region, region.shadow->end_launch(writer));
    }
  }

 private:
  std::map<DeviceAddress, Region> live_;  // by base
  std::vector<Region> freed_;             // in the order of their end
};

}  // namespace compass
