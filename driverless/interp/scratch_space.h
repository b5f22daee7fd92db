// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "driverless/interp/access.h"

namespace compass::interp {

/// The private segment of the work-item in one lane. How hardware spreads it over memory is not for
/// programs to see; here a work-item's bytes lie together.
class ScratchSpace {
 public:
  ScratchSpace(Wavefront& wave, const Op& op)
      : wave_(wave), op_(op), states_(wave, op, AddressSpace::kScratch) {}
  unsigned lane = 0;

  std::byte* at(std::uint32_t address, std::uint32_t size_bytes, AccessKind access) {
    Workgroup& group = *wave_.workgroup;
    if (std::uint64_t{address} + size_bytes > group.scratch_bytes) [[unlikely]] {
      report(FaultKind::kOutOfBounds, address, size_bytes, access);
      return nullptr;
    }
    const std::size_t workitem = std::size_t{wave_.index} * kLanes + lane;
    const std::size_t place = workitem * group.scratch_bytes + address;
    states_.note(lane, group.scratch_state.data() + place, address, size_bytes, access);
    return group.scratch.data() + place;
  }

  void report(FaultKind kind, std::uint64_t address, std::uint32_t size_bytes, AccessKind access);

 private:
  Wavefront& wave_;
  const Op& op_;
  SegmentStates states_;
};

/// Flat addresses: what is in an aperture is LDS or scratch, the rest global memory.
class FlatSpace {
 public:
  FlatSpace(Wavefront& wave, const Op& op)
      : global_(wave, op), lds_(wave, op), scratch_(wave, op) {}
  unsigned lane = 0;

  /// LDS or scratch, where the address lies in an aperture.
  static std::optional<AddressSpace> aperture_of(std::uint64_t address) {
    switch (address >> 32) {
      case kSharedAperture:
        return AddressSpace::kLds;
      case kPrivateAperture:
        return AddressSpace::kScratch;
      default:
        return std::nullopt;
    }
  }

  std::byte* at(std::uint64_t address, std::uint32_t size_bytes, AccessKind access) {
    const auto offset = static_cast<std::uint32_t>(address);
    switch (address >> 32) {
      case kSharedAperture:
        lds_.lane = lane;
        return lds_.at(offset, size_bytes, access);
      case kPrivateAperture:
        scratch_.lane = lane;
        return scratch_.at(offset, size_bytes, access);
      default:
        global_.lane = lane;
        return global_.at(address, size_bytes, access);
    }
  }

  void report(FaultKind kind, std::uint64_t address, std::uint32_t size_bytes, AccessKind access) {
    const auto offset = static_cast<std::uint32_t>(address);
    switch (address >> 32) {
      case kSharedAperture:
        lds_.lane = lane;
        return lds_.report(kind, offset, size_bytes, access);
      case kPrivateAperture:
        scratch_.lane = lane;
        return scratch_.report(kind, offset, size_bytes, access);
      default:
        global_.lane = lane;
        return global_.report(kind, address, size_bytes, access);
    }
  }

 private:
  // The upper halves of src_shared_base and src_private_base.
  static constexpr std::uint64_t kSharedAperture = 0x1'0000, kPrivateAperture = 0x2'0000;

  GlobalSpace global_;
  LdsSpace lds_;
  ScratchSpace scratch_;
};

/// Scratch addresses are sums of 32 bits; meanings hold them in 64.
class WideScratchSpace : public ScratchSpace {
 public:
  using ScratchSpace::ScratchSpace;
  std::byte* at(std::uint64_t address, std::uint32_t size_bytes, AccessKind access) {
    return ScratchSpace::at(static_cast<std::uint32_t>(address), size_bytes, access);
  }
};

template <class D>
using FlatAccess = Access<FlatSpace, D, isa::U64<D>>;
template <class D>
using ScratchAccess = Access<WideScratchSpace, D, isa::U64<D>>;

}  // namespace compass::interp
