// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "driverless/runtime/linkage.h"
#include "ir/hip/memory_abi.h"

// Copies and fills: included by api.h. NOLINTBEGIN(readability-identifier-naming)
#pragma GCC visibility push(default)
extern COMPASS_HIP_LINKAGE {

namespace compass::hip {

// copy_api.cc
Error hipMemcpy(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind);
Error hipMemcpyAsync(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                     Stream stream);
Error hipMemcpyWithStream(void* to, const void* from, std::size_t size_bytes, MemcpyKind kind,
                          Stream stream);
Error hipMemcpyHtoD(void* to, const void* from, std::size_t size_bytes);
Error hipMemcpyDtoH(void* to, void* from, std::size_t size_bytes);
Error hipMemcpyDtoD(void* to, void* from, std::size_t size_bytes);
Error hipMemcpyHtoDAsync(void* to, const void* from, std::size_t size_bytes, Stream stream);
Error hipMemcpyDtoHAsync(void* to, void* from, std::size_t size_bytes, Stream stream);
Error hipMemcpyDtoDAsync(void* to, void* from, std::size_t size_bytes, Stream stream);
Error hipMemcpyBatchAsync(void** to, void** from, std::size_t* sizes_bytes, std::size_t count,
                          void* attributes, std::size_t* attribute_indices,
                          std::size_t attribute_count, std::size_t* failed, Stream stream);

// pitched_copy_api.cc
Error hipMemcpy2D(void* to, std::size_t to_pitch_bytes, const void* from,
                  std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                  MemcpyKind kind);
Error hipMemcpy2DAsync(void* to, std::size_t to_pitch_bytes, const void* from,
                       std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                       MemcpyKind kind, Stream stream);
Error hipMemcpy2D_spt(void* to, std::size_t to_pitch_bytes, const void* from,
                      std::size_t from_pitch_bytes, std::size_t width_bytes, std::size_t height,
                      MemcpyKind kind);
Error hipMemcpyParam2D(const Memcpy2D* parameters);
Error hipMemcpyParam2DAsync(const Memcpy2D* parameters, Stream stream);
Error hipDrvMemcpy2DUnaligned(const Memcpy2D* parameters);
Error hipMemcpy3D(const Memcpy3DParms* parameters);
Error hipMemcpy3DAsync(const Memcpy3DParms* parameters, Stream stream);
Error hipMemcpy3D_spt(const Memcpy3DParms* parameters);
Error hipDrvMemcpy3D(const DriverMemcpy3D* parameters);
Error hipDrvMemcpy3DAsync(const DriverMemcpy3D* parameters, Stream stream);
Error hipMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                    std::size_t size_bytes);
Error hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                         std::size_t size_bytes, Stream stream);
Error hipMemcpy3DPeer(Memcpy3DPeerParms* parameters);
Error hipMemcpy3DPeerAsync(Memcpy3DPeerParms* parameters, Stream stream);

// fill_api.cc
Error hipMemset(void* to, int value, std::size_t size_bytes);
Error hipMemsetAsync(void* to, int value, std::size_t size_bytes, Stream stream);
Error hipMemset_spt(void* to, int value, std::size_t size_bytes);
Error hipMemsetD8(void* to, unsigned char value, std::size_t count);
Error hipMemsetD8Async(void* to, unsigned char value, std::size_t count, Stream stream);
Error hipMemsetD16(void* to, unsigned short value, std::size_t count);
Error hipMemsetD16Async(void* to, unsigned short value, std::size_t count, Stream stream);
Error hipMemsetD32(void* to, int value, std::size_t count);
Error hipMemsetD32Async(void* to, int value, std::size_t count, Stream stream);
Error hipMemset2D(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                  std::size_t height);
Error hipMemset2DAsync(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                       std::size_t height, Stream stream);
Error hipMemset2D_spt(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                      std::size_t height);
Error hipMemsetD2D8(void* to, std::size_t pitch_bytes, unsigned char value, std::size_t width,
                    std::size_t height);
Error hipMemsetD2D8Async(void* to, std::size_t pitch_bytes, unsigned char value, std::size_t width,
                         std::size_t height, Stream stream);
Error hipMemsetD2D16(void* to, std::size_t pitch_bytes, unsigned short value, std::size_t width,
                     std::size_t height);
Error hipMemsetD2D16Async(void* to, std::size_t pitch_bytes, unsigned short value,
                          std::size_t width, std::size_t height, Stream stream);
Error hipMemsetD2D32(void* to, std::size_t pitch_bytes, unsigned value, std::size_t width,
                     std::size_t height);
Error hipMemsetD2D32Async(void* to, std::size_t pitch_bytes, unsigned value, std::size_t width,
                          std::size_t height, Stream stream);
Error hipMemset3D(PitchedPtr to, int value, Extent extent);
Error hipMemset3DAsync(PitchedPtr to, int value, Extent extent, Stream stream);
Error hipMemset3D_spt(PitchedPtr to, int value, Extent extent);

}  // namespace compass::hip

}  // extern COMPASS_HIP_LINKAGE
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
