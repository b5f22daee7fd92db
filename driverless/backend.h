// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "driverless/agent.h"
#include "driverless/machine/host_storage.h"
#include "ir/backend.h"

namespace compass {

/// Plays a recording on an agent that needs no device and no driver.
///
/// Allocations keep their recorded addresses; their storage is the host's, mapped lazily and zero
/// at first, so that one of 250 GB costs nothing until it is touched. Everything takes effect at
/// once, in the order of the calls, which is one order that the streams allow. What a launch or a
/// transfer does wrong goes to the observer and is no error.
///
/// Bytes that were not recorded are unknown: content that was not kept, and pinned host memory
/// until a copy or the device writes it. Launches run on them all the same. Only where an unknown
/// value decides an address, EXEC or a branch is what a launch does no longer what it did: the
/// observer is told of the decision, with its cause, and all that the launch reaches is unknown
/// after it. The same holds for a launch that stops, or whose code cannot be loaded.
class DriverlessBackend : public Backend {
 public:
  /// `decoder` is the path of the helper program compass-decode; `observer` must outlive this.
  DriverlessBackend(const arch::Architecture& architecture, std::string decoder,
                    Observer& observer);

  /// Which instructions have run, and what each rests on here.
  std::vector<RanInstruction> instructions_run() const { return agent_.instructions_run(); }
  /// What is undefined holds this byte, again and again, from the next allocation on: zero at
  /// first. Two runs that differ in nothing but this show what depends on undefined bytes.
  void set_poison(std::byte poison) { poison_ = poison; }

  /// What the recording's memory holds now.
  const Memory& memory() const { return agent_.memory(); }

  void begin_record(std::uint64_t sequence) override { record_ = sequence; }

  /// Fails where the recorded address is one that the agent keeps for itself, and where the device
  /// has no room left.
  Result<void> allocate(const Allocation& allocation) override;
  Result<void> free(AllocationId allocation) override;

  /// A code object that the agent cannot load is no error here: its launches do not run.
  Result<void> load(const CodeObject& code_object, ByteView elf,
                    std::span<const Kernel> kernels) override;
  Result<void> unload(CodeObjectId code_object) override;

  Result<void> write(StreamId stream, MemoryRef destination, ByteView bytes) override;
  Result<void> forget(StreamId stream, MemoryRef destination, std::uint64_t size_bytes) override;
  Result<void> copy(StreamId stream, MemoryRef destination, MemoryRef source,
                    std::uint64_t size_bytes) override;
  Result<void> fill(StreamId stream, MemoryRef destination, std::uint64_t value,
                    std::uint32_t value_bytes, std::uint64_t size_bytes) override;
  /// Fewer bytes than asked for where the rest lies outside live memory of the allocation.
  Result<Bytes> read(StreamId stream, MemoryRef source, std::uint64_t size_bytes) override;
  Result<void> read_unused(StreamId stream, MemoryRef source, std::uint64_t size_bytes) override;

  /// Undefined bytes count as unknown: what a device has there, nobody knows.
  Result<Bytes> unknown(MemoryRef source, std::uint64_t size_bytes) override;

  /// Bytes that are unknown become known.
  void reveal(MemoryRef place, ByteView bytes) override;
  Result<void> dispatch(StreamId stream, const Launch& launch, std::uint64_t record) override;

  Result<void> record_event(StreamId, EventId) override { return {}; }
  Result<void> wait_event(StreamId, EventId) override { return {}; }
  Result<void> wait_value(StreamId stream, const WaitValue& wait) override;
  Result<void> synchronize() override { return {}; }

 private:
  class Watch;
  struct Touched;

  struct Release {
    HostStorage* owner;  // null: the bytes are a code object's
    std::uint64_t size_bytes;
    void operator()(std::byte* storage) const;
  };
  struct Held {
    Allocation allocation;
    std::unique_ptr<std::byte, Release> storage;  // null once freed
    UnknownCause cause;  // of what was unknown in it last; it may be known by now
  };
  struct PlayedKernel {
    Kernel metadata;
    const LoadedKernel* loaded = nullptr;
    std::string cause;  // why it cannot run, where `loaded` is null
  };

  Result<void> check_fits(const Allocation& allocation) const;
  Result<std::byte*> map(const Allocation& allocation);
  Result<void> allocate_variable(const Allocation& allocation);
  Result<const Held*> find(AllocationId allocation) const;
  Result<DeviceAddress> address_of(MemoryRef place) const;
  const Region* live_region(AllocationId allocation) const;
  void forget_host_memory(const Allocation& allocation);
  void note_copy(MemoryRef destination, MemoryRef source, std::uint64_t size_bytes);
  /// The record that is played gives the bytes a new state; `cause` where that is kUnknown.
  void note(MemoryRef place, std::uint64_t size_bytes, ByteState state, UnknownCause cause = {});
  Result<std::span<std::byte>> touch(MemoryRef place, std::uint64_t size_bytes, AccessKind access);

  Result<Bytes> explicit_kernarg(const Launch& launch) const;
  std::vector<AllocationId> reach(const Launch& launch) const;
  void stop(const Launch& launch, std::uint64_t record, const std::string& why);
  void spread(const Launch& launch, const std::vector<Touched>& touched, std::uint64_t record);
  void carry(const std::vector<Touched>& touched, std::uint64_t record);
  UnknownCause cause_of(const Region& region, std::uint64_t offset_bytes) const;
  UnknownCause cause_of_reads(const std::vector<Touched>& touched, std::uint64_t record) const;
  void explain(TaintedDecision& decision, const Launch& launch) const;

  Observer& observer_;
  HostStorage storage_;
  std::unordered_map<AllocationId, Held> held_;
  std::unordered_map<AllocationKind, std::uint64_t> held_bytes_;  // live now
  std::unordered_map<KernelId, PlayedKernel> kernels_;
  std::unordered_map<CodeObjectId, LoadedCodeObject*> code_objects_;
  // Why bytes are unknown, by the record that wrote them last. 0: nothing that was recorded.
  std::unordered_map<std::uint64_t, UnknownCause> causes_;
  std::uint64_t record_ = 0;
  std::byte poison_{0};
  DeviceAddress next_variable_ = Agent::kReservedEnd;  // of those whose code could not be loaded
  Agent agent_;  // last: it goes before the storage that its memory names
};

}  // namespace compass
