// SPDX-License-Identifier: MIT
#include <utility>

#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"
#include "driverless/runtime/devices.h"
#include "driverless/runtime/error_state.h"

namespace compass::hip {
namespace {

using Give = Error (*)(Stream stream, CopyOperation copy);

/// Gives the copy that HIP's structure says, if there is one.
template <class Parameters>
Error give(Give to_stream, Stream stream, const Parameters* parameters) {
  CopyOperation copy;
  const Error error = make_copy(parameters, copy);
  return error == kSuccess ? to_stream(stream, std::move(copy)) : note_error(error);
}

Error give_rows(Give to_stream, Stream stream, Rows to, Rows from, std::size_t width_bytes,
                std::size_t height, MemcpyKind kind) {
  CopyOperation copy;
  const Error error = make_copy(to, from, width_bytes, height, kind, copy);
  return error == kSuccess ? to_stream(stream, std::move(copy)) : note_error(error);
}

Rows rows(const void* pointer, std::size_t pitch_bytes) {
  return {const_cast<void*>(pointer), pitch_bytes};
}

bool are_devices(int first, int second) {
  bool are = false;
  static_cast<void>(with_device([&](Device& device) {
    are = find_device(device.platform, first) != nullptr &&
          find_device(device.platform, second) != nullptr;
    return kSuccess;
  }));
  return are;
}

Error give_peer(Give to_stream, Stream stream, const Memcpy3DPeerParms* parameters) {
  if (parameters == nullptr) return note_error(kErrorInvalidValue);
  if (!are_devices(parameters->from_device, parameters->to_device)) {
    return note_error(kErrorInvalidDevice);
  }
  const Memcpy3DParms same{.from_array = parameters->from_array,
                           .from_position = parameters->from_position,
                           .from = parameters->from,
                           .to_array = parameters->to_array,
                           .to_position = parameters->to_position,
                           .to = parameters->to,
                           .extent = parameters->extent,
                           .kind = kMemcpyDeviceToDevice};
  return give(to_stream, stream, &same);
}

}  // namespace

Error hipMemcpy2D(void* to, std::size_t to_pitch_bytes, const void* from,
                  std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                  MemcpyKind kind) {
  return give_rows(copy_and_wait, nullptr, rows(to, to_pitch_bytes), rows(from, from_pitch_bytes),
                   width_bytes, height, kind);
}

Error hipMemcpy2DAsync(void* to, std::size_t to_pitch_bytes, const void* from,
                       std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                       MemcpyKind kind, Stream stream) {
  return give_rows(copy_on, stream, rows(to, to_pitch_bytes), rows(from, from_pitch_bytes),
                   width_bytes, height, kind);
}

Error hipMemcpy2D_spt(void* to, std::size_t to_pitch_bytes, const void* from,
                      std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                      MemcpyKind kind) {
  return give_rows(copy_and_wait, per_thread_stream(), rows(to, to_pitch_bytes),
                   rows(from, from_pitch_bytes), width_bytes, height, kind);
}

Error hipMemcpyParam2D(const Memcpy2D* parameters) {
  return give(copy_and_wait, nullptr, parameters);
}

Error hipMemcpyParam2DAsync(const Memcpy2D* parameters, Stream stream) {
  return give(copy_on, stream, parameters);
}

Error hipDrvMemcpy2DUnaligned(const Memcpy2D* parameters) {
  return give(copy_and_wait, nullptr, parameters);
}

Error hipMemcpy3D(const Memcpy3DParms* parameters) {
  return give(copy_and_wait, nullptr, parameters);
}

Error hipMemcpy3DAsync(const Memcpy3DParms* parameters, Stream stream) {
  return give(copy_on, stream, parameters);
}

Error hipMemcpy3D_spt(const Memcpy3DParms* parameters) {
  return give(copy_and_wait, per_thread_stream(), parameters);
}

Error hipDrvMemcpy3D(const DriverMemcpy3D* parameters) {
  return give(copy_and_wait, nullptr, parameters);
}

Error hipDrvMemcpy3DAsync(const DriverMemcpy3D* parameters, Stream stream) {
  return give(copy_on, stream, parameters);
}

// All devices address the same memory, so a copy between two is one like any other.
Error hipMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                    std::size_t size_bytes) {
  if (!are_devices(to_device, from_device)) return note_error(kErrorInvalidDevice);
  return copy_and_wait(nullptr, linear_copy(to, from, size_bytes, kMemcpyDeviceToDevice));
}

Error hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                         std::size_t size_bytes, Stream stream) {
  if (!are_devices(to_device, from_device)) return note_error(kErrorInvalidDevice);
  return copy_on(stream, linear_copy(to, from, size_bytes, kMemcpyDeviceToDevice));
}

Error hipMemcpy3DPeer(Memcpy3DPeerParms* parameters) {
  return give_peer(copy_and_wait, nullptr, parameters);
}

Error hipMemcpy3DPeerAsync(Memcpy3DPeerParms* parameters, Stream stream) {
  return give_peer(copy_on, stream, parameters);
}

}  // namespace compass::hip
