// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driverless/arch/arch.h"
#include "driverless/code_object/kernel_descriptor.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/device_address.h"
#include "ir/kernel.h"

namespace compass {

/// A kernel of an image. Offsets are from the image's first byte.
struct LoadedImageKernel {
  Kernel metadata;
  KernelDescriptor descriptor;
  std::uint64_t descriptor_offset = 0;
  std::uint64_t entry_offset = 0;  ///< of the first instruction
};

/// A variable that the code object exports. The offset is from the image's first byte.
struct LoadedImageVariable {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
};

/// Bytes of an image with the same access rights: a segment.
struct LoadedImageRange {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
  bool writable = false;
  bool executable = false;
};

/// A code object as it must stand in memory, relocated for its base address.
struct LoadedImage {
  Bytes image;  ///< from the lowest segment's first byte, which goes to the base, to the highest's
                ///< last
  std::vector<LoadedImageKernel> kernels;  ///< in the metadata's order
  std::vector<LoadedImageVariable> variables;
  std::vector<LoadedImageRange> ranges;  ///< by segment; bytes between them are no one's
};

/// Lays `elf` out for `base`, which must be a multiple of 4096. Fails where the code object is for
/// another processor or contradicts the architecture's feature flags, is not of code object version
/// 4 to 6, needs a relocation that is not supported, or does not follow its format.
Result<LoadedImage> load_image(ByteView elf, DeviceAddress base,
                               const arch::Architecture& architecture);

}  // namespace compass
