// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "driverless/runtime/linkage.h"
#include "ir/hip/memory_abi.h"

// Calls for programs whose null stream is each thread's own: included by api.h.
// NOLINTBEGIN(readability-identifier-naming)
#pragma GCC visibility push(default)
extern COMPASS_HIP_LINKAGE {

namespace compass::hip {

// per_thread_api.cc
Error hipMemcpy_spt(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind);
Error hipMemcpyAsync_spt(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                         Stream stream);
Error hipMemcpy2DAsync_spt(void* to, std::size_t to_pitch_bytes, const void* from,
                           std::size_t from_pitch_bytes, std::size_t width_bytes,
                           std::size_t height, MemcpyKind kind, Stream stream);
Error hipMemcpy3DAsync_spt(const Memcpy3DParms* parameters, Stream stream);
Error hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, std::size_t size_bytes,
                                 std::size_t offset_bytes, MemcpyKind kind, Stream stream);
Error hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, std::size_t size_bytes,
                                   std::size_t offset_bytes, MemcpyKind kind, Stream stream);
Error hipMemsetAsync_spt(void* to, int value, std::size_t size_bytes, Stream stream);
Error hipMemset2DAsync_spt(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                           std::size_t height, Stream stream);
Error hipMemset3DAsync_spt(PitchedPtr to, int value, Extent extent, Stream stream);
Error hipStreamQuery_spt(Stream stream);
Error hipStreamSynchronize_spt(Stream stream);
Error hipStreamGetPriority_spt(Stream stream, int* priority);
Error hipStreamGetFlags_spt(Stream stream, unsigned* flags);
Error hipStreamWaitEvent_spt(Stream stream, Event event, unsigned flags);
Error hipStreamAddCallback_spt(Stream stream, StreamCallback callback, void* user_data,
                               unsigned flags);
Error hipLaunchHostFunc_spt(Stream stream, HostFunction function, void* user_data);
Error hipEventRecord_spt(Event event, Stream stream);
Error hipLaunchKernel_spt(const void* function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                          void** arguments, std::size_t dynamic_lds_bytes, Stream stream);
Error hipLaunchCooperativeKernel_spt(const void* function, Dim3 grid_workgroups,
                                     Dim3 workgroup_workitems, void** arguments,
                                     unsigned dynamic_lds_bytes, Stream stream);

}  // namespace compass::hip

}  // extern COMPASS_HIP_LINKAGE
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
