// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/fault.h"
#include "ir/ids.h"

namespace compass::gate {

enum class Level : std::uint8_t { kWarning, kError };

std::string_view name_of(Level level);

/// Where the pointer of an access points.
enum class Pointee : std::uint8_t {
  kAllocation,   ///< into what is, or was, an allocation; or nothing is known
  kNull,         ///< it is null, or null with an index
  kUnallocated,  ///< to what no call allocated, such as the host's own memory
};

/// One access that breaks a rule: by a lane of a launch, or by a transfer. Where `decision` is set
/// it is the use of a value that breaks the rule, and the address is where that value was loaded
/// from.
struct Place {
  std::uint64_t record = 0;
  std::uint64_t node = 0;    ///< where it launches a graph: the record of the node
  std::uint64_t launch = 0;  ///< the n-th launch of the recording, from 1; 0: a transfer
  StepId step;               ///< 0: outside any step
  FaultKind fault = FaultKind::kOutOfBounds;
  AccessKind access = AccessKind::kLoad;
  AddressSpace space = AddressSpace::kGlobal;
  std::uint64_t size_bytes = 0;
  std::string argument;  ///< that leads to the buffer, as argument_name() has it; empty: none known
  std::uint32_t argument_index = 0;  ///< of `argument` in the kernel's list
  Pointee pointee = Pointee::kAllocation;

  /// Launches only.
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wavefront = 0;
  std::uint32_t lane = 0;
  std::uint64_t pc = 0;  ///< relative to the kernel's first instruction
  std::string instruction;
  std::optional<Decision> decision;
  std::optional<std::uint64_t> origin_pc;  ///< of the load that brought the value in
  std::uint64_t written_by = 0;            ///< the record that wrote the value there; 0: none did

  /// The address: an allocation, LDS or scratch, and an offset from its start. In global memory
  /// where `allocation` is 0 nothing is known there, and the offset is the address itself.
  AllocationId allocation;
  std::string buffer;  ///< the allocation's label, "LDS", or empty
  std::int64_t offset_bytes = 0;
  std::uint64_t buffer_bytes = 0;
  std::int32_t status = 0;     ///< what the call returned, where it failed for no known reason
  std::uint64_t freed_by = 0;  ///< the record that freed the allocation; 0: it is live

  /// Where `allocation` is a block: the allocation that the runtime made, which holds it.
  AllocationId segment;
  std::string segment_label;
  std::uint64_t block_offset_bytes = 0;  ///< of the block in the segment
  std::uint64_t segment_bytes = 0;
};

/// One cause that breaks one rule, however many lanes, launches and buffers of one role it hits.
struct Finding {
  std::string rule;
  Level level = Level::kError;
  std::string id;      ///< the same after a rebuild and in another recording of the same fault
  std::string kernel;  ///< canonical; of a transfer its record's kind
  std::string role;    ///< of the buffer; else its name, else the argument's
  std::string step_kind;
  std::string phase;
  std::uint64_t accesses = 0;  ///< of lanes, or transfers
  std::uint64_t launches = 0;  ///< or transfers
  std::vector<Place> places;   ///< the first few that differ by instruction or argument; not empty
  std::string hint;
};

/// Finding::id for what the other fields hold.
std::string stable_id(const Finding& finding);

/// "an address", "EXEC" or "a branch".
std::string_view noun_of(Decision decision);

/// A place in the running kernel: "kernel + 0x40", from its first instruction.
std::string describe_pc(std::uint64_t pc);

/// In memory's own words: "kv_cache (allocation 7) + 65536, 0 bytes past its end of 65536"; of a
/// block also where that is in its segment.
std::string describe_address(const Place& place);

}  // namespace compass::gate
