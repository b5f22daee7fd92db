// SPDX-License-Identifier: MIT

// HIP's calls for programs whose null stream is each thread's own:
// `-fgpu-default-stream=per-thread`.

#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"

namespace compass::hip {

Error hipMemcpy_spt(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind) {
  return hipMemcpyWithStream(to, from, size_bytes, kind, per_thread_stream());
}
Error hipMemcpyAsync_spt(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                         Stream stream) {
  return hipMemcpyAsync(to, from, size_bytes, kind, per_thread(stream));
}
Error hipMemcpy2DAsync_spt(void* to, std::size_t to_pitch_bytes, const void* from,
                           std::size_t from_pitch_bytes, std::size_t width_bytes,
                           std::size_t height, MemcpyKind kind, Stream stream) {
  return hipMemcpy2DAsync(to, to_pitch_bytes, from, from_pitch_bytes, width_bytes, height, kind,
                          per_thread(stream));
}
Error hipMemcpy3DAsync_spt(const Memcpy3DParms* parameters, Stream stream) {
  return hipMemcpy3DAsync(parameters, per_thread(stream));
}
Error hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, std::size_t size_bytes,
                                 std::size_t offset_bytes, MemcpyKind kind, Stream stream) {
  return hipMemcpyToSymbolAsync(symbol, from, size_bytes, offset_bytes, kind, per_thread(stream));
}
Error hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, std::size_t size_bytes,
                                   std::size_t offset_bytes, MemcpyKind kind, Stream stream) {
  return hipMemcpyFromSymbolAsync(to, symbol, size_bytes, offset_bytes, kind, per_thread(stream));
}
Error hipMemsetAsync_spt(void* to, int value, std::size_t size_bytes, Stream stream) {
  return hipMemsetAsync(to, value, size_bytes, per_thread(stream));
}
Error hipMemset2DAsync_spt(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                           std::size_t height, Stream stream) {
  return hipMemset2DAsync(to, pitch_bytes, value, width, height, per_thread(stream));
}
Error hipMemset3DAsync_spt(PitchedPtr to, int value, Extent extent, Stream stream) {
  return hipMemset3DAsync(to, value, extent, per_thread(stream));
}

Error hipStreamQuery_spt(Stream stream) { return hipStreamQuery(per_thread(stream)); }
Error hipStreamSynchronize_spt(Stream stream) { return hipStreamSynchronize(per_thread(stream)); }
Error hipStreamGetPriority_spt(Stream stream, int* priority) {
  return hipStreamGetPriority(per_thread(stream), priority);
}
Error hipStreamGetFlags_spt(Stream stream, unsigned* flags) {
  return hipStreamGetFlags(per_thread(stream), flags);
}
Error hipStreamWaitEvent_spt(Stream stream, Event event, unsigned flags) {
  return hipStreamWaitEvent(per_thread(stream), event, flags);
}
Error hipStreamAddCallback_spt(Stream stream, StreamCallback callback, void* user_data,
                               unsigned flags) {
  return hipStreamAddCallback(per_thread(stream), callback, user_data, flags);
}
Error hipLaunchHostFunc_spt(Stream stream, HostFunction function, void* user_data) {
  return hipLaunchHostFunc(per_thread(stream), function, user_data);
}
Error hipEventRecord_spt(Event event, Stream stream) {
  return hipEventRecord(event, per_thread(stream));
}

Error hipLaunchKernel_spt(const void* function, Dim3 grid_workgroups, Dim3 workgroup_workitems,
                          void** arguments, std::size_t dynamic_lds_bytes, Stream stream) {
  return hipLaunchKernel(function, grid_workgroups, workgroup_workitems, arguments,
                         dynamic_lds_bytes, per_thread(stream));
}
Error hipLaunchCooperativeKernel_spt(const void* function, Dim3 grid_workgroups,
                                     Dim3 workgroup_workitems, void** arguments,
                                     unsigned dynamic_lds_bytes, Stream stream) {
  return hipLaunchCooperativeKernel(function, grid_workgroups, workgroup_workitems, arguments,
                                    dynamic_lds_bytes, per_thread(stream));
}

}  // namespace compass::hip
