// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "driverless/runtime/linkage.h"
#include "ir/hip/memory_abi.h"

// Memory: included by api.h. NOLINTBEGIN(readability-identifier-naming)
#pragma GCC visibility push(default)
extern COMPASS_HIP_LINKAGE {

namespace compass::hip {

// memory_api.cc
Error hipMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
Error hipMalloc(void** pointer, std::size_t size_bytes);
Error hipExtMallocWithFlags(void** pointer, std::size_t size_bytes, unsigned flags);
Error hipMallocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t row_bytes,
                     std::size_t rows);
Error hipMemAllocPitch(void** pointer, std::size_t* pitch_bytes, std::size_t row_bytes,
                       std::size_t rows, unsigned element_bytes);
Error hipMalloc3D(PitchedPtr* pitched, Extent extent);
Error hipMallocManaged(void** pointer, std::size_t size_bytes, unsigned flags);
Error hipFree(void* pointer);

// pointer_api.cc
Error hipMemGetAddressRange(void** base, std::size_t* size_bytes, void* pointer);
Error hipMemPtrGetInfo(void* pointer, std::size_t* size_bytes);
Error hipPointerGetAttributes(PointerAttributes* attributes, const void* pointer);
Error hipPointerGetAttribute(void* value, PointerAttribute attribute, void* pointer);
Error hipDrvPointerGetAttributes(unsigned count, PointerAttribute* attributes, void** values,
                                 void* pointer);
Error hipPointerSetAttribute(const void* value, PointerAttribute attribute, void* pointer);

// host_memory_api.cc
Error hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned flags);
Error hipExtHostAlloc(void** pointer, std::size_t size_bytes, unsigned flags);
Error hipHostAlloc(void** pointer, std::size_t size_bytes, unsigned flags);
Error hipMallocHost(void** pointer, std::size_t size_bytes);
Error hipMemAllocHost(void** pointer, std::size_t size_bytes);
Error hipHostFree(void* pointer);
Error hipFreeHost(void* pointer);
Error hipHostRegister(void* pointer, std::size_t size_bytes, unsigned flags);
Error hipHostUnregister(void* pointer);
Error hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags);
Error hipHostGetFlags(unsigned* flags, void* host_pointer);

// pool_api.cc
Error hipMallocAsync(void** pointer, std::size_t size_bytes, Stream stream);
Error hipMallocFromPoolAsync(void** pointer, std::size_t size_bytes, MemPool pool, Stream stream);
Error hipFreeAsync(void* pointer, Stream stream);
Error hipDeviceGetDefaultMemPool(MemPool* pool, int device_ordinal);
Error hipDeviceGetMemPool(MemPool* pool, int device_ordinal);
Error hipDeviceSetMemPool(int device_ordinal, MemPool pool);
Error hipMemPoolCreate(MemPool* pool, const MemPoolProps* properties);
Error hipMemPoolDestroy(MemPool pool);
Error hipMemPoolTrimTo(MemPool pool, std::size_t least_bytes);
Error hipMemPoolSetAttribute(MemPool pool, MemPoolAttribute attribute, void* value);
Error hipMemPoolGetAttribute(MemPool pool, MemPoolAttribute attribute, void* value);
Error hipMemPoolSetAccess(MemPool pool, const MemAccessDesc* accesses, std::size_t count);
Error hipMemPoolGetAccess(MemAccessFlags* flags, MemPool pool, MemLocation* location);

}  // namespace compass::hip

}  // extern COMPASS_HIP_LINKAGE
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
