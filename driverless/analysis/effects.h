// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "driverless/decode/instruction.h"

namespace compass::analysis {

/// A register of a wavefront: SGPRs by the encoding's number (VCC, M0 and EXEC too), SCC, then
/// VGPRs and AccVGPRs.
using Location = std::uint16_t;
inline constexpr Location kVccLo = 106, kM0 = 124, kExecLo = 126, kScc = 128, kFirstVgpr = 129,
                          kFirstAgpr = kFirstVgpr + 256, kLocations = kFirstAgpr + 256;

/// What a memory instruction moves between registers and where. An atomic loads and stores.
enum class Space : std::uint8_t { kNone, kGlobal, kLds, kScratch };

/// What one instruction does, as far as values depend on one another.
struct Effects {
  std::vector<Location> writes;
  std::vector<Location> reads;    ///< what it writes depends on these
  std::vector<Location> decides;  ///< these decide an address, EXEC or where control goes
  bool replaces = false;          ///< nothing of the old value of a VGPR stays in an active lane
  bool reads_other_lanes = false;
  Space loads_from = Space::kNone;
  Space stores_to = Space::kNone;  ///< what it reads, where it stores
  bool is_flat = false;            ///< kGlobal may be any of them
};

/// Never too little: what is not known of an instruction, it does.
Effects effects_of(const decode::Instruction& instruction);

}  // namespace compass::analysis
