// SPDX-License-Identifier: MIT
#include "ir/archive/resolve.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "ir/archive/compression.h"
#include "ir/archive/coverage_of.h"
#include "ir/archive/resolver.h"
#include "ir/archive/sha256.h"
#include "ir/hip/abi.h"

namespace compass::archive {
namespace {

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

AllocationKind kind_of(journal::MemoryKind kind) {
  switch (kind) {
    case journal::MemoryKind::kDevice:
      break;
    case journal::MemoryKind::kPinnedHost:
      return AllocationKind::kPinnedHost;
    case journal::MemoryKind::kManaged:
      return AllocationKind::kManaged;
  }
  return AllocationKind::kDevice;
}

HostWait wait_of(bool blocking) { return blocking ? HostWait::kBlocking : HostWait::kAsync; }

}  // namespace

Resolver::Resolver(const journal::DeviceSeen& device, Resolved& out)
    : recording_(out.recording),
      contents_(out.contents),
      out_(out),
      memory_(recording_.allocations),
      code_(device.architecture, recording_, contents_, out.decompressed) {
  recording_.device = {processor_of(device.architecture), device.name, device.declared,
                       device.runtime_version};
}

void Resolver::take(const journal::Entry& entry, std::int32_t status) {
  ++entry_;
  thread_ = entry.thread;
  status_ = status;
  captured_ = entry.captured;
  const std::uint32_t call_site = std::exchange(threads_[thread_].call_site, 0);
  const std::size_t before = recording_.records.size();
  std::visit([this](const auto& body) { on(body); }, entry.body);
  if (recording_.records.size() == before) return;
  evidence_.note_record(entry_, recording_.records.size());
  if (call_site != 0) {
    out_.call_sites.called_from.push_back({recording_.records.size(), call_site});
  }
}

void Resolver::push(StreamId stream, RecordBody body, std::int32_t status) {
  // What the resolver adds by itself is no node's.
  const bool captured = captured_ && can_be_captured(body);
  Thread& thread = threads_[thread_];
  if (!thread.id) thread.id = {++thread_count_};
  recording_.records.push_back({recording_.records.size() + 1, thread.id, stream, thread.step,
                                captured ? "captured" : thread.phase, std::move(body), status,
                                captured});
}

void Resolver::on(const journal::FatBinary& fat_binary) {
  ++version_;
  code_.add(fat_binary);
}

void Resolver::on(const journal::Function& function) {
  ++version_;
  code_.add(function);
}

void Resolver::on(const journal::UnloadFatBinary& fat_binary) {
  if (status_ != 0) return;
  ++version_;
  const auto unloaded = code_.remove(fat_binary);
  if (!unloaded) return;
  std::erase_if(globals_, [&](AllocationId id) {
    if (recording_.allocation(id).code_object != *unloaded) return false;
    if (memory_.starting_at(recording_.allocation(id).address) == id) {
      end_memory(id);
      push({}, Free{id});
    }
    return true;
  });
  push({}, UnloadCodeObject{*unloaded});
}

/// A code object is loaded once here, however often the program has loaded it: of its variables
/// there is one each.
void Resolver::on(const journal::Global& global) {
  if (global.address == 0 || global.size_bytes == 0) return;
  const auto found = code_.find_code(global.fat_binary);
  if (!found) {
    return causes_.add(concat("variable ", global.name, " is not known: ", found.error().message));
  }
  if (found->loads) push({}, LoadCodeObject{*found->loads});
  const DeviceAddress address{global.address};
  for (const AllocationId id : globals_) {
    const Allocation& other = recording_.allocation(id);
    if (other.code_object != found->code_object || other.symbol != global.name) continue;
    if (other.address == address) return;
    return causes_.add(concat("variable ", global.name,
                              " is there more than once: its code was loaded more than once"));
  }
  ++version_;
  free_overlapping(address, global.size_bytes);
  const AllocationId made = memory_.allocate(AllocationKind::kGlobal, address, global.size_bytes);
  Allocation& allocation = recording_.allocations[made.value - 1];
  allocation.code_object = found->code_object;
  allocation.symbol = global.name;
  allocation.info.name = global.name;
  globals_.push_back(made);
  push({}, Allocate{made});
}

void Resolver::on(const journal::Allocate& allocate) {
  if (allocate.address == 0 || allocate.size_bytes == 0) return;
  ++version_;
  const DeviceAddress address{allocate.address};
  free_overlapping(address, allocate.size_bytes);
  const AllocationId made = memory_.allocate(kind_of(allocate.kind), address, allocate.size_bytes);
  evidence_.note_allocation(recording_.allocation(made));
  const StreamId order = order_of(allocate.in_stream_order, allocate.stream);
  push(order, Allocate{made, allocate.in_stream_order});
}

void Resolver::free_overlapping(DeviceAddress address, std::uint64_t size_bytes) {
  const bool captured = std::exchange(captured_, false);
  for (const AllocationId gone : memory_.overlapping(address, size_bytes)) {
    // A graph's memory has no end of its own in the journal.
    if (!captured) causes_.add("memory was allocated over memory whose free was not recorded");
    end_memory(gone);
    push({}, Free{gone});
  }
  captured_ = captured;
}

StreamId Resolver::order_of(bool in_stream_order, std::uint64_t handle) {
  return in_stream_order ? stream(handle) : StreamId{};
}

void Resolver::on(const journal::Free& free) {
  if (free.address == 0) return;
  ++version_;
  const DeviceAddress address{free.address};
  // What failed may be the second free of the same memory.
  const AllocationId allocation =
      status_ == 0 ? memory_.starting_at(address) : memory_.last_starting_at(address);
  if (!allocation) return causes_.add("memory was freed whose allocation was not recorded");
  if (status_ == 0 && !captured_) end_memory(allocation);
  const StreamId order = order_of(free.in_stream_order, free.stream);
  push(order, Free{allocation, free.in_stream_order}, status_);
}

bool Resolver::on_device(const MemoryRef& memory) const {
  return memory.allocation && is_device_memory(recording_.allocation(memory.allocation).kind);
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

bool Resolver::takes(const RowCounts& counts, std::uint64_t size_bytes) {
  if (counts.fits(size_bytes)) return true;
  causes_.add(concat("a transfer of ", size_bytes, " bytes in ", counts.slices, " slices of ",
                     counts.rows, " rows was left out"));
  return false;
}

void Resolver::on(const journal::Copy& copy) {
  if (!takes(copy.counts, copy.size_bytes)) return;
  Copy body;
  body.destination = memory_.find({copy.destination});
  body.source = memory_.find({copy.source});
  body.direction = direction_of(copy.direction, body);
  body.wait = wait_of(copy.blocking);
  body.size_bytes = copy.size_bytes;
  body.counts = copy.counts;
  body.destination_pitches = copy.destination_pitches;
  body.source_pitches = copy.source_pitches;
  if (status_ == 0 && copy.has_content && copy.content.size() == copy.size_bytes) {
    body.content = keep(copy.content);
    // The host did nothing until it was done.
    if (copy.blocking) body.completed.source = body.content;
  }
  const StreamId on_stream = stream(copy.stream);
  push(on_stream, std::move(body), status_);
}

void Resolver::on(const journal::Fill& fill) {
  if (!takes(fill.counts, fill.size_bytes)) return;
  if (!Fill::is_width(fill.value_bytes)) {
    return causes_.add(concat("a fill with a value of ", fill.value_bytes, " bytes was left out"));
  }
  const StreamId on_stream = stream(fill.stream);
  push(on_stream,
       Fill{memory_.find({fill.destination}), fill.value, fill.value_bytes, fill.size_bytes,
            wait_of(fill.blocking), fill.counts, fill.pitches},
       status_);
}

void Resolver::on(const journal::WaitValue& wait) {
  if (wait.value_bytes != 4 && wait.value_bytes != 8) {
    return causes_.add(concat("a wait for a value of ", wait.value_bytes, " bytes was left out"));
  }
  const StreamId on_stream = stream(wait.stream);
  push(on_stream,
       WaitValue{memory_.find({wait.address}), wait.value, wait.mask, wait.value_bytes,
                 static_cast<ValueCondition>(wait.condition)},
       status_);
}

void Resolver::on(const journal::ContentGivenUp& content) {
  GivenUpContents& total = out_.recording.given_up;
  ++total.count;
  total.size_bytes += std::min(content.size_bytes, UINT64_MAX - total.size_bytes);
}

void Resolver::on(const journal::CallSite& site) {
  if (site.frames.empty()) return;
  const auto number = static_cast<std::uint32_t>(out_.call_sites.sites.size() + 1);
  if (call_sites_.try_emplace(site.number, number).second) {
    out_.call_sites.sites.push_back({site.frames});
  }
}

void Resolver::on(const journal::CalledFrom& called) {
  const auto known = call_sites_.find(called.call_site);
  if (known != call_sites_.end()) threads_[thread_].call_site = known->second;
}

void Resolver::finish(const journal::Contents& journal) {
  if (journal.torn) causes_.add(concat("the journal is torn at ", journal.tear));
  out_.has_gaps = !causes_.empty();
  if (!journal.torn && !ended_) causes_.add("the process did not end in order");
  out_.evidence = evidence_.finish(journal.ran);
  accesses_.finish();
  recording_.complete = causes_.empty();
  recording_.incomplete_cause = causes_.text();
}

void Resolver::on(const journal::FaultyTransfer& transfer) {
  const MemoryRef start = recording_.in_root(memory_.find({transfer.address}));
  evidence_.add(transfer, start,
                start.allocation ? recording_.allocation(start.allocation).size_bytes : 0);
}

namespace {

template <class Body, class... Others>
constexpr bool kIsOneOf = (std::is_same_v<Body, Others> || ...);

/// Entries that say more than what the process is, or what came of others.
template <class Body>
constexpr bool kIsKept =
    !kIsOneOf<Body, journal::Start, journal::DeviceSeen, journal::FatBinary,
              journal::UnloadFatBinary, journal::Function, journal::Incomplete, journal::End,
              journal::Failed, journal::Stopped, journal::Faults, journal::Decisions,
              journal::FaultyTransfer, journal::Accesses, journal::SameAccesses, journal::Rank,
              journal::CalledHip, journal::Completed, journal::NodeSource, journal::ContentGivenUp,
              journal::CallSite, journal::CalledFrom, journal::Index,
              journal::Nonfinite, journal::FirstRun>;

/// What came of each entry, as later ones say.
std::vector<std::int32_t> statuses_of(const std::vector<journal::Entry>& entries) {
  std::vector<std::int32_t> statuses(entries.size());
  for (const journal::Entry& entry : entries) {
    const auto* failed = std::get_if<journal::Failed>(&entry.body);
    if (failed == nullptr || failed->entry == 0 || failed->entry > entries.size()) continue;
    statuses[failed->entry - 1] = failed->status > 0 ? failed->status : kErrorUnknown;
  }
  return statuses;
}

}  // namespace

bool is_work(const Record& record) {
  return std::visit(
      []<class Body>(const Body&) {
        return !kIsOneOf<Body, BeginStep, EndStep, DeclarePool, DeclareSentinel, Sleep, Wake,
                         ReportOutput, AllocateBlock, FreeBlock>;
      },
      record.body);
}

bool has_anything_to_keep(const journal::Contents& journal) {
  return std::any_of(journal.entries.begin(), journal.entries.end(), [](const auto& entry) {
    return std::visit([]<class Body>(const Body&) { return kIsKept<Body>; }, entry.body);
  });
}

bool called_hip(const journal::Contents& journal) {
  if (journal.entries.empty()) return true;
  const auto* const start = std::get_if<journal::Start>(&journal.entries.front().body);
  if (start == nullptr || !start->by_mark) return true;
  return std::any_of(journal.entries.begin(), journal.entries.end(), [](const auto& entry) {
    return std::holds_alternative<journal::CalledHip>(entry.body);
  });
}

Resolved resolve(const journal::Contents& journal) {
  Resolved resolved;
  Resolver resolver(device_of(journal), resolved);
  const std::vector<std::int32_t> statuses = statuses_of(journal.entries);
  for (std::size_t i = 0; i < journal.entries.size(); ++i) {
    resolver.take(journal.entries[i], statuses[i]);
  }
  resolver.finish(journal);
  resolved.recording.coverage =
      coverage_of(resolved.recording, resolved.evidence, this_recorder());
  const std::vector<Record>& records = resolved.recording.records;
  resolved.has_work = std::any_of(records.begin(), records.end(), &is_work);
  return resolved;
}

}  // namespace compass::archive
