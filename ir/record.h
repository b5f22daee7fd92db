// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/allocation.h"
#include "ir/base/bytes.h"
#include "ir/completed_copy.h"
#include "ir/graph_records.h"
#include "ir/ids.h"
#include "ir/mark_records.h"
#include "ir/row_counts.h"

namespace compass {

/// One explicit argument of a launch, at `offset_bytes` of the kernarg segment.
struct LaunchArgument {
  std::uint32_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
  bool is_pointer = false;
  MemoryRef memory;  ///< where is_pointer
  Bytes bytes;       ///< where not: the value, size_bytes long
  friend bool operator==(const LaunchArgument&, const LaunchArgument&) = default;
};

/// What a launch asks for. Launches that differ in nothing but the offsets of their pointers share
/// one; its own are those of the first.
struct Launch {
  LaunchId id;
  KernelId kernel;
  std::array<std::uint32_t, 3> grid_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_workitems{1, 1, 1};
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<LaunchArgument> arguments;
  bool is_cooperative = false;  ///< its workgroups are under way together and may synchronise
};

enum class CopyDirection : std::uint8_t {
  kHostToHost,
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice,
};
enum class HostWait : std::uint8_t { kAsync, kBlocking };

std::string_view name_of(CopyDirection direction);  ///< "h2h", "h2d", "d2h" or "d2d"
std::string_view name_of(HostWait wait);

/// The records, in the order in which the host made them. `content` is the SHA-256 of bytes that
/// the archive holds, or empty where they were not kept: then they are unknown, not zero.
struct Allocate {
  AllocationId allocation;
  bool in_stream_order = false;
};
struct Free {
  AllocationId allocation;
  bool in_stream_order = false;  ///< else the host waits for what uses it
};
struct Copy {
  CopyDirection direction = CopyDirection::kHostToDevice;
  HostWait wait = HostWait::kBlocking;
  MemoryRef destination;  ///< nowhere: pageable host memory
  MemoryRef source;       ///< nowhere: pageable host memory
  std::uint64_t size_bytes = 0;
  std::string content;  ///< what a host source held at enqueue, row by row
  RowCounts counts;
  Pitches destination_pitches;
  Pitches source_pitches;
  CompletedCopy completed;

  std::uint64_t row_bytes() const { return size_bytes / counts.total(); }
};
struct Fill {
  MemoryRef destination;
  std::uint64_t value = 0;
  std::uint32_t value_bytes = 1;  ///< 1, 2, 4 or 8: the width of the repeated value
  std::uint64_t size_bytes = 0;
  HostWait wait = HostWait::kBlocking;
  RowCounts counts;
  Pitches pitches;

  static bool is_width(std::uint32_t value_bytes) {
    return value_bytes == 1 || value_bytes == 2 || value_bytes == 4 || value_bytes == 8;
  }
  std::uint64_t row_bytes() const { return size_bytes / counts.total(); }
};
struct LaunchKernel {  ///< Recording::launch_of() joins the two
  LaunchId launch;
  /// MemoryRef::offset_bytes of each argument that is a pointer, in their order; empty: they are
  /// those of `launch`.
  std::vector<std::uint64_t> offsets;
};
struct CreateStream {
  std::uint32_t flags = 0;
};
struct DestroyStream {};
struct CreateEvent {
  EventId event;
  std::uint32_t flags = 0;
};
struct DestroyEvent {
  EventId event;
};
struct RecordEvent {
  EventId event;
};
struct WaitEvent {  ///< the stream waits
  EventId event;
};
enum class SyncScope : std::uint8_t { kDevice, kStream, kEvent };
std::string_view name_of(SyncScope scope);
struct Synchronize {  ///< the host waits
  SyncScope scope = SyncScope::kDevice;
  EventId event;
};
struct LoadCodeObject {
  CodeObjectId code_object;
};
struct UnloadCodeObject {
  CodeObjectId code_object;
};
struct BeginStep {};
struct EndStep {};
enum class ValueCondition : std::uint8_t { kGreaterOrEqual, kEqual, kAnd, kNor };
std::string_view name_of(ValueCondition condition);  ///< "geq", "eq", "and" or "nor"
struct WaitValue {  ///< the stream waits until the masked value at a place satisfies a condition
  MemoryRef place;
  std::uint64_t value = 0;
  std::uint64_t mask = 0;
  std::uint32_t value_bytes = 4;  ///< 4 or 8
  ValueCondition condition = ValueCondition::kEqual;
};

/// The host wrote bytes where the device sees them, without a call.
struct HostWrite {
  MemoryRef place;
  std::uint64_t size_bytes = 0;
  std::string content;
};

using RecordBody =
    std::variant<Allocate, Free, Copy, Fill, LaunchKernel, CreateStream, DestroyStream, CreateEvent,
                 DestroyEvent, RecordEvent, WaitEvent, Synchronize, LoadCodeObject,
                 UnloadCodeObject, BeginStep, EndStep, WaitValue, BeginCapture, EndCapture,
                 DestroyGraph, InstantiateGraph, UpdateExecutable, SetNode, EnableNode, LaunchGraph,
                 DestroyExecutable, ChildNode, EmptyNode, HostFunction, DeclarePool,
                 DeclareSentinel, Sleep, Wake, ReportOutput, AllocateBlock, FreeBlock, HostWrite>;

/// One thing that the program asked for.
struct Record {
  std::uint64_t sequence = 0;  ///< 1, 2, … without gaps
  ThreadId thread;
  StreamId stream;
  StepId step;
  std::string phase = "eager";
  RecordBody body;
  /// What the runtime returned; 0: success. What failed took no effect that is known of, and a copy
  /// that failed has no content.
  std::int32_t status = 0;
  /// It was put into a graph, and did nothing by itself. Memory that it allocates is there from a
  /// launch of the graph until a node or the program frees it, and again at the next launch.
  bool captured = false;
};

/// Whether such a record can say what a node of a graph does. (A launch of a graph that was
/// captured can be captured, but is no node itself: its nodes are a child's.)
bool can_be_captured(const RecordBody& body);

/// The record's kind in one word, for instance "launch"; the archive's and the text's name for it.
std::string_view kind_of(const Record& record);
/// The same of every kind, by its place in RecordBody.
std::span<const std::string_view> record_kinds();

/// One forward of the model, as the program marked it.
struct Step {
  StepId id;
  std::string kind;
  bool produces_output = false;
  bool deferred = false;
  std::uint32_t real_rows = 0;
  std::uint32_t padded_rows = 0;
  std::vector<std::uint64_t> request_ids;
  std::vector<std::int64_t> positions;
  std::vector<bool> may_end;
};

}  // namespace compass
