// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/hooks/hip_api.h"

/// A HIP runtime of a few lines, for tests of the recorder: device memory is the heap's, and every
/// call is done at once. It exports the calls of hip_api.def that the test program uses.

using compass::hip::Dim3;
using compass::hip::Event;
using compass::hip::Stream;

namespace {

constexpr int kSuccess = compass::hip::kSuccess;

std::atomic<void*> last_released{nullptr};

int allocate(void** pointer, std::size_t size_bytes) {
  constexpr std::size_t kMemoryBytes = std::size_t{1} << 30;
  if (size_bytes > kMemoryBytes) return compass::hip::kErrorOutOfMemory;
  *pointer = size_bytes == 0 ? nullptr : std::calloc(1, size_bytes);
  void* expected = *pointer;
  last_released.compare_exchange_strong(expected, nullptr);
  return kSuccess;
}

int release(void* pointer) {
  // What the tests pass to see a free that fails.
  if (reinterpret_cast<std::uintptr_t>(pointer) == 1) return compass::hip::kErrorInvalidValue;
  if (pointer == nullptr) return kSuccess;
  if (last_released.exchange(pointer) == pointer) return compass::hip::kErrorInvalidValue;
  std::free(pointer);
  return kSuccess;
}

/// Refuses memory that starts with the byte by which the tests mark it.
int release_memory(void* pointer) {
  const bool is_memory = reinterpret_cast<std::uintptr_t>(pointer) > 1;
  const bool is_marked =
      is_memory && last_released.load() != pointer && *static_cast<unsigned char*>(pointer) == 0xEE;
  return is_marked ? int{compass::hip::kErrorInvalidValue} : release(pointer);
}

template <class Handle>
int make_handle(Handle* handle) {
  *handle = static_cast<Handle>(std::malloc(1));
  void* expected = *handle;
  last_released.compare_exchange_strong(expected, nullptr);
  return kSuccess;
}

}  // namespace

int hipMalloc(void** pointer, std::size_t size_bytes) { return allocate(pointer, size_bytes); }
int hipFree(void* pointer) { return release_memory(pointer); }
int hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned) {
  return allocate(pointer, size_bytes);
}
int hipHostFree(void* pointer) { return release_memory(pointer); }

int hipMemcpy(void* to, const void* from, std::size_t size_bytes, unsigned) {
  if (to == nullptr) return compass::hip::kErrorInvalidValue;
  std::memcpy(to, from, size_bytes);
  return kSuccess;
}
int hipMemcpyAsync(void* to, const void* from, std::size_t size_bytes, unsigned, Stream) {
  std::memcpy(to, from, size_bytes);
  return kSuccess;
}
// Through its own exported name, so that the recorder's hook is reached from inside the runtime.
int hipMemcpyWithStream(void* to, const void* from, std::size_t size_bytes, unsigned kind,
                        Stream stream) {
  return hipMemcpyAsync(to, from, size_bytes, kind, stream);
}
int hipMemset(void* to, int value, std::size_t size_bytes) {
  if (to == nullptr) return compass::hip::kErrorInvalidValue;
  std::memset(to, value, size_bytes);
  return kSuccess;
}
int hipMemsetD32Async(void* to, int value, std::size_t count, Stream) {
  for (std::size_t i = 0; i < count; ++i) static_cast<int*>(to)[i] = value;
  return kSuccess;
}

int hipStreamCreateWithFlags(Stream* stream, unsigned) { return make_handle(stream); }
int hipStreamDestroy(Stream stream) { return release(stream); }
int hipStreamSynchronize(Stream) { return kSuccess; }
int hipStreamWaitEvent(Stream, Event, unsigned) { return kSuccess; }
int hipDeviceSynchronize() { return kSuccess; }

int hipEventCreateWithFlags(Event* event, unsigned) { return make_handle(event); }
int hipEventRecord(Event, Stream) { return kSuccess; }
int hipEventSynchronize(Event) { return kSuccess; }
int hipEventDestroy(Event event) { return release(event); }

int hipLaunchKernel(const void* host_function, Dim3 grid, Dim3 workgroup, void**, std::size_t,
                    Stream) {
  if (host_function == nullptr) return compass::hip::kErrorInvalidDeviceFunction;
  while (workgroup.x == 1) ::pause();  // what the tests pass to see a launch that does not end
  return grid.x == 0 ? int{compass::hip::kErrorInvalidConfiguration} : kSuccess;
}

void** __hipRegisterFatBinary(const void*) {
  return static_cast<void**>(std::malloc(sizeof(void*)));
}
int __hipRegisterFunction(void**, const void*, char*, const char*, unsigned, void*, void*, void*,
                          void*, int*) {
  return kSuccess;
}
void __hipUnregisterFatBinary(void** fat_binary) { std::free(fat_binary); }

// NOLINTBEGIN: the names are HIP's
extern "C" {

[[gnu::visibility("default")]] int hipGetDevice(int* ordinal) {
  *ordinal = 2;
  return kSuccess;
}

[[gnu::visibility("default")]] int hipGetDevicePropertiesR0600(char* properties, int ordinal) {
  std::memset(properties, 0, 1472);
  std::snprintf(properties, 256, "Fake device %d", ordinal);
  std::snprintf(properties + 1160, 256, "gfx950:sramecc+:xnack-");
  return kSuccess;
}
}
// NOLINTEND
