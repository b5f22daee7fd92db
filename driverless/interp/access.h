// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "driverless/interp/op.h"
#include "driverless/isa/concrete.h"
#include "driverless/isa/domain.h"
#include "driverless/machine/workgroup.h"

/// The objects that memory effects reach: each checks every access to the byte.
namespace compass::interp {

/// Loads and stores over a way to find the bytes. `Space` gives `at(address, size, access)`: the
/// storage, or null if the access must not be made. Such loads give zeros.
template <class Space, class D, class Address>
class Access : public Space {
 public:
  using Space::Space;

  isa::U32<D> load8(Address address) { return {load_one<std::uint8_t>(address)}; }
  isa::U32<D> load16(Address address) { return {load_one<std::uint16_t>(address)}; }
  isa::U32<D> load32(Address address) { return {load_one<std::uint32_t>(address)}; }
  template <unsigned N>
  isa::Words<D, N> load(Address address) {
    isa::Words<D, N> value{};
    const std::byte* from = this->at(address.rep, sizeof value, AccessKind::kLoad);
    if (from != nullptr) std::memcpy(&value, from, sizeof value);
    return value;
  }
  void store8(Address address, isa::U32<D> data) {
    store_one(address, static_cast<std::uint8_t>(data.rep));
  }
  void store16(Address address, isa::U32<D> data) {
    store_one(address, static_cast<std::uint16_t>(data.rep));
  }
  void store32(Address address, isa::U32<D> data) { store_one(address, data.rep); }
  template <unsigned N>
  void store(Address address, const isa::Words<D, N>& data) {
    store_one(address, data);
  }
  /// Reads a U32 or U64, writes what `change` makes of it, and gives what was there before: one
  /// access, which no other wavefront sees halfway.
  template <class V, class F>
  V update(Address address, F change) {
    V value{};
    if (address.rep % sizeof value.rep != 0) [[unlikely]] {
      this->report(FaultKind::kMisaligned, address.rep, sizeof value.rep, AccessKind::kAtomic);
      return value;
    }
    std::byte* place = this->at(address.rep, sizeof value.rep, AccessKind::kAtomic);
    if (place == nullptr) return value;
    std::memcpy(&value.rep, place, sizeof value.rep);
    const V changed = change(value);
    std::memcpy(place, &changed.rep, sizeof changed.rep);
    return value;
  }

 private:
  template <class T>
  T load_one(Address address) {
    T value{};
    const std::byte* from = this->at(address.rep, sizeof value, AccessKind::kLoad);
    if (from != nullptr) std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <class T>
  void store_one(Address address, const T& value) {
    std::byte* to = this->at(address.rep, sizeof value, AccessKind::kStore);
    if (to != nullptr) std::memcpy(to, &value, sizeof value);
  }
};

/// Global memory as one lane of a wavefront sees it.
class GlobalSpace {
 public:
  GlobalSpace(Wavefront& wave, const Op& op) : wave_(wave), op_(op) {}
  unsigned lane = 0;

  std::byte* at(std::uint64_t address, std::uint32_t size_bytes, AccessKind access) {
    const Region* region = wave_.workgroup->find_region(DeviceAddress{address}, size_bytes);
    if (region == nullptr || (access != AccessKind::kLoad && !region->writable)) [[unlikely]] {
      report(FaultKind::kOutOfBounds, address, size_bytes, access);
      return nullptr;
    }
    const std::uint64_t offset = address - region->base.value;
    if (watches(address, size_bytes, access)) [[unlikely]]
      report_watched(access);
    if (region->shadow != nullptr) note(*region, offset, size_bytes, access);
    return region->host + offset;
  }

  /// Tells the observer of an access that must not be made; refines the kind from the address.
  void report(FaultKind kind, std::uint64_t address, std::uint32_t size_bytes, AccessKind access);

 private:
  bool watches(std::uint64_t address, std::uint32_t size_bytes, AccessKind access) const {
    const Workgroup& group = *wave_.workgroup;
    return group.watch && (access != AccessKind::kLoad || group.watches_loads) &&
           group.watch.value - address < size_bytes;
  }
  void report_watched(AccessKind access);
  void note(const Region& region, std::uint64_t offset, std::uint32_t size_bytes,
            AccessKind access) {
    Shadow& shadow = *region.shadow;
    if (access != AccessKind::kStore && !shadow.read(offset, size_bytes)) [[unlikely]] {
      note_tainted_load(region, offset, size_bytes);
    }
    if (access == AccessKind::kLoad) return;
    shadow.write(offset, size_bytes);
    if (wave_.tainted) [[unlikely]]
      wave_.stored.push_back({lane, offset, size_bytes, &shadow, nullptr});
  }
  void note_tainted_load(const Region& region, std::uint64_t offset, std::uint32_t size_bytes);

  Wavefront& wave_;
  const Op& op_;
};

/// What the states of a segment's bytes (LDS, scratch) make of an access: `state` is of its first
/// byte, at `offset` of the segment.
class SegmentStates {
 public:
  SegmentStates(Wavefront& wave, const Op& op, AddressSpace space)
      : wave_(wave), op_(op), space_(space) {}

  void note(unsigned lane, ByteState* state, std::uint32_t offset, std::uint32_t size_bytes,
            AccessKind access) {
    if (access != AccessKind::kStore && !all_known(state, size_bytes)) [[unlikely]] {
      note_tainted_load(lane, state, offset, size_bytes);
    }
    if (access == AccessKind::kLoad) return;
    std::memset(static_cast<void*>(state), 0, size_bytes);
    if (wave_.tainted) [[unlikely]]
      wave_.stored.push_back({lane, 0, size_bytes, nullptr, state});
  }

 private:
  static_assert(static_cast<int>(ByteState::kKnown) == 0);
  static bool all_known(const ByteState* state, std::uint32_t size_bytes) {
    std::uint64_t seen = 0;
    for (; size_bytes >= 4; size_bytes -= 4, state += 4) {
      std::uint32_t four;
      std::memcpy(&four, state, sizeof four);
      seen |= four;
    }
    for (; size_bytes > 0; --size_bytes, ++state) seen |= static_cast<std::uint64_t>(*state);
    return seen == 0;
  }
  void note_tainted_load(unsigned lane, const ByteState* state, std::uint32_t offset,
                         std::uint32_t size_bytes);

  Wavefront& wave_;
  const Op& op_;
  AddressSpace space_;
};

/// The workgroup's LDS as one lane sees it.
class LdsSpace {
 public:
  LdsSpace(Wavefront& wave, const Op& op)
      : wave_(wave), op_(op), states_(wave, op, AddressSpace::kLds) {}
  unsigned lane = 0;

  std::byte* at(std::uint32_t address, std::uint32_t size_bytes, AccessKind access) {
    Workgroup& group = *wave_.workgroup;
    if (std::uint64_t{address} + size_bytes > group.lds.size()) [[unlikely]] {
      report(FaultKind::kOutOfBounds, address, size_bytes, access);
      return nullptr;
    }
    states_.note(lane, group.lds_state.data() + address, address, size_bytes, access);
    return group.lds.data() + address;
  }

  void report(FaultKind kind, std::uint64_t address, std::uint32_t size_bytes, AccessKind access);

 private:
  Wavefront& wave_;
  const Op& op_;
  SegmentStates states_;
};

template <class D>
using GlobalAccess = Access<GlobalSpace, D, isa::U64<D>>;
template <class D>
using LdsAccess = Access<LdsSpace, D, isa::U32<D>>;

/// Another lane's value of one register, 0 where that lane is off.
template <class D>
class LaneAccess {
 public:
  LaneAccess(Wavefront& wave, const std::uint32_t* row) {
    const LaneRow& exec = wave.exec_row();
    for (unsigned lane = 0; lane < kLanes; ++lane) row_[lane] = row[lane] & exec[lane];
  }
  isa::U32<D> lane(isa::U32<D> index) const { return {row_[index.rep % kLanes]}; }

 private:
  LaneRow row_;
};

}  // namespace compass::interp
