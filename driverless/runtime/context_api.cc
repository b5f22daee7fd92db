// SPDX-License-Identifier: MIT

// HIP's deprecated contexts. A device has one, its primary context, which is there as long as the
// device is. A thread has a stack of them; the one on top is its device.

#include <cstdint>
#include <vector>

#include "driverless/runtime/api.h"
#include "driverless/runtime/devices.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass::hip {
namespace {

std::vector<Device*>& context_stack() {
  thread_local std::vector<Device*> stack;
  return stack;
}

Context context_of(Device& device) { return reinterpret_cast<Context>(&device); }

/// The device of a context, or null.
Device* find_context(Platform& platform, Context context) {
  for (const auto& device : platform.devices) {
    if (context_of(*device) == context) return device.get();
  }
  return nullptr;
}

void push(Device& device) {
  context_stack().push_back(&device);
  device.settings.is_active = true;
  current_device_ordinal() = device.ordinal;
}

/// The thread goes on with what is below, or with the device that it had last.
void pop() {
  context_stack().pop_back();
  if (!context_stack().empty()) current_device_ordinal() = context_stack().back()->ordinal;
}

bool is_on_top(const Device* device) {
  return !context_stack().empty() && context_stack().back() == device;
}

}  // namespace

Error hipCtxCreate(Context* context, unsigned flags, int device_ordinal) {
  return with_device([&](Device& current) {
    Device* const device = find_device(current.platform, device_ordinal);
    if (context == nullptr || device == nullptr) return kErrorInvalidValue;
    device->settings.flags = flags;
    push(*device);
    *context = context_of(*device);
    return kSuccess;
  });
}

Error hipCtxDestroy(Context context) {
  return with_device([&](Device& current) {
    const Device* const device = find_context(current.platform, context);
    if (device == nullptr) return kErrorInvalidValue;
    if (is_on_top(device)) pop();
    return kSuccess;
  });
}

Error hipCtxPushCurrent(Context context) {
  return with_device([&](Device& current) {
    Device* const device = find_context(current.platform, context);
    if (device == nullptr) return kErrorInvalidContext;
    push(*device);
    return kSuccess;
  });
}

Error hipCtxPopCurrent(Context* context) {
  return with_device([&](Device&) {
    if (context_stack().empty()) return kErrorInvalidContext;
    if (context != nullptr) *context = context_of(*context_stack().back());
    pop();
    return kSuccess;
  });
}

// Takes the place of the context on top. Null only takes that away.
Error hipCtxSetCurrent(Context context) {
  return with_device([&](Device& current) {
    Device* const device = find_context(current.platform, context);
    if (context != nullptr && device == nullptr) return kErrorInvalidContext;
    if (!context_stack().empty()) pop();
    if (device != nullptr) push(*device);
    return kSuccess;
  });
}

Error hipCtxGetCurrent(Context* context) {
  return with_device([&](Device& device) {
    if (context == nullptr) return kErrorInvalidValue;
    *context = context_of(device);
    return kSuccess;
  });
}

Error hipCtxGetDevice(int* device_ordinal) { return hipGetDevice(device_ordinal); }
Error hipCtxSynchronize() { return hipDeviceSynchronize(); }

Error hipCtxEnablePeerAccess(Context peer, unsigned flags) {
  return with_device([&](Device& current) {
    if (find_context(current.platform, peer) == nullptr) return kErrorInvalidContext;
    return flags == 0 ? kSuccess : kErrorInvalidValue;
  });
}

Error hipCtxDisablePeerAccess(Context peer) {
  return with_device([&](Device& current) {
    return find_context(current.platform, peer) == nullptr ? kErrorInvalidContext : kSuccess;
  });
}

Error hipDevicePrimaryCtxRetain(Context* context, int device_ordinal) {
  return with_device_at(device_ordinal, [&](Device& device) {
    if (context == nullptr) return kErrorInvalidValue;
    device.settings.is_active = true;
    *context = context_of(device);
    return kSuccess;
  });
}

Error hipDevicePrimaryCtxRelease(int device_ordinal) {
  return with_device_at(device_ordinal, [](Device&) { return kSuccess; });
}

Error hipDevicePrimaryCtxReset(int device_ordinal) {
  return with_device_at(device_ordinal, &reset_device);
}

Error hipDevicePrimaryCtxGetState(int device_ordinal, unsigned* flags, int* active) {
  return with_device_at(device_ordinal, [&](Device& device) {
    if (flags != nullptr) *flags = device.settings.flags;
    if (active != nullptr) *active = device.settings.is_active ? 1 : 0;
    return kSuccess;
  });
}

// The context is there from the start.
Error hipDevicePrimaryCtxSetFlags(int device_ordinal, unsigned) {
  return with_device_at(device_ordinal, [](Device&) { return kErrorContextAlreadyInUse; });
}

}  // namespace compass::hip
