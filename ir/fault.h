// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "ir/allocation.h"

namespace compass {

enum class FaultKind : std::uint8_t { kOutOfBounds, kUseAfterFree, kMisaligned };
enum class AccessKind : std::uint8_t { kLoad, kStore, kAtomic };
enum class AddressSpace : std::uint8_t { kGlobal, kLds, kScratch };

/// An access that a launch must not make. The load gave zeros, the store was dropped.
struct Fault {
  FaultKind kind = FaultKind::kOutOfBounds;
  AccessKind access = AccessKind::kLoad;
  AddressSpace space = AddressSpace::kGlobal;
  std::uint32_t size_bytes = 0;  ///< of one lane's access
  DeviceAddress address;         ///< LDS and scratch: the offset in the segment
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wavefront = 0;  ///< in its workgroup
  std::uint32_t lane = 0;
  std::uint64_t pc = 0;  ///< relative to the kernel's first instruction
  std::string instruction;

  /// Global memory: the allocation that was freed, or the nearest live one; 0 if there is none or
  /// it is none of the program's.
  AllocationId allocation;
  std::int64_t offset_bytes = 0;       ///< of the access from the start of `allocation`
  std::uint64_t allocation_bytes = 0;  ///< LDS and scratch: the segment's size
};

/// A copy or fill that leaves its allocation or touches freed memory. What lay in live memory of
/// the allocation was transferred, the rest was not.
struct TransferFault {
  FaultKind kind = FaultKind::kOutOfBounds;
  AccessKind access = AccessKind::kLoad;  ///< kLoad: the transfer's source; kStore: its destination
  std::uint64_t record = 0;               ///< that asked for the transfer
  MemoryRef start;                        ///< as recorded
  std::uint64_t size_bytes = 0;
  std::uint64_t allocation_bytes = 0;  ///< 0 if `start` is in no allocation
  std::uint64_t node = 0;              ///< where `record` launches a graph: the record of the node
};

/// Why the value of a byte is unknown: something that was recorded, or that the host does unseen.
struct UnknownCause {
  enum class Kind : std::uint8_t {
    kNotSaid,
    kContentNotKept,   ///< the content of the copy in `record` was not recorded
    kLeavesSource,     ///< the copy in `record` reads beyond its source
    kPinnedHost,       ///< the host writes pinned memory without a call
    kUncheckedLaunch,  ///< what the launch in `record` wrote rests on unknown values, or it never
                       ///< ran
  };
  Kind kind = Kind::kNotSaid;
  std::uint64_t record = 0;
  friend bool operator==(const UnknownCause&, const UnknownCause&) = default;
};

/// An access to the byte that a dispatch watches.
struct WatchedAccess {
  AccessKind access = AccessKind::kStore;
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wavefront = 0;
  std::uint32_t lane = 0;
  std::uint64_t pc = 0;
  std::string instruction;
};

/// What an undefined or unknown value must not do.
enum class Decision : std::uint8_t { kAddress, kExec, kBranch };

/// A value that is not known decides where a launch goes or what it touches.
struct TaintedDecision {
  Decision decision = Decision::kAddress;
  bool undefined = true;  ///< false: unknown, since its content was not recorded
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wavefront = 0;
  std::uint32_t lane = 0;  ///< the first one; 0 for scalar values
  std::uint32_t lanes = 1;
  std::uint64_t pc = 0;
  std::string instruction;
  // The load that brought the value in, and the first place it loaded from.
  bool has_origin = false;
  std::uint64_t origin_pc = 0;
  AddressSpace origin_space = AddressSpace::kGlobal;
  AllocationId origin_allocation;
  std::uint64_t origin_offset_bytes = 0;
  // What only those know who follow the records; an agent leaves it out.
  std::uint64_t origin_writer = 0;  ///< the record that wrote that place last; 0: none did
  UnknownCause cause;               ///< of an unknown value
};

}  // namespace compass
