// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstring>

#include "driverless/interp/op.h"
#include "driverless/isa/domain.h"
#include "driverless/machine/workgroup.h"

/// Plain loads and stores for all lanes at once.
///
/// Each gives false or null, with nothing done to registers or memory, where it meets anything out
/// of the ordinary: an access that leaves the region or LDS, bytes or registers that are not known.
/// Lane by lane, Access then does the same with all its reports.
namespace compass::interp {

/// Some of the lanes of a wavefront: as a mask, and as a row of ones and zeros.
struct LaneSet {
  std::uint64_t mask;
  const LaneRow& row;
};
inline LaneSet active_lanes(Wavefront& wave) { return {wave.exec(), wave.exec_row()}; }

/// What the addresses of a set of lanes have in common.
struct AddressSpan {
  std::uint64_t lowest = 0, highest = 0;
  bool consecutive = false;  ///< every lane is in the set and follows its neighbour without a gap
};

inline AddressSpan span_of(const LaneSet& lanes, const std::uint64_t (&address)[kLanes],
                           std::uint64_t stride_bytes) {
  const std::uint64_t first = address[std::countr_zero(lanes.mask)];
  std::uint64_t lowest = first, highest = first, misfit = ~lanes.mask;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t at = lanes.row[lane] != 0 ? address[lane] : first;
    lowest = at < lowest ? at : lowest;
    highest = at > highest ? at : highest;
    misfit |= (at - first) ^ (lane * stride_bytes);
  }
  return {lowest, highest, misfit == 0};
}

/// The region in which all of the lanes, at least one, load `bytes` that are known; else null.
inline const Region* region_of_loads(Wavefront& wave, const LaneSet& lanes,
                                     const std::uint64_t (&address)[kLanes], std::uint32_t bytes,
                                     AddressSpan& span) {
  if (wave.workgroup->watches_loads) return nullptr;
  span = span_of(lanes, address, bytes);
  const Region* region =
      wave.workgroup->find_region({span.lowest}, span.highest + bytes - span.lowest);
  if (region == nullptr) return nullptr;
  Shadow* shadow = region->shadow.get();
  if (shadow == nullptr) return region;
  const std::uint64_t base = region->base.value;
  bool known = false;
  if (span.consecutive || span.lowest == span.highest) {
    known = shadow->read(span.lowest - base, (span.consecutive ? kLanes : 1) * bytes);
  } else {
    known = shadow->read_each(lanes.mask, address, base, bytes);
  }
  return known ? region : nullptr;
}

/// The region in which all of the lanes, at least one, may store `bytes`; else null.
inline const Region* region_of_stores(Wavefront& wave, const LaneSet& lanes,
                                      const std::uint64_t (&address)[kLanes], std::uint32_t bytes,
                                      AddressSpan& span) {
  if (wave.tainted || wave.workgroup->watch) return nullptr;
  span = span_of(lanes, address, bytes);
  const Region* region =
      wave.workgroup->find_region({span.lowest}, span.highest + bytes - span.lowest);
  if (region == nullptr || !region->writable) return nullptr;
  Shadow* shadow = region->shadow.get();
  if (shadow == nullptr) return region;
  if (span.consecutive) {
    shadow->write(span.lowest - region->base.value, kLanes * bytes);
  } else {
    shadow->write_each(lanes.mask, address, region->base.value, bytes);
  }
  return region;
}

template <unsigned N>
bool load_whole_wave(Wavefront& wave, const LaneSet& lanes, const std::uint64_t (&address)[kLanes],
                     LaneRow* to) {
  if (lanes.mask == 0) return true;
  AddressSpan span;
  const Region* region = region_of_loads(wave, lanes, address, 4 * N, span);
  if (region == nullptr) return false;
  const std::uint64_t base = region->base.value;
  if (span.consecutive) {
    const std::byte* from = region->host + (span.lowest - base);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned n = 0; n < N; ++n) std::memcpy(&to[n][lane], from + 4 * (lane * N + n), 4);
    }
    return true;
  }
  if (span.lowest == span.highest) {
    std::uint32_t words[N];
    std::memcpy(words, region->host + (span.lowest - base), sizeof words);
    for (unsigned n = 0; n < N; ++n) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        to[n][lane] = lanes.row[lane] != 0 ? words[n] : to[n][lane];
      }
    }
    return true;
  }
  for (std::uint64_t rest = lanes.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::byte* from = region->host + (address[lane] - base);
    for (unsigned n = 0; n < N; ++n) std::memcpy(&to[n][lane], from + 4 * n, 4);
  }
  return true;
}

template <unsigned N>
bool store_whole_wave(Wavefront& wave, const LaneSet& lanes, const std::uint64_t (&address)[kLanes],
                      const std::uint32_t* const* data) {
  if (lanes.mask == 0) return true;
  AddressSpan span;
  const Region* region = region_of_stores(wave, lanes, address, 4 * N, span);
  if (region == nullptr) return false;
  const std::uint64_t base = region->base.value;
  if (span.consecutive) {
    std::byte* to = region->host + (span.lowest - base);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned n = 0; n < N; ++n) std::memcpy(to + 4 * (lane * N + n), &data[n][lane], 4);
    }
    return true;
  }
  for (std::uint64_t rest = lanes.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    std::byte* to = region->host + (address[lane] - base);
    for (unsigned n = 0; n < N; ++n) std::memcpy(to + 4 * n, &data[n][lane], 4);
  }
  return true;
}

/// A region whose storage every active lane may access as it does: nothing is checked.
template <class D>
class CheckedMemory {
 public:
  explicit CheckedMemory(const Region& region) : host_(region.host), base_(region.base.value) {}

  isa::U32<D> load8(isa::U64<D> address) const { return {load<std::uint8_t>(address)}; }
  isa::U32<D> load16(isa::U64<D> address) const { return {load<std::uint16_t>(address)}; }
  void store8(isa::U64<D> address, isa::U32<D> data) const {
    store(address, static_cast<std::uint8_t>(data.rep));
  }
  void store16(isa::U64<D> address, isa::U32<D> data) const {
    store(address, static_cast<std::uint16_t>(data.rep));
  }

 private:
  template <class T>
  T load(isa::U64<D> address) const {
    T value;
    std::memcpy(&value, host_ + (address.rep - base_), sizeof value);
    return value;
  }
  template <class T>
  void store(isa::U64<D> address, T value) const {
    std::memcpy(host_ + (address.rep - base_), &value, sizeof value);
  }

  std::byte* host_;
  std::uint64_t base_;
};

/// The highest address of the active lanes; `address` are LDS offsets.
inline std::uint32_t highest_of(Wavefront& wave, const LaneRow& address) {
  const LaneRow& exec = wave.exec_row();
  std::uint32_t highest = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t at = address[lane] & exec[lane];
    highest = at > highest ? at : highest;
  }
  return highest;
}

template <unsigned N>
bool load_lds_whole_wave(Wavefront& wave, const LaneRow& address, LaneRow* to) {
  constexpr std::uint32_t kBytes = 4 * N;
  const Workgroup& group = *wave.workgroup;
  if (wave.exec() == 0) return true;
  if (std::uint64_t{highest_of(wave, address)} + kBytes > group.lds.size()) return false;
  std::uint32_t not_known = 0;
  for (std::uint64_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned n = 0; n < N; ++n) {
      std::uint32_t states;
      std::memcpy(&states, group.lds_state.data() + address[lane] + 4 * n, 4);
      not_known |= states;
    }
  }
  if (not_known != 0) return false;
  // `to` may be the register that holds the addresses: every lane reads its own before it writes.
  for (std::uint64_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    std::uint32_t words[N];
    std::memcpy(words, group.lds.data() + address[lane], kBytes);
    for (unsigned n = 0; n < N; ++n) to[n][lane] = words[n];
  }
  return true;
}

template <unsigned N>
bool store_lds_whole_wave(Wavefront& wave, const LaneRow& address,
                          const std::uint32_t* const* data) {
  constexpr std::uint32_t kBytes = 4 * N;
  Workgroup& group = *wave.workgroup;
  if (wave.exec() == 0) return true;
  if (wave.tainted) return false;
  if (std::uint64_t{highest_of(wave, address)} + kBytes > group.lds.size()) return false;
  for (std::uint64_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    std::uint32_t words[N];
    for (unsigned n = 0; n < N; ++n) words[n] = data[n][lane];
    std::memcpy(group.lds.data() + address[lane], words, kBytes);
    std::memset(static_cast<void*>(group.lds_state.data() + address[lane]), 0, kBytes);
  }
  return true;
}

}  // namespace compass::interp
