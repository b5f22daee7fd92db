// SPDX-License-Identifier: MIT
#include <cstring>

#include "driverless/runtime/abi_major.h"
#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

/// What a pointer points into.
struct Known {
  const Region* region = nullptr;  ///< null: nothing that the runtime knows
  AllocationOrigin origin;
  bool is_host = false;
  std::uint64_t offset_bytes = 0;
};

Known find_memory(const Device& device, const void* pointer) {
  const DeviceAddress address{reinterpret_cast<std::uint64_t>(pointer)};
  if (const LiveAllocation found = device.platform.memory.find(pointer)) {
    const bool is_host = found.region->kind != RegionKind::kDevice;
    return {found.region, *found.origin, is_host, address.value - found.region->base.value};
  }
  // A variable of the program's code.
  const Region* const code = device.platform.agent.memory().find(address);
  if (code == nullptr || code->kind != RegionKind::kCode) return {};
  return {code, {.device_ordinal = device.ordinal}, false, address.value - code->base.value};
}

MemoryType type_of(const Known& known) {
  if (known.region == nullptr) return MemoryType::kUnregistered;
  if (known.region->kind == RegionKind::kManaged) return MemoryType::kManaged;
  return known.is_host ? MemoryType::kHost : MemoryType::kDevice;
}

template <class Value>
Error store(void* to, Value value) {
  std::memcpy(to, &value, sizeof value);
  return kSuccess;
}

void* start_of(const Region& region) {
  return reinterpret_cast<void*>(region.base.value);  // NOLINT(performance-no-int-to-ptr)
}

bool is_ipc_capable(const Known& known) { return !known.is_host && known.origin.is_freeable(); }

/// One attribute of memory that is known. What HIP's runtime does not tell either is refused.
Error tell(const Known& known, PointerAttribute attribute, void* pointer, void* value) {
  switch (attribute) {
    case kPointerMemoryType:
      return store(value,
                   number_of(known.is_host ? MemoryType::kHost : MemoryType::kDevice).value_or(0));
    case kPointerDevicePointer:
      return store(value, pointer);
    case kPointerHostPointer:
      store(value, known.is_host ? pointer : nullptr);
      return known.is_host ? kSuccess : kErrorInvalidValue;
    case kPointerSyncMemops:
      return store(value, known.origin.synchronizes);
    case kPointerBufferId:
      return store(value, static_cast<std::uint32_t>(known.region->id.value));
    case kPointerIsManaged:
      return store(value, known.region->kind == RegionKind::kManaged);
    case kPointerDeviceOrdinal:
      return store(value, known.origin.device_ordinal);
    case kPointerIsIpcCapable:
      return store(value, static_cast<int>(is_ipc_capable(known)));
    case kPointerRangeStart:
      return store(value, start_of(*known.region));
    case kPointerRangeSize:
      return store(value, static_cast<std::size_t>(known.region->size_bytes));
    case kPointerMapped:
      return store(value, true);
    case kPointerAccessFlags:
      return store(value, known.origin.flags);
    case kPointerContext:
    case kPointerP2pTokens:
    case kPointerAllowedHandleTypes:
    case kPointerIsRdmaCapable:
    case kPointerMemPool:
      return kErrorNotSupported;
  }
  return kErrorInvalidValue;
}

Error tell_attribute(const Device& device, PointerAttribute attribute, void* pointer, void* value) {
  const Known known = find_memory(device, pointer);
  if (known.region != nullptr) return tell(known, attribute, pointer, value);
  // What the runtime does not know is on no device.
  if (attribute == kPointerDeviceOrdinal) store(value, kInvalidDeviceId);
  return kErrorInvalidValue;
}

}  // namespace

Error hipMemGetAddressRange(void** base, std::size_t* size_bytes, void* pointer) {
  return with_device([&](Device& device) {
    if (base == nullptr || size_bytes == nullptr) return kErrorInvalidValue;
    const Known known = find_memory(device, pointer);
    if (known.region == nullptr) return kErrorNotFound;
    *base = start_of(*known.region);
    *size_bytes = known.region->size_bytes;
    return kSuccess;
  });
}

Error hipMemPtrGetInfo(void* pointer, std::size_t* size_bytes) {
  return with_device([&](Device& device) {
    if (size_bytes == nullptr) return kErrorInvalidValue;
    *size_bytes = 0;
    if (pointer == nullptr) return kSuccess;
    const Known known = find_memory(device, pointer);
    if (known.region == nullptr) return kErrorInvalidValue;
    *size_bytes = known.region->size_bytes;
    return kSuccess;
  });
}

// Before HIP 6 there is no memory type for what the runtime does not know, so asking is an error.
Error hipPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return with_device([&](Device& device) {
    if (attributes == nullptr) return kErrorInvalidValue;
    const Known known = find_memory(device, pointer);
    const std::optional<int> number = number_of(type_of(known));
    if (!number) return kErrorInvalidValue;
    void* const there = const_cast<void*>(pointer);
    const bool is_known = known.region != nullptr;
    *attributes = {
        .memory_type = *number,
        .device_ordinal = is_known ? known.origin.device_ordinal : kInvalidDeviceId,
        .device_pointer = is_known ? there : nullptr,
        .host_pointer = known.is_host ? there : nullptr,
        .is_managed = static_cast<int>(is_known && known.region->kind == RegionKind::kManaged),
        .flags = known.origin.flags};
    return kSuccess;
  });
}

Error hipPointerGetAttribute(void* value, PointerAttribute attribute, void* pointer) {
  return with_device([&](Device& device) {
    if (value == nullptr || pointer == nullptr) return kErrorInvalidValue;
    return tell_attribute(device, attribute, pointer, value);
  });
}

// What cannot be told of a pointer is left as it was, and is no error.
Error hipDrvPointerGetAttributes(unsigned count, PointerAttribute* attributes, void** values,
                                 void* pointer) {
  return with_device([&](Device& device) {
    if (count == 0 || attributes == nullptr || values == nullptr || pointer == nullptr) {
      return kErrorInvalidValue;
    }
    for (unsigned i = 0; i < count; ++i) {
      if (values[i] == nullptr) return kErrorInvalidValue;
      static_cast<void>(tell_attribute(device, attributes[i], pointer, values[i]));
    }
    return kSuccess;
  });
}

Error hipPointerSetAttribute(const void* value, PointerAttribute attribute, void* pointer) {
  return with_device([&](Device& device) {
    if (value == nullptr || pointer == nullptr || attribute != kPointerSyncMemops) {
      return kErrorInvalidValue;
    }
    unsigned synchronizes = 0;
    std::memcpy(&synchronizes, value, sizeof synchronizes);
    if (synchronizes > 1) return kErrorInvalidValue;
    return device.platform.memory.set_synchronizes(pointer, synchronizes == 1)
               ? kSuccess
               : kErrorInvalidDevicePointer;
  });
}

}  // namespace compass::hip
