// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Memory that comes and goes. Frees that the runtime refused are recorded too.
namespace compass::capture {
namespace {

auto allocated(const journal::Allocate& allocation, void* const* pointer) {
  return [=](Recorder& recorder) {
    if (*pointer == nullptr) return;
    journal::Allocate made = allocation;
    made.address = number_of(*pointer);
    recorder.append(made);
  };
}

auto allocated(journal::MemoryKind kind, void* const* pointer, std::size_t size_bytes) {
  return allocated(journal::Allocate{.kind = kind, .size_bytes = size_bytes}, pointer);
}

/// Device memory in the order of a stream.
auto allocated_on(hip::Stream stream, void* const* pointer, std::size_t size_bytes) {
  return allocated(
      journal::Allocate{
          .size_bytes = size_bytes, .in_stream_order = true, .stream = number_of(stream)},
      pointer);
}

/// So many rows of device memory; the runtime says how far apart.
auto allocated_rows(void* const* pointer, const std::size_t* pitch_bytes, std::size_t rows) {
  return [=](Recorder& recorder) {
    allocated(journal::MemoryKind::kDevice, pointer, *pitch_bytes * rows)(recorder);
  };
}

/// Memory that is about to be freed. What is not freed in stream order waits for all work.
struct EndedMemory {
  std::uint64_t entry = 0;
  Recorder::EndedAllocation ended;
  HostWaiting waiting;
};

template <auto Hook, class... More>
int observe_free(journal::Free free, void* pointer, More... more) {
  free.address = number_of(pointer);
  return observe_around<Hook>(
      [free](Recorder& recorder) {
        EndedMemory memory{0, recorder.end_allocation(free), {}};
        memory.entry = memory.ended.entry;
        if (!free.in_stream_order && free.address != 0) memory.waiting.begin(recorder, {});
        return memory;
      },
      [free](Recorder& recorder, int result, const EndedMemory& memory) {
        if (result == hip::kSuccess) return memory.waiting.end(recorder);
        if (memory.ended.entry != 0) return recorder.keep_allocation(memory.ended, result);
        recorder.refused_free(free, result);
      },
      pointer, more...);
}

/// A call that frees all memory of a device.
template <auto Hook, class... Arguments>
int observe_reset(Arguments... arguments) {
  return observe_wait<Hook>(
      {},
      [](Recorder& recorder) {
        auto* const real = reinterpret_cast<void*>(real_call<Hook>());
        const auto count = reinterpret_cast<int (*)(int*)>(find_beside(real, "hipGetDeviceCount"));
        int devices = 0;
        // Which memory is which device's is not known.
        if (count == nullptr || count(&devices) != hip::kSuccess || devices != 1) {
          return recorder.lose(concat(kName<Hook>, " of one of several devices is not recorded"));
        }
        recorder.end_device_memory();
      },
      arguments...);
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Extent;
using compass::hip::MemPool;
using compass::hip::PitchedPtr;
using compass::hip::Stream;
using compass::journal::MemoryKind;

int hipMalloc(void** pointer, std::size_t size_bytes) {
  return observe<&::hipMalloc>(allocated(MemoryKind::kDevice, pointer, size_bytes), pointer,
                               size_bytes);
}

int hipExtMallocWithFlags(void** pointer, std::size_t size_bytes, unsigned flags) {
  return observe<&::hipExtMallocWithFlags>(allocated(MemoryKind::kDevice, pointer, size_bytes),
                                           pointer, size_bytes, flags);
}

int hipMallocManaged(void** pointer, std::size_t size_bytes, unsigned flags) {
  return observe<&::hipMallocManaged>(allocated(MemoryKind::kManaged, pointer, size_bytes), pointer,
                                      size_bytes, flags);
}

int hipMallocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t row_bytes,
                   std::size_t rows) {
  return observe<&::hipMallocPitch>(allocated_rows(pointer, pitch_bytes, rows), pointer,
                                    pitch_bytes, row_bytes, rows);
}

int hipMemAllocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t row_bytes,
                     std::size_t rows, unsigned element_bytes) {
  return observe<&::hipMemAllocPitch>(allocated_rows(pointer, pitch_bytes, rows), pointer,
                                      pitch_bytes, row_bytes, rows, element_bytes);
}

int hipMalloc3D(PitchedPtr* pitched, Extent extent) {
  return observe<&::hipMalloc3D>(
      [=](Recorder& recorder) {
        const std::size_t size_bytes = pitched->pitch_bytes * extent.height * extent.depth;
        allocated(MemoryKind::kDevice, &pitched->pointer, size_bytes)(recorder);
      },
      pitched, extent);
}

int hipFree(void* pointer) { return observe_free<&::hipFree>({}, pointer); }

int hipDeviceReset() { return observe_reset<&::hipDeviceReset>(); }

int hipDevicePrimaryCtxReset(int device) {
  return observe_reset<&::hipDevicePrimaryCtxReset>(device);
}

int hipMallocAsync(void** pointer, std::size_t size_bytes, Stream stream) {
  return observe<&::hipMallocAsync>(allocated_on(stream, pointer, size_bytes), pointer, size_bytes,
                                    stream);
}

int hipMallocFromPoolAsync(void** pointer, std::size_t size_bytes, MemPool pool, Stream stream) {
  return observe<&::hipMallocFromPoolAsync>(allocated_on(stream, pointer, size_bytes), pointer,
                                            size_bytes, pool, stream);
}

int hipFreeAsync(void* pointer, Stream stream) {
  return observe_free<&::hipFreeAsync>({.in_stream_order = true, .stream = number_of(stream)},
                                       pointer, stream);
}

int hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return observe<&::hipHostMalloc>(allocated(MemoryKind::kPinnedHost, pointer, size_bytes), pointer,
                                   size_bytes, flags);
}

int hipExtHostAlloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return observe<&::hipExtHostAlloc>(allocated(MemoryKind::kPinnedHost, pointer, size_bytes),
                                     pointer, size_bytes, flags);
}

int hipHostAlloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return observe<&::hipHostAlloc>(allocated(MemoryKind::kPinnedHost, pointer, size_bytes), pointer,
                                  size_bytes, flags);
}

int hipMallocHost(void** pointer, std::size_t size_bytes) {
  return observe<&::hipMallocHost>(allocated(MemoryKind::kPinnedHost, pointer, size_bytes), pointer,
                                   size_bytes);
}

int hipMemAllocHost(void** pointer, std::size_t size_bytes) {
  return observe<&::hipMemAllocHost>(allocated(MemoryKind::kPinnedHost, pointer, size_bytes),
                                     pointer, size_bytes);
}

int hipHostFree(void* pointer) { return observe_free<&::hipHostFree>({}, pointer); }

int hipFreeHost(void* pointer) { return observe_free<&::hipFreeHost>({}, pointer); }

int hipHostRegister(void* pointer, std::size_t size_bytes, unsigned flags) {
  return observe<&::hipHostRegister>(
      [=](Recorder& recorder) {
        allocated(MemoryKind::kPinnedHost, &pointer, size_bytes)(recorder);
      },
      pointer, size_bytes, flags);
}

int hipHostUnregister(void* pointer) { return observe_free<&::hipHostUnregister>({}, pointer); }
