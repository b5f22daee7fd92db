// SPDX-License-Identifier: MIT

// Devices of one process are all linked with each other, as those of one node are.

#include "driverless/runtime/api.h"
#include "driverless/runtime/devices.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

constexpr std::uint32_t kLinkTypeXgmi = 4;
constexpr std::uint32_t kHops = 1;

enum PeerAttribute : unsigned {
  kPerformanceRank = 0,
  kAccessSupported = 1,
  kNativeAtomicSupported = 2,
  kArrayAccessSupported = 3,
};

/// Runs `body` with the device that `peer` is for the current one.
template <class Body>
Error with_peer(int peer, Body body) {
  return with_device([&](Device& device) {
    const bool is_peer = peer != device.ordinal && find_device(device.platform, peer) != nullptr;
    return is_peer ? body(device, static_cast<std::size_t>(peer)) : kErrorInvalidDevice;
  });
}

}  // namespace

Error hipDeviceCanAccessPeer(int* can_access, int device_ordinal, int peer) {
  return with_device([&](Device& current) {
    if (can_access == nullptr) return kErrorInvalidValue;
    const bool are_devices = find_device(current.platform, device_ordinal) != nullptr &&
                             find_device(current.platform, peer) != nullptr;
    if (!are_devices) return kErrorInvalidDevice;
    *can_access = device_ordinal != peer ? 1 : 0;
    return kSuccess;
  });
}

Error hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  return with_peer(peer, [flags](Device& device, std::size_t index) {
    if (flags != 0) return kErrorInvalidValue;
    if (device.settings.peers.test(index)) return kErrorPeerAccessAlreadyEnabled;
    device.settings.peers.set(index);
    return kSuccess;
  });
}

Error hipDeviceDisablePeerAccess(int peer) {
  return with_peer(peer, [](Device& device, std::size_t index) {
    if (!device.settings.peers.test(index)) return kErrorPeerAccessNotEnabled;
    device.settings.peers.reset(index);
    return kSuccess;
  });
}

Error hipDeviceGetP2PAttribute(int* value, unsigned attribute, int from, int to) {
  return with_device([&](Device& current) {
    if (value == nullptr) return kErrorInvalidValue;
    const bool are_peers = from != to && find_device(current.platform, from) != nullptr &&
                           find_device(current.platform, to) != nullptr;
    if (!are_peers) return kErrorInvalidDevice;
    switch (attribute) {
      case kPerformanceRank:
        *value = kLinkTypeXgmi;
        return kSuccess;
      case kAccessSupported:
      case kNativeAtomicSupported:
      case kArrayAccessSupported:
        *value = 1;
        return kSuccess;
      default:
        return kErrorInvalidValue;
    }
  });
}

Error hipExtGetLinkTypeAndHopCount(int from, int to, std::uint32_t* link_type,
                                   std::uint32_t* hops) {
  return with_device([&](Device& current) {
    if (link_type == nullptr || hops == nullptr || from == to || from < 0 || to < 0) {
      return kErrorInvalidValue;
    }
    const bool are_devices = find_device(current.platform, from) != nullptr &&
                             find_device(current.platform, to) != nullptr;
    if (!are_devices) return kErrorInvalidDevice;
    *link_type = kLinkTypeXgmi;
    *hops = kHops;
    return kSuccess;
  });
}

}  // namespace compass::hip
