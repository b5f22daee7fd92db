// SPDX-License-Identifier: MIT
// What the recorder keeps of the host's memory that the device reads without a copy.
#include <algorithm>
#include <utility>

#include "capture/contents/host_memory.h"
#include "capture/recorder.h"
#include "capture/recorder_lock.h"

namespace compass::capture {

bool Recorder::keeps_inputs() const {
  return contents_ >= ContentsMode::kInputs && sees_host_memory_.load(std::memory_order_relaxed);
}

/// Where the pointers lead that lie in the arguments, in by-value structures too.
std::vector<std::uint64_t> Recorder::host_memory_in(ByteView kernarg) const {
  std::vector<std::uint64_t> found;
  constexpr std::size_t kPointerBytes = sizeof(std::uint64_t);
  for (std::size_t i = 0; i + kPointerBytes <= kernarg.size(); i += kPointerBytes) {
    const auto memory = allocations_.find(load<std::uint64_t>(kernarg, i));
    if (!memory || memory->kind == journal::MemoryKind::kDevice) continue;
    if (std::find(found.begin(), found.end(), memory->address) == found.end()) {
      found.push_back(memory->address);
    }
  }
  return found;
}

void Recorder::keep_inputs_of(const LaunchCall& call) {
  std::vector<std::uint64_t> memory;
  if (const Lock lock(*this); lock && recording()) {
    const auto layout = registrations_.layout(call.host_function, architecture_);
    if (!layout) return;
    Bytes kernarg((*layout)->size_bytes);
    if (!pack(call, **layout, kernarg)) return;
    memory = host_memory_in(kernarg);
  }
  keep_host_memory(memory);
}

void Recorder::keep_host_memory(std::span<const std::uint64_t> addresses) {
  if (!keeps_inputs()) return;
  Bytes bytes;
  for (const std::uint64_t address : addresses) {
    std::optional<Allocations::Live> memory;
    bool has_room = false;
    if (const Lock lock(*this); lock) {
      memory = allocations_.find(address);
      if (!memory || memory->kind == journal::MemoryKind::kDevice) continue;
      has_room = mirror_.has_room(memory->address, memory->size_bytes);
    }
    if (!memory) continue;
    // Not with the lock held: where a runtime watches this memory, it may have to do something.
    const bool is_read =
        has_room && read_host_rows({memory->address, memory->size_bytes, {}, {}}, bytes);
    if (const Lock lock(*this); lock && recording()) write_changes(*memory, is_read, bytes);
  }
}

/// What was not read is unknown, as it may have changed.
void Recorder::write_changes(const Allocations::Live& memory, bool is_read, ByteView bytes) {
  const auto now = allocations_.find(memory.address);
  if (!now || now->address != memory.address || now->size_bytes != memory.size_bytes) return;
  if (!is_read) {
    write(journal::HostWrite{memory.address, memory.size_bytes, {}});
    return;
  }
  for (const HostMirror::Change& change : mirror_.look(memory.address, bytes)) {
    write(journal::HostWrite{
        change.address, change.bytes.size(), {change.bytes.begin(), change.bytes.end()}});
  }
}

}  // namespace compass::capture
