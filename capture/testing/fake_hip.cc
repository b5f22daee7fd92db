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
using compass::hip::Function;
using compass::hip::Module;
using compass::hip::Stream;

namespace {

/// What every variable of a module is.
char variable[32];
/// The module that cannot be unloaded now.
Module refused_module = nullptr;

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

int hipLaunchKernel_spt(const void*, Dim3, Dim3, void**, std::size_t, Stream) { return kSuccess; }
int hipLaunchCooperativeKernel(const void*, Dim3, Dim3, void**, unsigned, Stream) {
  return kSuccess;
}
int hipConfigureCall(Dim3, Dim3, std::size_t, Stream) { return kSuccess; }
int hipSetupArgument(const void*, std::size_t, std::size_t) { return kSuccess; }
int hipLaunchByPtr(const void*) { return kSuccess; }

int hipModuleLoad(Module* module, const char*) { return make_handle(module); }
int hipModuleLoadData(Module* module, const void*) { return make_handle(module); }
/// Refuses null, and, for the tests, what is no module.
int hipModuleUnload(Module module) {
  if (module == refused_module) return compass::hip::kErrorInvalidHandle;
  return release(module);
}
int hipModuleGetFunction(Function* function, Module module, const char*) {
  refused_module = module;  // until the next call
  *function = reinterpret_cast<Function>(reinterpret_cast<char*>(module) + 1);
  return kSuccess;
}
int hipGetFuncBySymbol(Function* function, const void* symbol) {
  *function = reinterpret_cast<Function>(const_cast<void*>(symbol));
  *function = reinterpret_cast<Function>(reinterpret_cast<char*>(*function) + 1);
  return kSuccess;
}
int hipModuleGetGlobal(void** pointer, std::size_t* size_bytes, Module, const char*) {
  refused_module = nullptr;
  *pointer = variable;
  *size_bytes = sizeof variable;
  return kSuccess;
}
int hipModuleLaunchKernel(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, Stream, void**, void**) {
  return kSuccess;
}
int hipExtModuleLaunchKernel(Function, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                             std::uint32_t, std::uint32_t, std::size_t, Stream, void**, void**,
                             Event start, Event, std::uint32_t) {
  return start == nullptr ? kSuccess : int{compass::hip::kErrorInvalidHandle};
}

int hipMallocAsync(void** pointer, std::size_t size_bytes, Stream) {
  return allocate(pointer, size_bytes);
}
int hipFreeAsync(void* pointer, Stream) { return release(pointer); }
int hipMallocManaged(void** pointer, std::size_t size_bytes, unsigned) {
  return allocate(pointer, size_bytes);
}
int hipMallocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t, std::size_t rows) {
  *pitch_bytes = 256;
  return allocate(pointer, *pitch_bytes * rows);
}
int hipHostRegister(void*, std::size_t, unsigned) { return kSuccess; }
int hipHostUnregister(void*) { return kSuccess; }

int hipMemcpyAsync_spt(void*, const void*, std::size_t, unsigned, Stream) { return kSuccess; }
int hipMemcpy2D(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, unsigned) {
  return kSuccess;
}
int hipMemcpy3DAsync(const compass::hip::Memcpy3DParms* parameters, Stream) {
  return parameters == nullptr ? int{compass::hip::kErrorInvalidValue} : kSuccess;
}
int hipMemcpyParam2D(const compass::hip::Memcpy2D*) { return kSuccess; }
int hipMemset2DAsync(void*, std::size_t, int, std::size_t, std::size_t, Stream) { return kSuccess; }
int hipMemset3D(compass::hip::PitchedPtr, int, compass::hip::Extent) { return kSuccess; }
int hipStreamWriteValue64(Stream, void*, std::uint64_t, unsigned) { return kSuccess; }
int hipStreamWaitValue32(Stream, void*, std::uint32_t, unsigned, std::uint32_t) { return kSuccess; }
int hipGetSymbolAddress(void** pointer, const void* symbol) {
  if (symbol == nullptr) return compass::hip::kErrorInvalidSymbol;
  *pointer = variable;
  return kSuccess;
}
int hipMemcpyToSymbol(const void* symbol, const void*, std::size_t, std::size_t, unsigned) {
  return symbol == nullptr ? int{compass::hip::kErrorInvalidSymbol} : kSuccess;
}
int hipMemcpyFromSymbolAsync(void*, const void*, std::size_t, std::size_t, unsigned, Stream) {
  return kSuccess;
}

void** __hipRegisterFatBinary(const void*) {
  return static_cast<void**>(std::malloc(sizeof(void*)));
}
int __hipRegisterFunction(void**, const void*, char*, const char*, unsigned, void*, void*, void*,
                          void*, int*) {
  return kSuccess;
}
void __hipRegisterVar(void**, void*, char*, char*, int, std::size_t, int, int) {}
void __hipUnregisterFatBinary(void** fat_binary) { std::free(fat_binary); }

// NOLINTBEGIN: the names are HIP's
extern "C" {

[[gnu::visibility("default")]] int hipGetSymbolSize(std::size_t* size_bytes, const void*) {
  *size_bytes = sizeof variable;
  return kSuccess;
}

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
