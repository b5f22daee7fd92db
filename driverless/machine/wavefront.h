// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "driverless/machine/taint.h"

namespace compass {

struct Workgroup;

inline constexpr unsigned kLanes = 64;

/// One VGPR of a wavefront, or any other value a lane.
using LaneRow = std::uint32_t[kLanes];

/// The encoding's numbers of registers that are more than an index.
enum SpecialSgpr : std::uint16_t { kVccLo = 106, kM0 = 124, kExecLo = 126 };

/// Fields of the MODE register, and what compilers let compute kernels start with: round to nearest
/// even, keep subnormals, DX10_CLAMP, IEEE rules.
enum ModeBit : std::uint32_t {
  kModeDx10Clamp = 1u << 8,
  kModeIeee = 1u << 9,
  kModeFp16Ovfl = 1u << 23
};
inline constexpr std::uint32_t kDefaultMode = 0xF0 | kModeDx10Clamp | kModeIeee;

enum class WaveStatus : std::uint8_t { kReady, kAtBarrier, kEnded, kStopped };

/// The state of one wavefront: what the ISA manual lists under "kernel state", nothing derived but
/// `exec_rows`.
///
/// Registers are plain words: vgpr[n][lane], lanes adjacent. AccVGPRs stand behind the ArchVGPRs,
/// as the kernel descriptor says. Lane i takes part if bit i of EXEC is set; frames enforce that,
/// instructions do not. Accesses complete in order. Not here: LDS (Workgroup), memory (Memory).
/// Threads: one owner at a time.
struct Wavefront {
  LaneRow* vgpr = nullptr;    ///< owned by the workgroup
  std::uint32_t sgpr[128]{};  ///< VCC, M0 and EXEC at their encoding's numbers
  bool scc = false;
  std::uint32_t mode = kDefaultMode;
  WaveStatus status = WaveStatus::kReady;
  std::uint64_t pc = 0;     ///< of the next instruction, as an index into the program
  std::uint32_t index = 0;  ///< in the workgroup
  Workgroup* workgroup = nullptr;

  std::uint64_t sgpr64(unsigned index) const {
    std::uint64_t value;
    std::memcpy(&value, &sgpr[index], sizeof value);
    return value;
  }
  void set_sgpr64(unsigned index, std::uint64_t value) {
    std::memcpy(&sgpr[index], &value, sizeof value);
  }
  std::uint64_t exec() const { return sgpr64(kExecLo); }

  /// EXEC as a row: all ones where a lane takes part. Kept until EXEC changes.
  const LaneRow& exec_row() {
    if (exec_row_is_for_ != exec()) expand_exec();
    return exec_row_;
  }

  /// Whether any register may be tainted; only then do the fields below mean anything.
  bool tainted = false;
  Taint* vgpr_taint = nullptr;  ///< one a VGPR, owned by the workgroup
  Taint sgpr_taint[128]{};
  Taint scc_taint;
  void clear_scalar_taint() {
    std::fill(std::begin(sgpr_taint), std::end(sgpr_taint), Taint{});
    scc_taint = {};
    tainted = false;
  }

  /// What the memory instruction that runs has met: the taint of what each lane loaded, and while
  /// `tainted`, where its lanes stored.
  struct Stored {
    unsigned lane;
    std::uint64_t offset;
    std::uint32_t size_bytes;
    Shadow* shadow;    ///< of global memory, at `offset`; null elsewhere
    ByteState* state;  ///< of the first byte in LDS or scratch; null elsewhere
  };
  Taint loaded;
  std::vector<Stored> stored;

  // What program-control instructions do to the wavefront.
  void end() { status = WaveStatus::kEnded; }
  void stop() { status = WaveStatus::kStopped; }
  void wait_at_barrier() { status = WaveStatus::kAtBarrier; }

 private:
  void expand_exec() {
    exec_row_is_for_ = exec();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      exec_row_[lane] = 0u - static_cast<std::uint32_t>(exec_row_is_for_ >> lane & 1);
    }
  }

  alignas(64) LaneRow exec_row_{};
  std::uint64_t exec_row_is_for_ = 0;
};

}  // namespace compass
