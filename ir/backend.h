// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/kernel.h"
#include "ir/record.h"

namespace compass {

/// What replay needs from a device. Implementations: DriverlessBackend, HipBackend.
///
/// Ids are the recording's. Each call takes effect in happens-before order of its stream. Errors
/// are the world's (no memory, unsupported code); what a launch itself does wrong is no error here:
/// an implementation that can see it reports it to its own observers and goes on. Threads: one at a
/// time.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The calls up to the next one of this come from the record `sequence`; for reports only.
  virtual void begin_record(std::uint64_t sequence) { static_cast<void>(sequence); }

  /// Makes `allocation.size_bytes` bytes at `allocation.address`; of a graph's memory again and
  /// again, each time after it was freed.
  virtual Result<void> allocate(const Allocation& allocation) = 0;
  virtual Result<void> free(AllocationId allocation) = 0;

  virtual Result<void> load(const CodeObject& code_object, ByteView elf,
                            std::span<const Kernel> kernels) = 0;
  virtual Result<void> unload(CodeObjectId code_object) = 0;

  /// Host to device: `bytes` go to `destination`.
  virtual Result<void> write(StreamId stream, MemoryRef destination, ByteView bytes) = 0;
  /// The contents of `size_bytes` at `destination` changed to something that was not recorded.
  virtual Result<void> forget(StreamId stream, MemoryRef destination, std::uint64_t size_bytes) = 0;
  /// Within the device, or between it and pinned host memory.
  virtual Result<void> copy(StreamId stream, MemoryRef destination, MemoryRef source,
                            std::uint64_t size_bytes) = 0;
  virtual Result<void> fill(StreamId stream, MemoryRef destination, std::uint64_t value,
                            std::uint32_t value_bytes, std::uint64_t size_bytes) = 0;
  /// Device to host: the bytes at `source` once the stream has reached this call.
  virtual Result<Bytes> read(StreamId stream, MemoryRef source, std::uint64_t size_bytes) = 0;
  /// The same for whoever needs no bytes.
  virtual Result<void> read_unused(StreamId stream, MemoryRef source, std::uint64_t size_bytes) {
    ASSIGN_OR_RETURN([[maybe_unused]] const Bytes bytes, read(stream, source, size_bytes));
    return {};
  }

  /// Which of the bytes at `source` rest on what was not recorded: of these not 0. Empty: none do.
  virtual Result<Bytes> unknown(MemoryRef source, std::uint64_t size_bytes) {
    return static_cast<void>(source), static_cast<void>(size_bytes), Bytes();
  }

  /// The launch that comes next has loaded `bytes` at `place` to form addresses, predicates and
  /// branches. Of use to whoever does not know what is there.
  virtual void reveal(MemoryRef place, ByteView bytes) {
    static_cast<void>(place), static_cast<void>(bytes);
  }
  /// `record` is the sequence of the record that asks for the launch, for reports.
  virtual Result<void> dispatch(StreamId stream, const Launch& launch, std::uint64_t record) = 0;

  virtual Result<void> record_event(StreamId stream, EventId event) = 0;
  virtual Result<void> wait_event(StreamId stream, EventId event) = 0;
  /// The stream reads a value in memory until it is what it must be. A backend that does everything
  /// at once need not wait.
  virtual Result<void> wait_value(StreamId stream, const WaitValue& wait) {
    return static_cast<void>(stream), static_cast<void>(wait), Result<void>();
  }
  /// The host waits for everything that the device was given.
  virtual Result<void> synchronize() = 0;
  /// The host waits for one stream, or for one event. A backend that can only wait for everything
  /// does that.
  virtual Result<void> synchronize_stream(StreamId stream) {
    return static_cast<void>(stream), synchronize();
  }
  virtual Result<void> synchronize_event(EventId event) {
    return static_cast<void>(event), synchronize();
  }
};

}  // namespace compass
