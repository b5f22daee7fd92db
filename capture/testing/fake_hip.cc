// SPDX-License-Identifier: MIT
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

int allocate(void** pointer, std::size_t size_bytes) {
  constexpr std::size_t kMemoryBytes = std::size_t{1} << 30;
  if (size_bytes > kMemoryBytes) return compass::hip::kErrorOutOfMemory;
  *pointer = size_bytes == 0 ? nullptr : std::calloc(1, size_bytes);
  return kSuccess;
}

int release(void* pointer) {
  // What the tests pass to see a free that fails.
  if (reinterpret_cast<std::uintptr_t>(pointer) == 1) return compass::hip::kErrorInvalidValue;
  std::free(pointer);
  return kSuccess;
}

template <class Handle>
int make_handle(Handle* handle) {
  *handle = static_cast<Handle>(std::malloc(1));
  return kSuccess;
}

}  // namespace

int hipMalloc(void** pointer, std::size_t size_bytes) { return allocate(pointer, size_bytes); }
int hipFree(void* pointer) { return release(pointer); }
int hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned) {
  return allocate(pointer, size_bytes);
}
int hipHostFree(void* pointer) { return release(pointer); }

int hipMemcpy(void* to, const void* from, std::size_t size_bytes, unsigned) {
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

int hipLaunchKernel(const void* host_function, Dim3, Dim3, void**, std::size_t, Stream) {
  return host_function == nullptr ? compass::hip::kErrorInvalidDeviceFunction : kSuccess;
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
