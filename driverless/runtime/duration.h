// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/hip/abi.h"

namespace compass {

// What operations take, in a model of a device: the same on every run, and in proportion to the
// work, so that a program that measures with events and divides by the result gets on. They say
// nothing of how fast hardware is.

/// 2 us to start; then a nanosecond for each instruction of a wavefront.
constexpr std::uint64_t launch_ns(std::uint64_t wave_instructions) {
  return 2000 + wave_instructions;
}

/// 1 us to start; then 4 TB/s on the device, 64 GB/s over the bus.
constexpr std::uint64_t copy_ns(std::uint64_t size_bytes, hip::MemcpyKind kind) {
  const bool on_device = kind == hip::kMemcpyDeviceToDevice || kind == hip::kMemcpyDefault;
  return 1000 + size_bytes / (on_device ? 4096 : 64);
}

constexpr std::uint64_t fill_ns(std::uint64_t size_bytes) { return 1000 + size_bytes / 4096; }

}  // namespace compass
