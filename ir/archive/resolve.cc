// SPDX-License-Identifier: MIT
#include "ir/archive/resolve.h"

#include <unordered_map>
#include <utility>
#include <variant>

#include "ir/archive/causes.h"
#include "ir/archive/code_table.h"
#include "ir/archive/compression.h"
#include "ir/archive/kernarg.h"
#include "ir/archive/memory_table.h"
#include "ir/archive/message.h"
#include "ir/archive/sha256.h"
#include "ir/hip/abi.h"

namespace compass::archive {
namespace {

// Stream handles with a meaning of their own; abi.h has only the null one.
constexpr std::uint64_t kLegacyStream = 1;
constexpr std::uint64_t kPerThreadStream = 2;
constexpr std::uint32_t kMemcpyDeviceToDeviceNoCu = 1024;
constexpr std::int32_t kErrorUnknown = hip::kErrorUnknown;

/// What gcnArchName says before its feature flags.
std::string processor_of(const std::string& architecture) {
  return architecture.substr(0, architecture.find(':'));
}

/// The device with the lowest ordinal: one recording knows one device.
journal::DeviceSeen device_of(const journal::Contents& journal) {
  const journal::DeviceSeen* first = nullptr;
  for (const journal::Entry& entry : journal.entries) {
    const auto* device = std::get_if<journal::DeviceSeen>(&entry.body);
    if (device != nullptr && (first == nullptr || device->ordinal < first->ordinal)) first = device;
  }
  return first == nullptr ? journal::DeviceSeen{} : *first;
}

/// What a host thread has on its own.
struct Thread {
  ThreadId id;  ///< 0 until its first record
  StepId step;
  std::string phase = "eager";
};

class Resolver {
 public:
  Resolver(const journal::DeviceSeen& device, Resolved& out)
      : recording_(out.recording),
        contents_(out.contents),
        memory_(recording_.allocations),
        code_(device.architecture, recording_, contents_, out.decompressed) {
    recording_.device = {processor_of(device.architecture), device.name, device.declared};
  }

  /// `status`: what came of the entry.
  void take(const journal::Entry& entry, std::int32_t status) {
    thread_ = entry.thread;
    status_ = status;
    std::visit([this](const auto& body) { on(body); }, entry.body);
  }
  void finish(const journal::Contents& journal);

 private:
  void on(const journal::Start& start) { recording_.program = start.program; }
  void on(const journal::DeviceSeen&) {}
  void on(const journal::FatBinary& fat_binary) { code_.add(fat_binary); }
  void on(const journal::UnloadFatBinary& fat_binary);
  void on(const journal::Function& function) { code_.add(function); }
  void on(const journal::Allocate& allocate);
  void on(const journal::Free& free);
  void on(const journal::CreateStream& create);
  void on(const journal::DestroyStream& destroy);
  void on(const journal::CreateEvent& create);
  void on(const journal::DestroyEvent& destroy);
  void on(const journal::RecordEvent& record);
  void on(const journal::WaitEvent& wait);
  void on(const journal::Synchronize& synchronize);
  void on(const journal::Copy& copy);
  void on(const journal::Fill& fill);
  void on(const journal::Launch& launch);
  void on(const journal::NameBuffer& name);
  void on(const journal::BeginStep& begin);
  void on(const journal::EndStep&);
  void on(const journal::Phase& phase) { threads_[thread_].phase = phase.phase; }
  void on(const journal::Incomplete& incomplete) { causes_.add(incomplete.cause); }
  void on(const journal::End&) { ended_ = true; }
  void on(const journal::Failed&) {}

  void push(StreamId stream, RecordBody body, std::int32_t status = 0);
  StreamId add_stream(std::uint64_t handle, std::uint32_t flags);
  EventId add_event(std::uint64_t handle, std::uint32_t flags);
  /// What the handle names; where its creation was not seen, it is created now.
  StreamId stream(std::uint64_t handle);
  EventId event(std::uint64_t handle);
  /// A per-thread stream is another one in every thread.
  std::pair<std::uint64_t, std::uint32_t> stream_key(std::uint64_t handle) const {
    return {handle, handle == kPerThreadStream ? thread_ : 0};
  }
  bool on_device(const MemoryRef& memory) const {
    return memory.allocation &&
           recording_.allocation(memory.allocation).kind == AllocationKind::kDevice;
  }
  CopyDirection direction_of(std::uint32_t kind, const Copy& copy) const;
  std::string keep(ByteView content);
  Result<void> launch(const journal::Launch& launch);
  LaunchId distinct(Launch launch);

  Recording& recording_;
  Contents& contents_;
  MemoryTable memory_;
  CodeTable code_;
  Causes causes_;
  bool ended_ = false;
  std::uint32_t thread_ = 0;  ///< of the entry at hand
  std::int32_t status_ = 0;   ///< of the entry at hand
  std::unordered_map<std::uint32_t, Thread> threads_;
  std::uint32_t thread_count_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, StreamId> streams_;
  std::uint32_t stream_count_ = 0;
  std::unordered_map<std::uint64_t, EventId> events_;
  std::uint32_t event_count_ = 0;
  std::unordered_map<std::string, LaunchId> launches_;  ///< by their message, less the id
};

HostWait wait_of(bool blocking) { return blocking ? HostWait::kBlocking : HostWait::kAsync; }

void Resolver::push(StreamId stream, RecordBody body, std::int32_t status) {
  Thread& thread = threads_[thread_];
  if (!thread.id) thread.id = {++thread_count_};
  recording_.records.push_back({recording_.records.size() + 1, thread.id, stream, thread.step,
                                thread.phase, std::move(body), status});
}

StreamId Resolver::add_stream(std::uint64_t handle, std::uint32_t flags) {
  const StreamId id{++stream_count_};
  streams_[stream_key(handle)] = id;
  push(id, CreateStream{flags});
  return id;
}

EventId Resolver::add_event(std::uint64_t handle, std::uint32_t flags) {
  const EventId id{++event_count_};
  events_[handle] = id;
  push({}, CreateEvent{id, flags});
  return id;
}

StreamId Resolver::stream(std::uint64_t handle) {
  if (handle == 0 || handle == kLegacyStream) return {};
  const auto found = streams_.find(stream_key(handle));
  return found == streams_.end() ? add_stream(handle, 0) : found->second;
}

EventId Resolver::event(std::uint64_t handle) {
  const auto found = events_.find(handle);
  return found == events_.end() ? add_event(handle, 0) : found->second;
}

void Resolver::on(const journal::UnloadFatBinary& fat_binary) {
  if (const auto unloaded = code_.remove(fat_binary)) push({}, UnloadCodeObject{*unloaded});
}

void Resolver::on(const journal::Allocate& allocate) {
  if (allocate.address == 0 || allocate.size_bytes == 0) return;
  const DeviceAddress address{allocate.address};
  for (const AllocationId gone : memory_.overlapping(address, allocate.size_bytes)) {
    causes_.add("memory was allocated over memory whose free was not recorded");
    memory_.free(gone);
    push({}, Free{gone});
  }
  const AllocationKind kind = allocate.kind == journal::MemoryKind::kDevice
                                  ? AllocationKind::kDevice
                                  : AllocationKind::kPinnedHost;
  push({}, Allocate{memory_.allocate(kind, address, allocate.size_bytes)});
}

void Resolver::on(const journal::Free& free) {
  if (free.address == 0) return;
  const DeviceAddress address{free.address};
  // What failed may be the second free of the same memory.
  const AllocationId allocation =
      status_ == 0 ? memory_.starting_at(address) : memory_.last_starting_at(address);
  if (!allocation) return causes_.add("memory was freed whose allocation was not recorded");
  if (status_ == 0) memory_.free(allocation);
  push({}, Free{allocation}, status_);
}

void Resolver::on(const journal::CreateStream& create) { add_stream(create.stream, create.flags); }

void Resolver::on(const journal::DestroyStream& destroy) {
  const auto found = streams_.find(stream_key(destroy.stream));
  if (found == streams_.end()) return;
  const StreamId id = found->second;
  if (status_ == 0) streams_.erase(found);
  push(id, DestroyStream{}, status_);
}

void Resolver::on(const journal::CreateEvent& create) { add_event(create.event, create.flags); }

void Resolver::on(const journal::DestroyEvent& destroy) {
  const auto found = events_.find(destroy.event);
  if (found == events_.end()) return;
  const EventId id = found->second;
  if (status_ == 0) events_.erase(found);
  push({}, DestroyEvent{id}, status_);
}

void Resolver::on(const journal::RecordEvent& record) {
  const EventId id = event(record.event);
  push(stream(record.stream), RecordEvent{id});
}

void Resolver::on(const journal::WaitEvent& wait) {
  const EventId id = event(wait.event);
  push(stream(wait.stream), WaitEvent{id});
}

void Resolver::on(const journal::Synchronize& synchronize) {
  switch (synchronize.scope) {
    case journal::SyncScope::kDevice:
      return push({}, Synchronize{SyncScope::kDevice, {}});
    case journal::SyncScope::kStream:
      return push(stream(synchronize.handle), Synchronize{SyncScope::kStream, {}});
    case journal::SyncScope::kEvent:
      return push({}, Synchronize{SyncScope::kEvent, event(synchronize.handle)});
  }
}

CopyDirection Resolver::direction_of(std::uint32_t kind, const Copy& copy) const {
  if (kind <= hip::kMemcpyDeviceToDevice) return static_cast<CopyDirection>(kind);
  if (kind == kMemcpyDeviceToDeviceNoCu) return CopyDirection::kDeviceToDevice;
  if (on_device(copy.source)) {
    return on_device(copy.destination) ? CopyDirection::kDeviceToDevice
                                       : CopyDirection::kDeviceToHost;
  }
  return on_device(copy.destination) ? CopyDirection::kHostToDevice : CopyDirection::kHostToHost;
}

std::string Resolver::keep(ByteView content) {
  if (content.empty() || content.size() > kMaxContentBytes) return {};
  std::string key = sha256(content);
  contents_.emplace(key, content);
  return key;
}

void Resolver::on(const journal::Copy& copy) {
  Copy body;
  body.destination = memory_.find({copy.destination});
  body.source = memory_.find({copy.source});
  body.direction = direction_of(copy.direction, body);
  body.wait = wait_of(copy.blocking);
  body.size_bytes = copy.size_bytes;
  if (status_ == 0 && copy.has_content && copy.content.size() == copy.size_bytes) {
    body.content = keep(copy.content);
  }
  const StreamId on_stream = stream(copy.stream);
  push(on_stream, std::move(body), status_);
}

void Resolver::on(const journal::Fill& fill) {
  if (fill.value_bytes != 1 && fill.value_bytes != 2 && fill.value_bytes != 4) {
    return causes_.add(concat("a fill with a value of ", fill.value_bytes, " bytes was left out"));
  }
  const StreamId on_stream = stream(fill.stream);
  push(on_stream,
       Fill{memory_.find({fill.destination}), fill.value, fill.value_bytes, fill.size_bytes,
            wait_of(fill.blocking)},
       status_);
}

void Resolver::on(const journal::Launch& entry) {
  auto ok = launch(entry);
  if (ok) return;
  causes_.add(concat("launches of ", code_.name_of(entry.host_function),
                     " were left out: ", ok.error().message));
}

Result<void> Resolver::launch(const journal::Launch& entry) {
  ASSIGN_OR_RETURN(const CodeTable::Found found, code_.find(entry.host_function));
  if (found.loads) push({}, LoadCodeObject{*found.loads});
  Launch launch;
  launch.kernel = found.kernel;
  launch.grid_workgroups = entry.grid_workgroups;
  launch.workgroup_workitems = entry.workgroup_workitems;
  launch.dynamic_lds_bytes = entry.dynamic_lds_bytes;
  ASSIGN_OR_RETURN(launch.arguments,
                   split_kernarg(recording_.kernel(found.kernel), entry.kernarg, memory_));
  const StreamId on_stream = stream(entry.stream);
  push(on_stream, LaunchKernel{distinct(std::move(launch))}, status_);
  return {};
}

LaunchId Resolver::distinct(Launch launch) {
  const LaunchId next{static_cast<std::uint32_t>(recording_.launches.size() + 1)};
  const auto [known, is_new] = launches_.emplace(encode(launch), next);
  if (is_new) {
    launch.id = next;
    recording_.launches.push_back(std::move(launch));
  }
  return known->second;
}

void Resolver::on(const journal::NameBuffer& name) {
  const MemoryRef place = memory_.find_live({name.address});
  if (!place.allocation) return;
  Allocation& allocation = recording_.allocations[place.allocation.value - 1];
  if (place.offset_bytes == 0) {
    allocation.info = {name.name, name.role, name.dtype, name.shape, name.strides};
  } else if (place.offset_bytes < allocation.size_bytes && allocation.info.name.empty()) {
    allocation.info.name = name.name;
  }
}

void Resolver::on(const journal::BeginStep& begin) {
  if (threads_[thread_].step) on(journal::EndStep{});
  Step step;
  step.id = {static_cast<std::uint32_t>(recording_.steps.size() + 1)};
  step.kind = begin.kind;
  step.produces_output = begin.produces_output;
  step.deferred = begin.deferred;
  step.real_rows = begin.real_rows;
  step.padded_rows = begin.padded_rows;
  step.request_ids = begin.request_ids;
  step.positions = begin.positions;
  for (const std::uint8_t may_end : begin.may_end) step.may_end.push_back(may_end != 0);
  threads_[thread_].step = step.id;
  recording_.steps.push_back(std::move(step));
  push({}, BeginStep{});
}

void Resolver::on(const journal::EndStep&) {
  if (!threads_[thread_].step) return;
  push({}, EndStep{});
  threads_[thread_].step = {};
}

void Resolver::finish(const journal::Contents& journal) {
  if (journal.torn) {
    causes_.add(concat("the journal is torn at ", journal.tear));
  } else if (!ended_) {
    causes_.add("the process did not end in order");
  }
  recording_.complete = causes_.empty();
  recording_.incomplete_cause = causes_.text();
}

template <class Body>
constexpr bool kIsCall =
    !std::is_same_v<Body, journal::Start> && !std::is_same_v<Body, journal::DeviceSeen> &&
    !std::is_same_v<Body, journal::FatBinary> && !std::is_same_v<Body, journal::UnloadFatBinary> &&
    !std::is_same_v<Body, journal::Function> && !std::is_same_v<Body, journal::NameBuffer> &&
    !std::is_same_v<Body, journal::BeginStep> && !std::is_same_v<Body, journal::EndStep> &&
    !std::is_same_v<Body, journal::Phase> && !std::is_same_v<Body, journal::Incomplete> &&
    !std::is_same_v<Body, journal::End> && !std::is_same_v<Body, journal::Failed>;

/// What came of each entry: a failure stands behind it, among the entries of its thread.
std::vector<std::int32_t> statuses_of(const std::vector<journal::Entry>& entries) {
  std::vector<std::int32_t> statuses(entries.size());
  std::unordered_map<std::uint32_t, std::size_t> last;  // of each thread
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto* failed = std::get_if<journal::Failed>(&entries[i].body);
    const auto known = last.find(entries[i].thread);
    if (failed == nullptr) {
      last[entries[i].thread] = i;
    } else if (known != last.end()) {
      statuses[known->second] = failed->status > 0 ? failed->status : kErrorUnknown;
    }
  }
  return statuses;
}

}  // namespace

bool calls_hip(const journal::Contents& journal) {
  for (const journal::Entry& entry : journal.entries) {
    const bool is_call =
        std::visit([]<class Body>(const Body&) { return kIsCall<Body>; }, entry.body);
    if (is_call) return true;
  }
  return false;
}

Resolved resolve(const journal::Contents& journal) {
  Resolved resolved;
  Resolver resolver(device_of(journal), resolved);
  const std::vector<std::int32_t> statuses = statuses_of(journal.entries);
  for (std::size_t i = 0; i < journal.entries.size(); ++i) {
    resolver.take(journal.entries[i], statuses[i]);
  }
  resolver.finish(journal);
  return resolved;
}

}  // namespace compass::archive
