// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driverless/machine/memory.h"
#include "driverless/machine/observer.h"
#include "driverless/machine/wavefront.h"

namespace compass {

/// The wavefronts that share LDS and barriers, and the surroundings that their effects reach.
struct Workgroup {
  const Memory* memory = nullptr;
  Observer* observer = nullptr;
  std::array<std::uint32_t, 3> id{};
  std::vector<std::byte> lds;
  std::vector<Wavefront> waves;
  std::uint32_t scratch_bytes = 0;       ///< of each work-item
  std::vector<std::byte> scratch;        ///< by wavefront, then by lane
  std::vector<ByteState> scratch_state;  ///< for each byte of `scratch`
  std::uint64_t clock = 0;               ///< what s_memtime last gave
  /// Why a wavefront stopped before its end; empty if none did.
  std::string stop_cause;

  /// For each byte of LDS its state.
  std::vector<ByteState> lds_state;

  /// The loads that brought in what is tainted; 0 is nothing in particular.
  struct Origin {
    std::uint64_t pc = 0;  ///< of the load, from the kernel's first instruction
    AddressSpace space = AddressSpace::kGlobal;
    AllocationId allocation;
    std::uint64_t offset_bytes = 0;
  };
  std::vector<Origin> origins{Origin{}};

  /// Whether a wavefront stops where something is reported of it.
  bool stops_at_findings = false;

  /// A byte of global memory whose stores the observer hears of; null: none.
  DeviceAddress watch;
  bool watches_loads = false;  ///< and of its loads

  // Regions that global accesses have found, the last one first. None comes or goes while a launch
  // runs.
  const Region* recent_region = nullptr;
  std::array<const Region*, 4> other_regions{};

  /// The region that holds [address, address + size_bytes), or null.
  const Region* find_region(DeviceAddress address, std::uint64_t size_bytes) {
    if (recent_region != nullptr && recent_region->contains(address, size_bytes)) {
      return recent_region;
    }
    return find_other_region(address, size_bytes);
  }

  /// Gives each of `wave_count` wavefronts `vgpr_count` registers. Contents are not defined; no
  /// taint is there that was cleared before.
  void allocate_registers(unsigned wave_count, unsigned vgpr_count) {
    waves.resize(wave_count);
    if (register_rows_ < std::size_t{wave_count} * vgpr_count) {
      register_rows_ = std::size_t{wave_count} * vgpr_count;
      registers_.reset(new (std::align_val_t{64}) LaneRow[register_rows_]);
      taints_.resize(register_rows_);
    }
    for (unsigned wave = 0; wave < wave_count; ++wave) {
      waves[wave].vgpr = registers_.get() + std::size_t{wave} * vgpr_count;
      waves[wave].vgpr_taint = taints_.data() + std::size_t{wave} * vgpr_count;
    }
  }

  /// No register is tainted any more, whatever their number was.
  void clear_taint() {
    bool any = false;
    for (Wavefront& wave : waves) {
      any = any || wave.tainted;
      if (wave.tainted) wave.clear_scalar_taint();
    }
    if (any) std::fill(taints_.begin(), taints_.end(), Taint{});
  }

 private:
  const Region* find_other_region(DeviceAddress address, std::uint64_t size_bytes);

  struct AlignedDelete {
    void operator()(LaneRow* rows) const {
      ::operator delete[](static_cast<void*>(rows), std::align_val_t{64});
    }
  };
  std::unique_ptr<LaneRow[], AlignedDelete> registers_;
  std::vector<Taint> taints_;
  std::size_t register_rows_ = 0;
};

}  // namespace compass
