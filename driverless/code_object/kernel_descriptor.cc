// SPDX-License-Identifier: MIT
#include "driverless/code_object/kernel_descriptor.h"

namespace compass {

Result<KernelDescriptor> read_kernel_descriptor(ByteView bytes) {
  if (bytes.size() != KernelDescriptor::kSizeBytes) {
    return Error{ErrorCode::kCorrupt,
                 concat("kernel descriptor: ", bytes.size(), " bytes, expected 64")};
  }
  KernelDescriptor descriptor;
  descriptor.lds_bytes = load<std::uint32_t>(bytes, 0);
  descriptor.scratch_bytes = load<std::uint32_t>(bytes, 4);
  descriptor.kernarg_bytes = load<std::uint32_t>(bytes, 8);
  descriptor.code_entry_offset = load<std::int64_t>(bytes, 16);
  descriptor.pgm_rsrc3 = load<std::uint32_t>(bytes, 44);
  descriptor.pgm_rsrc1 = load<std::uint32_t>(bytes, 48);
  descriptor.pgm_rsrc2 = load<std::uint32_t>(bytes, 52);
  descriptor.kernel_code_properties = load<std::uint16_t>(bytes, 56);
  descriptor.kernarg_preload = load<std::uint16_t>(bytes, 58);
  return descriptor;
}

}  // namespace compass
