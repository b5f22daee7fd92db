// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
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

  /// Launches only; `has_lane`: one lane did it, and the next lines say which and where.
  bool has_lane = true;
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wavefront = 0;
  std::uint32_t lane = 0;
  std::uint64_t pc = 0;  ///< relative to the kernel's first instruction
  std::string instruction;
  std::optional<Decision> decision;
  std::optional<std::uint64_t> origin_pc;  ///< of the load that brought the value in
  std::uint64_t written_by = 0;            ///< the record that wrote the value there; 0: none did

  /// The address: an allocation, LDS or scratch, and an offset from its start. In global memory
  /// where `allocation` is 0 nothing is known there, and the offset is the address itself; of
  /// kUnallocated it is from where the argument points, as the host's addresses change.
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

/// A register that an instruction took, as the lane had it.
struct Operand {
  std::string name;   ///< "v[2:3]", "s4", "vcc"
  std::string value;  ///< in hex; what else it may mean in brackets
};

/// An instruction of the kernel.
struct CodeNeighbour {
  std::uint64_t pc = 0;
  std::string text;
  bool is_the_one = false;
};

/// How the value that a finding is about came about, from the last writer back: one link is one
/// place in memory, and who wrote it last before it was read.
struct StoryLink {
  std::string what;   ///< of the first: "the address" or what else was computed from it
  std::string value;  ///< as it was read; empty: not known
  std::string place;  ///< "slot_mapping (allocation 3) + 12", or what was no memory
  MemoryRef at;  ///< the same, in memory that the runtime made; no allocation: it was no memory
  std::optional<std::uint64_t> read_pc;  ///< of the load, in the launch before it in the story
  std::uint64_t writer = 0;  ///< the record that wrote the place last; 0: none is known to
  std::uint64_t node = 0;    ///< of a graph's launch
  std::uint64_t launch = 0;  ///< the ordinal, if it is one
  StepId step;               ///< of the writer
  std::string written_by;    ///< in words: "copy h2d from host memory", "gemm", "nobody"
  std::optional<std::uint64_t> write_pc;  ///< of the store
  std::string write_instruction;
};

/// Where a launch has made infinities or NaN of finite numbers, and stored one.
struct NonfiniteOrigin {
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wavefront = 0;
  std::uint32_t lane = 0;
  std::uint64_t pc = 0;     ///< of the instruction that made it
  std::string instruction;  ///< the same
  AllocationId allocation;  ///< where it was stored first
  std::uint64_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
  std::string value;                ///< "infinity", "-infinity", "NaN", or what is known of it
  std::vector<Operand> operands;    ///< of the instruction
  std::vector<CodeNeighbour> code;  ///< around it
  std::vector<StoryLink> story;     ///< of what the instruction took, as far as it is known
};

/// Another rule that the same cause breaks, or what else is known of it.
struct Facet {
  std::string name;  ///< "index-width", or a rule's
  std::string text;
};

/// A buffer with the role of the one that is broken.
struct Sibling {
  enum class State : std::uint8_t { kBroken, kChecked, kNotAccessed };
  std::string buffer;
  State state = State::kNotAccessed;  ///< of the accesses of the finding's kernel
};

std::string_view name_of(Sibling::State state);  ///< "broken", "checked" or "not accessed"

/// One cause that breaks one rule, however many lanes, launches and buffers of one role it hits.
struct Finding {
  std::string rule;
  Level level = Level::kError;
  std::string id;      ///< the same after a rebuild and in another recording of the same fault
  std::string kernel;  ///< canonical; of a transfer its record's kind
  std::string role;    ///< of the buffer; else its name, else the argument's
  std::string step_kind;
  std::string phase;
  std::uint64_t accesses = 0;  ///< of lanes, or transfers; of what `unit` says
  std::string unit = "access";
  std::string_view memory_is = "address";  ///< what the memory of the first place is to it
  std::uint64_t launches = 0;              ///< or transfers
  std::vector<Place> places;  ///< the first few that differ by instruction or argument; not empty
  std::string statement;      ///< what the kernel or call does, as the headline says it
  std::string hint;
  std::vector<Operand> operands;  ///< of the instruction of the first place, where it was looked at
  std::vector<CodeNeighbour> code;  ///< around it
  std::vector<StoryLink> story;
  std::vector<Facet> facets;
  std::set<AllocationId> broken;  ///< of all places, also of those that are not kept
  std::vector<Sibling> siblings;  ///< with the broken ones; none where no role was declared
};

/// Finding::id for what the other fields hold.
std::string stable_id(const Finding& finding);

/// "an address", "EXEC" or "a branch".
std::string_view noun_of(Decision decision);

/// Whether it is known at which memory the rule was broken.
bool has_address(const Place& place);

/// A place in the running kernel: "kernel + 0x40", from its first instruction.
std::string describe_pc(std::uint64_t pc);

/// In memory's own words: "kv_cache (allocation 7) + 65536, 0 bytes past its end of 65536"; of a
/// block also where that is in its segment.
std::string describe_address(const Place& place);

}  // namespace compass::gate
