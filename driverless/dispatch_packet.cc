// SPDX-License-Identifier: MIT
#include "driverless/dispatch_packet.h"

#include <cstring>

namespace compass {
namespace {

constexpr std::uint16_t kKernelDispatch = 2;
constexpr std::uint16_t kDimensions = 3;

class Layout {
 public:
  template <class T>
  void put(T value) {
    std::memcpy(bytes_.data() + at_, &value, sizeof value);
    at_ += sizeof value;
  }
  const std::array<std::byte, kDispatchPacketBytes>& bytes() const { return bytes_; }

 private:
  std::array<std::byte, kDispatchPacketBytes> bytes_{};
  std::size_t at_ = 0;
};

}  // namespace

std::array<std::byte, kDispatchPacketBytes> lay_out(const DispatchPacket& packet) {
  Layout layout;
  layout.put(kKernelDispatch);
  layout.put(kDimensions);
  for (const std::uint32_t size : packet.workgroup_workitems) {
    layout.put(static_cast<std::uint16_t>(size));
  }
  layout.put(std::uint16_t{0});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    layout.put(packet.grid_workgroups[axis] * packet.workgroup_workitems[axis]);
  }
  layout.put(packet.scratch_bytes);
  layout.put(packet.lds_bytes);
  layout.put(packet.descriptor.value);
  layout.put(packet.kernarg.value);
  return layout.bytes();
}

}  // namespace compass
