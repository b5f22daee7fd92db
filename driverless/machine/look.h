// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "ir/device_address.h"
#include "ir/fault.h"

namespace compass {

/// A value of one lane that an instruction reads or writes.
struct TracedValue {
  /// kF32s: each register is one by itself.
  enum class Number : std::uint8_t { kBits, kF32, kF32x2, kF32s, kF64, kF16, kF16x2 };
  enum class Kind : std::uint8_t { kNone, kVgpr, kSgpr, kScc, kConstant };
  Kind kind = Kind::kNone;
  bool is_mask = false;  ///< one bit of a lane mask in SGPRs; words[0] is 0 or 1
  Number number = Number::kBits;
  bool is_other_lane = false;  ///< what other lanes hold, or may hold
  std::uint16_t index = 0;     ///< of the first register; AccVGPRs stand behind the ArchVGPRs
  std::uint8_t registers = 0;
  std::array<std::uint32_t, 4> words{};  ///< of the first registers
};

/// Where one lane's access goes.
struct TracedAccess {
  AddressSpace space = AddressSpace::kGlobal;
  bool loads = false, stores = false;
  std::uint32_t size_bytes = 0;
  std::uint64_t address = 0;       ///< LDS and scratch: the offset in the segment
  AllocationId allocation;         ///< of global memory that a program allocated; else 0
  std::uint64_t offset_bytes = 0;  ///< in it, or in the kernarg segment
  bool is_kernarg = false;
};

/// One instruction that a wavefront has run, as one of its lanes sees it.
struct TraceStep {
  enum class Kind : std::uint8_t { kScalar, kVector, kMatrix, kPermute, kMemory };
  std::uint64_t pc = 0;
  Kind kind = Kind::kScalar;
  bool active = false;        ///< the lane takes part, or the instruction is scalar
  bool has_run = false;       ///< false: the trace ends in its midst
  bool takes_finite = false;  ///< of a matrix instruction: no lane's source is infinite or NaN
  std::uint8_t address_sources = 0;  ///< of a memory instruction: the first so many sources
  std::uint8_t source_count = 0;
  std::array<TracedValue, 8> sources{};
  std::array<TracedValue, 3> results{};
  TracedAccess access;  ///< of a memory instruction
};

/// An instruction of the kernel that was looked at.
struct CodeLine {
  std::string mnemonic, text;
};

/// What to look at in one launch beyond what observers are told of every launch, and what was seen.
///
/// It costs time in this launch and nothing in others. The caller owns it; it must live until the
/// launch has ended.
struct Look {
  /// Of a trace the last so many steps are kept.
  static constexpr std::size_t kMostSteps = std::size_t{1} << 17;

  // What is asked for.
  bool traces = false;  ///< the wavefront and lane below
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wavefront = 0;
  std::uint32_t lane = 0;
  DeviceAddress watch;            ///< a byte whose stores the observer hears of; null: none
  bool watches_loads = false;     ///< it hears of that byte's loads too
  std::uint64_t step_budget = 0;  ///< as LaunchSetup::step_budget; 0: as ever

  // What was seen.
  std::deque<TraceStep> steps;
  std::map<std::uint64_t, CodeLine> code;  ///< of the whole kernel, by pc

  /// The trace ends with the instruction that runs. For observers, within a call.
  void freeze() { is_frozen = true; }
  bool is_frozen = false;
};

}  // namespace compass
