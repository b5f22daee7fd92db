// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/call_site.h"
#include "ir/contents.h"
#include "ir/journal/contents.h"
#include "ir/journal/evidence.h"
#include "ir/journal/graphs.h"
#include "ir/journal/marks.h"
#include "ir/row_counts.h"

namespace compass::journal {

/// What capture saw, call by call: handles and addresses as the program passed them. Sealing turns
/// them into the IR. Every number is little-endian; strings and bytes carry a 32-bit or 64-bit
/// size.

struct Start {  ///< first entry of every journal
  std::uint32_t process_id = 0;
  std::uint32_t parent_process_id = 0;
  std::uint64_t started_ns = 0;  ///< when the process began, on the system's monotonic clock
  std::string program;           ///< the executable's file name, without its folder
  ContentsMode contents = ContentsMode::kIndex;
  bool by_mark = false;  ///< a mark made the journal: HIP was called if there is a CalledHip
  std::int32_t rank = -1;   ///< as a launcher's environment says; -1: it says nothing
  std::int32_t ranks = -1;  ///< how many there are; -1: it says nothing
};
struct DeviceSeen {
  std::int32_t ordinal = 0;
  std::string architecture;  ///< gcnArchName as the runtime gives it, "gfx950:sramecc+:xnack-"
  std::string name;
  bool declared = false;              ///< told by the driverless runtime
  std::uint32_t runtime_version = 0;  ///< as hipRuntimeGetVersion says it; 0: it did not
};
struct FatBinary {  ///< registered or loaded; holds code objects for one or more targets
  std::uint64_t handle = 0;
  Bytes bytes;
};
struct UnloadFatBinary {
  std::uint64_t handle = 0;
};
/// `host_function` names kernel `kernel` of the fat binary `fat_binary`. In code that the program
/// loaded, these are the handles of the function and of its module.
struct Function {
  std::uint64_t fat_binary = 0;
  std::uint64_t host_function = 0;
  std::string kernel;
};
enum class MemoryKind : std::uint8_t { kDevice, kPinnedHost, kManaged };
struct Allocate {  ///< written after the runtime made it
  MemoryKind kind = MemoryKind::kDevice;
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  bool in_stream_order = false;
  std::uint64_t stream = 0;  ///< of what is in stream order
};
struct Free {  ///< written before the runtime is asked
  std::uint64_t address = 0;
  bool in_stream_order = false;
  std::uint64_t stream = 0;  ///< of what is in stream order
};
struct CreateStream {
  std::uint64_t stream = 0;
  std::uint32_t flags = 0;
};
struct DestroyStream {
  std::uint64_t stream = 0;
};
struct CreateEvent {
  std::uint64_t event = 0;
  std::uint32_t flags = 0;
};
struct DestroyEvent {
  std::uint64_t event = 0;
};
struct RecordEvent {
  std::uint64_t event = 0;
  std::uint64_t stream = 0;
};
struct WaitEvent {
  std::uint64_t stream = 0;
  std::uint64_t event = 0;
};
enum class SyncScope : std::uint8_t { kDevice, kStream, kEvent };
struct Synchronize {
  SyncScope scope = SyncScope::kDevice;
  std::uint64_t handle = 0;  ///< of the stream or event
};
struct Copy {  ///< written before the runtime is asked
  std::uint64_t destination = 0;
  std::uint64_t source = 0;
  std::uint64_t size_bytes = 0;
  std::uint32_t direction = 4;  ///< hipMemcpyKind
  std::uint64_t stream = 0;
  bool blocking = false;
  bool has_content = false;  ///< whether `content` holds the source's bytes at enqueue
  Bytes content;             ///< row by row, without what lies between
  RowCounts counts;
  Pitches destination_pitches, source_pitches;
};
struct Fill {  ///< written before the runtime is asked
  std::uint64_t destination = 0;
  std::uint64_t value = 0;
  std::uint32_t value_bytes = 1;
  std::uint64_t size_bytes = 0;
  std::uint64_t stream = 0;
  bool blocking = false;
  RowCounts counts;
  Pitches pitches;
};
struct Launch {  ///< written before the runtime is asked, which may never answer
  std::uint64_t host_function = 0;
  std::uint64_t stream = 0;
  std::array<std::uint32_t, 3> grid_workgroups{};
  std::array<std::uint32_t, 3> workgroup_workitems{};
  std::uint32_t dynamic_lds_bytes = 0;
  Bytes kernarg;  ///< the explicit arguments at their offsets, padding zeroed
  bool is_cooperative = false;
};
struct NameBuffer {
  std::uint64_t address = 0;
  std::string name, role, dtype;
  std::vector<std::int64_t> shape, strides;
};
struct BeginStep {
  std::string kind;
  bool produces_output = false, deferred = false;
  std::uint32_t real_rows = 0, padded_rows = 0;
  std::vector<std::uint64_t> request_ids;
  std::vector<std::int64_t> positions;
  std::vector<std::uint8_t> may_end;
};
struct EndStep {};
struct Phase {
  std::string phase;
};
struct Incomplete {  ///< something was not recorded; says what
  std::string cause;
};
struct End {};   ///< the process ended in order
struct Failed {  ///< the call of an entry before this one has failed, perhaps much later
  std::uint64_t entry = 0;
  std::int32_t status = 0;  ///< what the runtime returned, never 0
};
struct SameLaunch {  ///< the launch of an earlier entry once more, to the last byte
  std::uint64_t entry = 0;
};

struct Global {  ///< a variable of loaded code; written when the program asked for it
  std::uint64_t fat_binary = 0;
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
};
enum class ValueCondition : std::uint8_t { kGreaterOrEqual, kEqual, kAnd, kNor };
struct WaitValue {  ///< the stream waits; written before the runtime is asked
  std::uint64_t address = 0;
  std::uint64_t value = 0;
  std::uint64_t mask = 0;
  std::uint32_t value_bytes = 4;
  ValueCondition condition = ValueCondition::kEqual;
  std::uint64_t stream = 0;
};

struct CallSite {  ///< written before the first entry that was asked for there
  std::uint32_t number = 0;
  std::vector<compass::CallSite::Frame> frames;
};
struct CalledFrom {  ///< the thread's next entry was asked for there
  std::uint32_t call_site = 0;
};

/// Contents of an entry before this one were to be kept and are not: the disk was behind.
struct ContentGivenUp {
  std::uint64_t entry = 0;
  std::uint64_t size_bytes = 0;
};

using Body =
    std::variant<Start, DeviceSeen, FatBinary, UnloadFatBinary, Function, Allocate, Free,
                 CreateStream, DestroyStream, CreateEvent, DestroyEvent, RecordEvent, WaitEvent,
                 Synchronize, Copy, Fill, Launch, NameBuffer, BeginStep, EndStep, Phase, Incomplete,
                 End, Failed, SameLaunch, Stopped, Faults, Decisions, FaultyTransfer, Global,
                 WaitValue, BeginCapture, EndCapture, DestroyGraph, InstantiateGraph,
                 UpdateExecutable, SetNode, EnableNode, LaunchGraph, DestroyExecutable, ChildGraph,
                 EmptyNode, HostFunction, Accesses, SameAccesses, DeclarePool, DeclareSentinel,
                 Sleep, Wake, ReportOutput, AllocateBlock, FreeBlock, Rank, CalledHip, Completed,
                 NodeSource, HostWrite, ContentGivenUp, CallSite, CalledFrom, Index,
                 Nonfinite, FirstRun>;

struct Entry {
  std::uint32_t thread = 0;  ///< host threads in the order of their first entry, from 1
  Body body;
  bool captured = false;  ///< it says what a node of a graph does, and did nothing by itself
};

/// Appends the entry's bytes, without length and checksum.
void encode(const Entry& entry, Bytes& out);
/// Their number. They are in `to` if they fit; else it may hold some.
std::size_t encode(const Entry& entry, std::span<std::byte> to);

/// The entry that `bytes` hold, or what is wrong with them. Takes any bytes.
Result<Entry> decode(ByteView bytes);

}  // namespace compass::journal
