// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "driverless/agent.h"
#include "driverless/unknown_bytes.h"
#include "ir/backend.h"

namespace compass {

/// Plays a recording on an agent that needs no device and no driver.
///
/// Allocations keep their recorded addresses; their storage is the host's, mapped lazily and zero
/// at first, so that one of 250 GB costs nothing until it is touched. Everything takes effect at
/// once, in the order of the calls, which is one order that the streams allow. What a launch or a
/// transfer does wrong goes to the observer and is no error. A launch is skipped, and the observer
/// told that it stopped, where it could depend on bytes that were not recorded or where its code
/// cannot be loaded; what it might have written is then unknown too.
class DriverlessBackend : public Backend {
 public:
  /// `decoder` is the path of the helper program compass-decode; `observer` must outlive this.
  DriverlessBackend(const arch::Architecture& architecture, std::string decoder,
                    Observer& observer);

  void begin_record(std::uint64_t sequence) override { record_ = sequence; }

  /// Fails where the recorded address is one that the agent keeps for itself.
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
  Result<void> fill(StreamId stream, MemoryRef destination, std::uint32_t value,
                    std::uint32_t value_bytes, std::uint64_t size_bytes) override;
  /// Fewer bytes than asked for where the rest lies outside live memory of the allocation.
  Result<Bytes> read(StreamId stream, MemoryRef source, std::uint64_t size_bytes) override;

  Result<void> dispatch(StreamId stream, const Launch& launch, std::uint64_t record) override;

  Result<void> record_event(StreamId, EventId) override { return {}; }
  Result<void> wait_event(StreamId, EventId) override { return {}; }
  Result<void> synchronize() override { return {}; }

 private:
  struct Unmap {
    std::uint64_t size_bytes;
    void operator()(std::byte* storage) const;
  };
  struct Held {
    Allocation allocation;
    std::unique_ptr<std::byte, Unmap> storage;  // null once freed
  };
  struct PlayedKernel {
    Kernel metadata;
    const LoadedKernel* loaded = nullptr;
    std::string cause;  // why it cannot run, where `loaded` is null
  };
  struct Reached {
    std::uint32_t offset_bytes = 0;  // of the argument
    const Allocation* allocation = nullptr;
  };

  Result<const Held*> find(AllocationId allocation) const;
  Result<DeviceAddress> address_of(MemoryRef place) const;
  /// The record that is played gives the bytes a new state.
  void note(MemoryRef place, std::uint64_t size_bytes, ByteState state);
  Result<std::span<std::byte>> touch(MemoryRef place, std::uint64_t size_bytes, AccessKind access);
  Result<Bytes> explicit_kernarg(const Launch& launch) const;
  std::vector<Reached> reach(const Launch& launch);
  std::string unknown_argument(const Kernel& kernel, const Launch& launch, UnknownCause& cause);
  void stop(const Launch& launch, std::uint64_t record, const std::string& why,
            const UnknownCause& outcome);
  void spread(const Launch& launch, const UnknownCause& cause);

  Observer& observer_;
  std::unordered_map<AllocationId, Held> held_;
  std::unordered_map<KernelId, PlayedKernel> kernels_;
  std::unordered_map<CodeObjectId, LoadedCodeObject*> code_objects_;
  UnknownBytes unknown_;
  std::uint64_t record_ = 0;
  Agent agent_;  // last: it goes before the storage that its memory names
};

}  // namespace compass
