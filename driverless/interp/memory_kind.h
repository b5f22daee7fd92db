// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "driverless/interp/buffer_access.h"
#include "driverless/interp/scratch_space.h"
#include "driverless/isa/row.h"
#include "driverless/interp/whole_wave.h"

/// What the encodings of vector memory differ in.
namespace compass::interp {

/// The address of each lane: vector address (source `source`), scalar base and offset.
struct LaneAddresses {
  std::uint64_t lane[kLanes];
};

/// 64 bits of a VGPR pair and the offset.
inline void flat_addresses(const Wavefront& wave, const Op& op, const Source& source,
                           LaneAddresses& out) {
  const auto offset = static_cast<std::uint64_t>(std::int64_t{op.offset});
  const LaneRow& low = wave.vgpr[source.index];
  const LaneRow& high = wave.vgpr[source.index + 1];
  for (unsigned n = 0; n < kLanes; ++n) {
    out.lane[n] = (low[n] | std::uint64_t{high[n]} << 32) + offset;
  }
}

/// As flat, or a scalar base, 32 bits of a VGPR and the offset.
inline void global_addresses(const Wavefront& wave, const Op& op, const Source& source,
                             LaneAddresses& out) {
  if (op.scalar_base.kind == SourceKind::kNone) return flat_addresses(wave, op, source, out);
  const std::uint64_t base =
      wave.sgpr64(op.scalar_base.index) + static_cast<std::uint64_t>(std::int64_t{op.offset});
  const LaneRow& low = wave.vgpr[source.index];
  for (unsigned n = 0; n < kLanes; ++n) out.lane[n] = base + low[n];
}

/// Modulo 32 bits.
void scratch_addresses(const Wavefront& wave, const Op& op, const Source& source,
                       LaneAddresses& out);
/// Index and offset, as BufferAccess takes them.
void buffer_addresses(const Wavefront& wave, const Op& op, const Source& source,
                      LaneAddresses& out);

/// What the encodings of vector memory differ in: the object that effects reach, the addresses and
/// the start of the name ("global_", "flat_", "scratch_", "buffer_").
struct GlobalKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kGlobal;
  static constexpr unsigned kPrefix = 0;
  template <class D>
  using Effect = GlobalAccess<D>;
  static constexpr auto kAddresses = global_addresses;
  static constexpr bool kHasWholeWave = true;
  /// Where in global memory each active lane's access is; false where that is not all there is to
  /// it.
  template <class E>
  static bool places(Wavefront&, E&, const LaneAddresses& addresses, LaneAddresses& out) {
    out = addresses;
    return true;
  }
  template <unsigned N, class E>
  static bool load(Wavefront& wave, E&, const LaneAddresses& addresses, LaneRow* to) {
    return load_whole_wave<N>(wave, active_lanes(wave), addresses.lane, to);
  }
  template <unsigned N, class E>
  static bool store(Wavefront& wave, E&, const LaneAddresses& addresses,
                    const std::uint32_t* const* data) {
    return store_whole_wave<N>(wave, active_lanes(wave), addresses.lane, data);
  }
};
/// What lies in an aperture is in no region, so that it goes lane by lane.
struct FlatKind : GlobalKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kFlat;
  static constexpr unsigned kPrefix = 1;
  template <class D>
  using Effect = FlatAccess<D>;
  static constexpr auto kAddresses = flat_addresses;
};
struct ScratchKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kScratch;
  static constexpr unsigned kPrefix = 2;
  template <class D>
  using Effect = ScratchAccess<D>;
  static constexpr auto kAddresses = scratch_addresses;
  static constexpr bool kHasWholeWave = false;
};
struct BufferKind {
  static constexpr isa::Encoding kEncoding = isa::Encoding::kBuffer;
  static constexpr unsigned kPrefix = 3;
  template <class D>
  using Effect = BufferAccess<D>;
  static constexpr auto kAddresses = buffer_addresses;
  static constexpr bool kHasWholeWave = true;
  template <class E>
  static bool places(Wavefront& wave, E& buffer, const LaneAddresses& addresses,
                     LaneAddresses& out) {
    BufferLanes reached;
    if (!buffer.reach(active_lanes(wave), addresses.lane, 1, reached)) return false;
    std::copy_n(reached.address, kLanes, out.lane);
    return reached.mask == wave.exec();
  }

  /// Lanes beyond the buffer load zeros and store nothing.
  template <unsigned N, class E>
  static bool load(Wavefront& wave, E& buffer, const LaneAddresses& addresses, LaneRow* to) {
    BufferLanes reached;
    if (!buffer.reach(active_lanes(wave), addresses.lane, N, reached)) return false;
    const LaneSet lanes{reached.mask, reached.row};
    if (!load_whole_wave<N>(wave, lanes, reached.address, to)) return false;
    const LaneRow& exec = wave.exec_row();
    for (unsigned n = 0; n < N && reached.mask != wave.exec(); ++n) {
      for (unsigned lane = 0; lane < kLanes; ++lane) to[n][lane] &= reached.row[lane] | ~exec[lane];
    }
    return true;
  }
  template <unsigned N, class E>
  static bool store(Wavefront& wave, E& buffer, const LaneAddresses& addresses,
                    const std::uint32_t* const* data) {
    BufferLanes reached;
    if (!buffer.reach(active_lanes(wave), addresses.lane, N, reached)) return false;
    return store_whole_wave<N>(wave, {reached.mask, reached.row}, reached.address, data);
  }
};

}  // namespace compass::interp
