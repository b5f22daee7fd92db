// SPDX-License-Identifier: MIT
#include "ir/journal/entry.h"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

namespace compass::journal {
namespace {

/// T, const or not: encoding and decoding share one list of fields for each kind of entry.
template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

auto fields(Is<Start> auto& e) {
  return std::tie(e.process_id, e.parent_process_id, e.started_ns, e.program, e.contents, e.by_mark,
                  e.rank, e.ranks);
}
auto fields(Is<DeviceSeen> auto& e) {
  return std::tie(e.ordinal, e.architecture, e.name, e.declared, e.runtime_version);
}
auto fields(Is<FatBinary> auto& e) { return std::tie(e.handle, e.bytes); }
auto fields(Is<UnloadFatBinary> auto& e) { return std::tie(e.handle); }
auto fields(Is<Function> auto& e) { return std::tie(e.fat_binary, e.host_function, e.kernel); }
auto fields(Is<Allocate> auto& e) {
  return std::tie(e.kind, e.address, e.size_bytes, e.in_stream_order, e.stream);
}
auto fields(Is<Free> auto& e) { return std::tie(e.address, e.in_stream_order, e.stream); }
auto fields(Is<CreateStream> auto& e) { return std::tie(e.stream, e.flags); }
auto fields(Is<DestroyStream> auto& e) { return std::tie(e.stream); }
auto fields(Is<CreateEvent> auto& e) { return std::tie(e.event, e.flags); }
auto fields(Is<DestroyEvent> auto& e) { return std::tie(e.event); }
auto fields(Is<RecordEvent> auto& e) { return std::tie(e.event, e.stream); }
auto fields(Is<WaitEvent> auto& e) { return std::tie(e.stream, e.event); }
auto fields(Is<Synchronize> auto& e) { return std::tie(e.scope, e.handle); }
auto fields(Is<Copy> auto& e) {
  return std::tie(e.destination, e.source, e.size_bytes, e.direction, e.stream, e.blocking,
                  e.has_content, e.content, e.counts.rows, e.counts.slices,
                  e.destination_pitches.row_bytes, e.destination_pitches.slice_bytes,
                  e.source_pitches.row_bytes, e.source_pitches.slice_bytes);
}
auto fields(Is<Fill> auto& e) {
  return std::tie(e.destination, e.value, e.value_bytes, e.size_bytes, e.stream, e.blocking,
                  e.counts.rows, e.counts.slices, e.pitches.row_bytes, e.pitches.slice_bytes);
}
auto fields(Is<Launch> auto& e) {
  return std::tie(e.host_function, e.stream, e.grid_workgroups, e.workgroup_workitems,
                  e.dynamic_lds_bytes, e.kernarg, e.is_cooperative);
}
auto fields(Is<NameBuffer> auto& e) {
  return std::tie(e.address, e.name, e.role, e.dtype, e.shape, e.strides);
}
auto fields(Is<BeginStep> auto& e) {
  return std::tie(e.kind, e.produces_output, e.deferred, e.real_rows, e.padded_rows, e.request_ids,
                  e.positions, e.may_end);
}
auto fields(Is<EndStep> auto&) { return std::tie(); }
auto fields(Is<Phase> auto& e) { return std::tie(e.phase); }
auto fields(Is<Incomplete> auto& e) { return std::tie(e.cause); }
auto fields(Is<End> auto&) { return std::tie(); }
auto fields(Is<Failed> auto& e) { return std::tie(e.entry, e.status); }
auto fields(Is<SameLaunch> auto& e) { return std::tie(e.entry); }
auto fields(Is<Stopped> auto& e) { return std::tie(e.doer.entry, e.doer.node, e.cause); }
auto fields(Is<Faults> auto& e) {
  auto& f = e.first;
  return std::tie(e.doer.entry, e.doer.node, f.kind, f.access, f.space, f.size_bytes,
                  f.address.value, f.workgroup, f.wavefront, f.lane, f.pc, f.instruction,
                  f.offset_bytes, f.allocation_bytes, e.allocation.base, e.allocation.generation,
                  e.accesses);
}
auto fields(Is<Decisions> auto& e) {
  auto& d = e.first;
  return std::tie(e.doer.entry, e.doer.node, d.decision, d.undefined, d.workgroup, d.wavefront,
                  d.lane, d.pc, d.instruction, d.has_origin, d.origin_pc, d.origin_space,
                  d.origin_offset_bytes, d.origin_writer, e.origin.base, e.origin.generation,
                  e.lanes);
}
auto fields(Is<FaultyTransfer> auto& e) {
  auto& f = e.fault;
  return std::tie(e.doer.entry, e.doer.node, f.kind, f.access, f.size_bytes, e.address);
}
auto fields(Is<Global> auto& e) { return std::tie(e.fat_binary, e.name, e.address, e.size_bytes); }
auto fields(Is<WaitValue> auto& e) {
  return std::tie(e.address, e.value, e.mask, e.value_bytes, e.condition, e.stream);
}
auto fields(Is<GraphNode> auto& e) { return std::tie(e.handle, e.entry, e.after); }
auto fields(Is<BeginCapture> auto& e) { return std::tie(e.stream, e.mode); }
auto fields(Is<EndCapture> auto& e) { return std::tie(e.stream, e.graph); }
auto fields(Is<DestroyGraph> auto& e) { return std::tie(e.graph); }
auto fields(Is<InstantiateGraph> auto& e) { return std::tie(e.executable, e.graph, e.nodes); }
auto fields(Is<UpdateExecutable> auto& e) { return std::tie(e.executable, e.nodes); }
auto fields(Is<SetNode> auto& e) { return std::tie(e.executable, e.node, e.entry); }
auto fields(Is<EnableNode> auto& e) { return std::tie(e.executable, e.node, e.enabled); }
auto fields(Is<LaunchGraph> auto& e) { return std::tie(e.executable, e.stream); }
auto fields(Is<DestroyExecutable> auto& e) { return std::tie(e.executable); }
auto fields(Is<ChildGraph> auto& e) { return std::tie(e.nodes); }
auto fields(Is<EmptyNode> auto&) { return std::tie(); }
auto fields(Is<HostFunction> auto& e) { return std::tie(e.stream); }
auto fields(Is<AccessRun> auto& e) {
  return std::tie(e.first, e.size_bytes, e.stride_bytes, e.count);
}
auto fields(Is<AllocationAccesses> auto& e) {
  return std::tie(e.allocation.base, e.allocation.generation, e.reads, e.writes);
}
auto fields(Is<Accesses> auto& e) { return std::tie(e.doer.entry, e.doer.node, e.allocations); }
auto fields(Is<Nonfinite> auto& e) {
  return std::tie(e.doer.entry, e.doer.node, e.allocation.base, e.allocation.generation,
                  e.offset_bytes);
}
auto fields(Is<FirstRun> auto& e) { return std::tie(e.architecture, e.mnemonic, e.basis); }
auto fields(Is<SameAccesses> auto& e) { return std::tie(e.doer.entry, e.doer.node, e.entry); }
auto fields(Is<compass::CallSite::Frame> auto& e) {
  return std::tie(e.module, e.offset_bytes, e.symbol);
}
auto fields(Is<CallSite> auto& e) { return std::tie(e.number, e.frames); }
auto fields(Is<CalledFrom> auto& e) { return std::tie(e.call_site); }

auto fields(Is<DeclarePool> auto& e) {
  return std::tie(e.address, e.name, e.unit, e.said_by, e.rows, e.row_bytes, e.reserved);
}
auto fields(Is<DeclareSentinel> auto& e) {
  return std::tie(e.address, e.role, e.pool, e.unit, e.values);
}
auto fields(Is<Sleep> auto& e) { return std::tie(e.level, e.tag); }
auto fields(Is<Wake> auto& e) { return std::tie(e.tag); }
auto fields(Is<ReportOutput> auto& e) {
  return std::tie(e.address, e.size_bytes, e.request_ids, e.ids);
}
auto fields(Is<AllocateBlock> auto& e) {
  return std::tie(e.segment, e.address, e.size_bytes, e.name);
}
auto fields(Is<FreeBlock> auto& e) { return std::tie(e.address); }
auto fields(Is<Rank> auto& e) { return std::tie(e.rank, e.ranks); }
auto fields(Is<CalledHip> auto&) { return std::tie(); }
auto fields(Is<LoadedContent> auto& e) {
  return std::tie(e.allocation.base, e.allocation.generation, e.runs, e.content);
}
auto fields(Is<Index> auto& e) {
  return std::tie(e.doer.entry, e.doer.node, e.complete, e.allocations);
}

auto fields(Is<Completed> auto& e) {
  return std::tie(e.doer.entry, e.doer.node, e.copied, e.has_content, e.content);
}
auto fields(Is<NodeSource> auto& e) { return std::tie(e.doer.entry, e.doer.node, e.content); }
auto fields(Is<HostWrite> auto& e) { return std::tie(e.address, e.size_bytes, e.content); }
auto fields(Is<ContentGivenUp> auto& e) { return std::tie(e.entry, e.size_bytes); }

/// A part of an entry, of which there are several.
template <class T>
concept Part = Is<T, GraphNode> || Is<T, AccessRun> || Is<T, AllocationAccesses> ||
    Is<T, compass::CallSite::Frame> || Is<T, LoadedContent>;

/// The largest value that an entry may hold for an enumeration.
constexpr std::uint8_t last_of(MemoryKind) {
  return static_cast<std::uint8_t>(MemoryKind::kManaged);
}
constexpr std::uint8_t last_of(FaultKind) {
  return static_cast<std::uint8_t>(FaultKind::kMisaligned);
}
constexpr std::uint8_t last_of(AccessKind) {
  return static_cast<std::uint8_t>(AccessKind::kAtomic);
}
constexpr std::uint8_t last_of(AddressSpace) {
  return static_cast<std::uint8_t>(AddressSpace::kScratch);
}
constexpr std::uint8_t last_of(Decision) { return static_cast<std::uint8_t>(Decision::kBranch); }
constexpr std::uint8_t last_of(ValueCondition) {
  return static_cast<std::uint8_t>(ValueCondition::kNor);
}
constexpr std::uint8_t last_of(ContentsMode) {
  return static_cast<std::uint8_t>(ContentsMode::kAll);
}
constexpr std::uint8_t last_of(CopiedBytes) {
  return static_cast<std::uint8_t>(CopiedBytes::kCompleted);
}
constexpr std::uint8_t last_of(SyncScope) { return static_cast<std::uint8_t>(SyncScope::kEvent); }

constexpr std::uint32_t kCaptured = std::uint32_t{1} << 31;  // of an entry's first word

/// Where an entry is written to. It may be too large for that: then it is only measured.
struct Out {
  std::span<std::byte> bytes;
  std::size_t size_bytes = 0;  ///< of what was written so far
};

void put_raw(Out& out, const void* data, std::size_t size) {
  const std::size_t end = out.size_bytes + size;
  if (size != 0 && end <= out.bytes.size()) {
    std::memcpy(out.bytes.data() + out.size_bytes, data, size);
  }
  out.size_bytes = end;
}
template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void put(Out& out, const T& value) { put_raw(out, &value, sizeof value); }
void put(Out& out, const std::string& text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  put_raw(out, text.data(), text.size());
}
void put(Out& out, const Bytes& bytes) {
  put(out, static_cast<std::uint64_t>(bytes.size()));
  put_raw(out, bytes.data(), bytes.size());
}
void put(Out& out, const std::array<std::uint32_t, 3>& values) {
  put_raw(out, values.data(), sizeof values);
}
template <std::integral T>
void put(Out& out, const std::vector<T>& values) {
  put(out, static_cast<std::uint32_t>(values.size()));
  put_raw(out, values.data(), values.size() * sizeof(T));
}
template <Part T>
void put(Out& out, const std::vector<T>& parts) {
  put(out, static_cast<std::uint32_t>(parts.size()));
  for (const T& part : parts) {
    std::apply([&out](const auto&... field) { (put(out, field), ...); }, fields(part));
  }
}

/// Fills fields from bytes. The first value that no field can hold makes every later one fail.
class Decoder {
 public:
  explicit Decoder(ByteView bytes) : reader_(bytes) {}

  template <std::integral T>
  void get(T& value) {
    value = reader_.read<T>();
  }
  void get(bool& value) {
    const auto byte = reader_.read<std::uint8_t>();
    in_range_ = in_range_ && byte <= 1;
    value = byte == 1;
  }
  template <class T>
  requires std::is_enum_v<T>
  void get(T& value) {
    const auto byte = reader_.read<std::uint8_t>();
    in_range_ = in_range_ && byte <= last_of(value);
    value = in_range_ ? static_cast<T>(byte) : T{};
  }
  void get(std::string& text) { text = as_text(reader_.take(reader_.read<std::uint32_t>())); }
  void get(Bytes& bytes) {
    const ByteView view = reader_.take(reader_.read<std::uint64_t>());
    bytes.assign(view.begin(), view.end());
  }
  void get(std::array<std::uint32_t, 3>& values) {
    for (std::uint32_t& value : values) get(value);
  }
  template <std::integral T>
  void get(std::vector<T>& values) {
    const std::uint64_t count = reader_.read<std::uint32_t>();
    const ByteView view = reader_.take(count * sizeof(T));
    values.resize(view.size() / sizeof(T));
    if (!view.empty()) std::memcpy(values.data(), view.data(), view.size());
  }
  template <Part T>
  void get(std::vector<T>& parts) {
    const std::uint64_t count = reader_.read<std::uint32_t>();
    for (std::uint64_t i = 0; i < count && reader_.ok(); ++i) {
      std::apply([this](auto&... field) { (get(field), ...); }, fields(parts.emplace_back()));
    }
  }

  Result<void> finish() const {
    if (!reader_.ok()) {
      return Error{ErrorCode::kCorrupt,
                   concat("entry ends early: a field at byte ", reader_.offset(),
                          " needs more than the ", reader_.remaining(), " bytes that follow")};
    }
    if (!in_range_) return Error{ErrorCode::kCorrupt, "entry holds a value out of its range"};
    if (reader_.remaining() != 0) {
      return Error{ErrorCode::kCorrupt,
                   concat("entry has ", reader_.remaining(), " bytes after its last field")};
    }
    return {};
  }

 private:
  ByteReader reader_;
  bool in_range_ = true;
};

/// Makes `body` the alternative with this index, empty. False where there is none.
template <std::size_t... I>
bool emplace(Body& body, std::size_t index, std::index_sequence<I...>) {
  return ((index == I ? (body.emplace<I>(), true) : false) || ...);
}

}  // namespace

// An entry is the thread (31 bits), whether it is captured (1 bit), the kind (8 bits: its place in
// Body, which therefore only grows at the end), and the fields in order.
std::size_t encode(const Entry& entry, std::span<std::byte> to) {
  Out out{to};
  put(out, entry.thread | (entry.captured ? kCaptured : 0));
  put(out, static_cast<std::uint8_t>(entry.body.index()));
  std::visit(
      [&out](const auto& body) {
        std::apply([&out](const auto&... field) { (put(out, field), ...); }, fields(body));
      },
      entry.body);
  return out.size_bytes;
}

void encode(const Entry& entry, Bytes& out) {
  constexpr std::size_t kMostlyEnough = 256;
  const std::size_t before = out.size();
  out.resize(before + kMostlyEnough);
  const std::size_t size = encode(entry, std::span(out).subspan(before));
  out.resize(before + size);
  if (size > kMostlyEnough) encode(entry, std::span(out).subspan(before));
}

Result<Entry> decode(ByteView bytes) {
  constexpr std::size_t kPrefixBytes = 5;
  if (bytes.size() < kPrefixBytes) {
    return Error{ErrorCode::kCorrupt,
                 concat("entry of ", bytes.size(), " bytes, expected at least ", kPrefixBytes)};
  }
  Entry entry;
  entry.thread = load<std::uint32_t>(bytes) & ~kCaptured;
  entry.captured = (load<std::uint32_t>(bytes) & kCaptured) != 0;
  const auto kind = load<std::uint8_t>(bytes, 4);
  if (!emplace(entry.body, kind, std::make_index_sequence<std::variant_size_v<Body>>())) {
    return Error{ErrorCode::kCorrupt, concat("entry of unknown kind ", kind)};
  }
  Decoder decoder(bytes.subspan(kPrefixBytes));
  std::visit(
      [&decoder](auto& body) {
        std::apply([&decoder](auto&... field) { (decoder.get(field), ...); }, fields(body));
      },
      entry.body);
  const Result<void> finished = decoder.finish();
  if (!finished) return finished.error();
  return entry;
}

}  // namespace compass::journal
