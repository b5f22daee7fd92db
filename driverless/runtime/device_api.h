// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "driverless/runtime/device_properties.h"
#include "driverless/runtime/legacy_device_properties.h"
#include "driverless/runtime/linkage.h"
#include "ir/hip/abi.h"

// The part of api.h that is about devices, contexts and errors.
// NOLINTBEGIN(readability-identifier-naming)
#pragma GCC visibility push(default)
extern COMPASS_HIP_LINKAGE {

namespace compass::hip {

// device_api.cc
Error hipInit(unsigned flags);
Error hipDriverGetVersion(int* version);
Error hipRuntimeGetVersion(int* version);
Error hipGetDeviceCount(int* count);
Error hipGetDevice(int* device_ordinal);
Error hipSetDevice(int device_ordinal);
Error hipSetValidDevices(int* device_ordinals, int count);
Error hipDeviceGet(int* device, int device_ordinal);
Error hipDeviceGetName(char* name, int size_bytes, int device_ordinal);
Error hipDeviceGetUuid(Uuid* uuid, int device_ordinal);
Error hipDeviceTotalMem(std::size_t* size_bytes, int device_ordinal);
Error hipDeviceComputeCapability(int* major, int* minor, int device_ordinal);
Error hipDeviceGetAttribute(int* value, int attribute, int device_ordinal);
Error hipDeviceSynchronize();
Error hipDeviceReset();

// device_properties_api.cc
Error hipGetDevicePropertiesR0600(DeviceProperties* properties, int device_ordinal);
Error hipGetDevicePropertiesR0000(LegacyDeviceProperties* properties, int device_ordinal);
Error hipGetDeviceProperties(LegacyDeviceProperties* properties, int device_ordinal);
Error hipChooseDeviceR0600(int* device_ordinal, const DeviceProperties* wanted);
Error hipChooseDeviceR0000(int* device_ordinal, const LegacyDeviceProperties* wanted);
Error hipChooseDevice(int* device_ordinal, const LegacyDeviceProperties* wanted);
Error hipDeviceGetPCIBusId(char* name, int size_bytes, int device_ordinal);
Error hipDeviceGetByPCIBusId(int* device_ordinal, const char* name);

// device_settings_api.cc
Error hipSetDeviceFlags(unsigned flags);
Error hipGetDeviceFlags(unsigned* flags);
Error hipCtxGetFlags(unsigned* flags);
Error hipDeviceGetCacheConfig(int* configuration);
Error hipDeviceSetCacheConfig(int configuration);
Error hipCtxGetCacheConfig(int* configuration);
Error hipCtxSetCacheConfig(int configuration);
Error hipDeviceGetSharedMemConfig(int* bank_size);
Error hipDeviceSetSharedMemConfig(int bank_size);
Error hipCtxGetSharedMemConfig(int* bank_size);
Error hipCtxSetSharedMemConfig(int bank_size);
Error hipDeviceGetLimit(std::size_t* value, unsigned limit);
Error hipDeviceSetLimit(unsigned limit, std::size_t value);

// peer_api.cc
Error hipDeviceCanAccessPeer(int* can_access, int device_ordinal, int peer);
Error hipDeviceEnablePeerAccess(int peer, unsigned flags);
Error hipDeviceDisablePeerAccess(int peer);
Error hipDeviceGetP2PAttribute(int* value, unsigned attribute, int from, int to);
Error hipExtGetLinkTypeAndHopCount(int from, int to, std::uint32_t* link_type, std::uint32_t* hops);

// context_api.cc
Error hipCtxCreate(Context* context, unsigned flags, int device_ordinal);
Error hipCtxDestroy(Context context);
Error hipCtxPushCurrent(Context context);
Error hipCtxPopCurrent(Context* context);
Error hipCtxSetCurrent(Context context);
Error hipCtxGetCurrent(Context* context);
Error hipCtxGetDevice(int* device_ordinal);
Error hipCtxSynchronize();
Error hipCtxEnablePeerAccess(Context peer, unsigned flags);
Error hipCtxDisablePeerAccess(Context peer);
Error hipDevicePrimaryCtxRetain(Context* context, int device_ordinal);
Error hipDevicePrimaryCtxRelease(int device_ordinal);
Error hipDevicePrimaryCtxReset(int device_ordinal);
Error hipDevicePrimaryCtxGetState(int device_ordinal, unsigned* flags, int* active);
Error hipDevicePrimaryCtxSetFlags(int device_ordinal, unsigned flags);

// proc_address_api.cc
Error hipGetProcAddress(const char* symbol, void** function, int version, std::uint64_t flags,
                        int* result);
Error hipGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                             int* result);
Error hipGetDriverEntryPoint_spt(const char* symbol, void** function, unsigned long long flags,
                                 int* result);

// error_api.cc
Error hipGetLastError();
Error hipPeekAtLastError();
Error hipExtGetLastError();
const char* hipGetErrorString(Error error);
const char* hipGetErrorName(Error error);
Error hipDrvGetErrorName(Error error, const char** name);
Error hipDrvGetErrorString(Error error, const char** text);

}  // namespace compass::hip

}  // extern COMPASS_HIP_LINKAGE
#pragma GCC visibility pop
// NOLINTEND(readability-identifier-naming)
