// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "driverless/runtime/copy_api.h"
#include "driverless/runtime/device_api.h"
#include "driverless/runtime/graph_api.h"
#include "driverless/runtime/linkage.h"
#include "driverless/runtime/memory_api.h"
#include "driverless/runtime/module_api.h"
#include "driverless/runtime/per_thread_api.h"
#include "ir/hip/abi.h"

// What this library implements of HIP's API, with HIP's names and signatures. generate_exports.py
// reads this table and the headers *_api.h that it includes: every other name of hip_api.tsv
// becomes a function that says it is not implemented.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility push(default)
extern COMPASS_HIP_LINKAGE {

namespace compass::hip {

// stream_api.cc
Error hipStreamCreate(Stream* stream);
Error hipStreamCreateWithFlags(Stream* stream, unsigned flags);
Error hipStreamCreateWithPriority(Stream* stream, unsigned flags, int priority);
Error hipStreamDestroy(Stream stream);
Error hipStreamSynchronize(Stream stream);
Error hipStreamQuery(Stream stream);
Error hipStreamWaitEvent(Stream stream, Event event, unsigned flags);
Error hipStreamGetFlags(Stream stream, unsigned* flags);
Error hipStreamGetPriority(Stream stream, int* priority);
Error hipStreamGetDevice(Stream stream, int* device_ordinal);

// stream_value_api.cc
Error hipStreamWriteValue32(Stream stream, void* pointer, std::uint32_t value, unsigned flags);
Error hipStreamWriteValue64(Stream stream, void* pointer, std::uint64_t value, unsigned flags);
Error hipStreamWaitValue32(Stream stream, void* pointer, std::uint32_t value, unsigned flags,
                           std::uint32_t mask);
Error hipStreamWaitValue64(Stream stream, void* pointer, std::uint64_t value, unsigned flags,
                           std::uint64_t mask);

// stream_api.cc
Error hipDeviceGetStreamPriorityRange(int* least_priority, int* greatest_priority);
Error hipLaunchHostFunc(Stream stream, HostFunction function, void* user_data);
Error hipStreamAddCallback(Stream stream, StreamCallback callback, void* user_data, unsigned flags);

// event_api.cc
Error hipEventCreate(Event* event);
Error hipEventCreateWithFlags(Event* event, unsigned flags);
Error hipEventRecord(Event event, Stream stream);
Error hipEventRecordWithFlags(Event event, Stream stream, unsigned flags);
Error hipEventSynchronize(Event event);
Error hipEventQuery(Event event);
Error hipEventElapsedTime(float* elapsed_ms, Event start, Event stop);
Error hipEventDestroy(Event event);

// hiprtc_api.cc
const char* hiprtcGetErrorString(int result);

// registration_api.cc
void** __hipRegisterFatBinary(const FatBinaryWrapper* wrapper);
void __hipUnregisterFatBinary(void** fat_binary);
void __hipRegisterFunction(void** fat_binary, const void* host_function, char* device_function,
                           const char* device_name, unsigned thread_limit, void* thread_id,
                           void* block_id, Dim3* block_dim, Dim3* grid_dim, int* wavefront_size);
void __hipRegisterVar(void** fat_binary, void* variable, char* host_name, char* device_name,
                      int external, std::size_t size_bytes, int constant, int global);
void __hipRegisterManagedVar(void** fat_binary, void** pointer, void* initial_value,
                             const char* name, std::size_t size_bytes, unsigned alignment);
void __hipRegisterSurface(void** fat_binary, void* variable, char* host_name, char* device_name,
                          int type, int external);
void __hipRegisterTexture(void** fat_binary, void* variable, char* host_name, char* device_name,
                          int type, int normalized, int external);

// support_api.cc: what does not return an error code
float __gnu_h2f_ieee(std::uint16_t half);
std::uint16_t __gnu_f2h_ieee(float value);
void __hipGetPCH(const char** bytes, unsigned* size_bytes);
const char* amd_dbgapi_get_build_name();
const char* amd_dbgapi_get_git_hash();
std::size_t amd_dbgapi_get_build_id();
const char* hipApiName(std::uint32_t id);
const char* hipGetCmdName(unsigned op);
int hipGetStreamDeviceId(Stream stream);
ChannelFormat hipCreateChannelDesc(int x, int y, int z, int w, int kind);
void hipRegisterTracerCallback(void* callback);

}  // namespace compass::hip

}  // extern COMPASS_HIP_LINKAGE
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
