// SPDX-License-Identifier: MIT
#include "capture/hooks/copying.h"

/// Copies of bytes that lie side by side.
using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::HostWait;
using compass::hip::kMemcpyDeviceToDevice;
using compass::hip::kMemcpyDeviceToHost;
using compass::hip::kMemcpyHostToDevice;
using compass::hip::per_thread;
using compass::hip::per_thread_stream;
using compass::hip::Stream;

int hipMemcpy(void* to, const void* from, std::size_t size_bytes, unsigned kind) {
  return observe_copy<&::hipMemcpy>({to, from, size_bytes, kind}, to, from, size_bytes, kind);
}

int hipMemcpy_spt(void* to, const void* from, std::size_t size_bytes, unsigned kind) {
  return observe_copy<&::hipMemcpy_spt>({to, from, size_bytes, kind, per_thread_stream()}, to, from,
                                        size_bytes, kind);
}

int hipMemcpyAsync(void* to, const void* from, std::size_t size_bytes, unsigned kind,
                   Stream stream) {
  return observe_copy<&::hipMemcpyAsync>({to, from, size_bytes, kind, stream, HostWait::kAsync}, to,
                                         from, size_bytes, kind, stream);
}

int hipMemcpyAsync_spt(void* to, const void* from, std::size_t size_bytes, unsigned kind,
                       Stream stream) {
  return observe_copy<&::hipMemcpyAsync_spt>(
      {to, from, size_bytes, kind, per_thread(stream), HostWait::kAsync}, to, from, size_bytes,
      kind, stream);
}

int hipMemcpyWithStream(void* to, const void* from, std::size_t size_bytes, unsigned kind,
                        Stream stream) {
  return observe_copy<&::hipMemcpyWithStream>({to, from, size_bytes, kind, stream}, to, from,
                                              size_bytes, kind, stream);
}

int hipMemcpyHtoD(void* to, const void* from, std::size_t size_bytes) {
  return observe_copy<&::hipMemcpyHtoD>({to, from, size_bytes, kMemcpyHostToDevice}, to, from,
                                        size_bytes);
}

int hipMemcpyDtoH(void* to, void* from, std::size_t size_bytes) {
  return observe_copy<&::hipMemcpyDtoH>({to, from, size_bytes, kMemcpyDeviceToHost}, to, from,
                                        size_bytes);
}

int hipMemcpyDtoD(void* to, void* from, std::size_t size_bytes) {
  return observe_copy<&::hipMemcpyDtoD>({to, from, size_bytes, kMemcpyDeviceToDevice}, to, from,
                                        size_bytes);
}

int hipMemcpyHtoDAsync(void* to, const void* from, std::size_t size_bytes, Stream stream) {
  return observe_copy<&::hipMemcpyHtoDAsync>(
      {to, from, size_bytes, kMemcpyHostToDevice, stream, HostWait::kAsync}, to, from, size_bytes,
      stream);
}

int hipMemcpyDtoHAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return observe_copy<&::hipMemcpyDtoHAsync>(
      {to, from, size_bytes, kMemcpyDeviceToHost, stream, HostWait::kAsync}, to, from, size_bytes,
      stream);
}

int hipMemcpyDtoDAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return observe_copy<&::hipMemcpyDtoDAsync>(
      {to, from, size_bytes, kMemcpyDeviceToDevice, stream, HostWait::kAsync}, to, from, size_bytes,
      stream);
}

// A batch that fails may have been done in part: `failed` says from where on it was not.
int hipMemcpyBatchAsync(void** to, void** from, std::size_t* sizes_bytes, std::size_t count,
                        void* attributes, std::size_t* attribute_indices,
                        std::size_t attribute_count, std::size_t* failed, Stream stream) {
  return observe_batch<&::hipMemcpyBatchAsync>(
      [=](Recorder& recorder) {
        Batch batch;
        const bool is_list = to != nullptr && from != nullptr && sizes_bytes != nullptr;
        for (std::size_t i = 0; is_list && i < count; ++i) {
          batch.add(
              record_copy(recorder, {to[i], from[i], sizes_bytes[i], compass::hip::kMemcpyDefault,
                                     stream, HostWait::kAsync}));
        }
        return batch;
      },
      to, from, sizes_bytes, count, attributes, attribute_indices, attribute_count, failed, stream);
}

int hipMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                  std::size_t size_bytes) {
  return observe_copy<&::hipMemcpyPeer>({to, from, size_bytes, kMemcpyDeviceToDevice}, to,
                                        to_device, from, from_device, size_bytes);
}

int hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                       std::size_t size_bytes, Stream stream) {
  return observe_copy<&::hipMemcpyPeerAsync>(
      {to, from, size_bytes, kMemcpyDeviceToDevice, stream, HostWait::kAsync}, to, to_device, from,
      from_device, size_bytes, stream);
}
