// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass {

/// The 64 bytes called `name.kd`: how a wavefront of the kernel starts. Field names and accessors
/// say what LLVM's "User Guide for AMDGPU Backend" says, section "Kernel Descriptor"; the accessors
/// hold for gfx90a, gfx942 and gfx950.
struct KernelDescriptor {
  static constexpr std::uint64_t kSizeBytes = 64;

  std::uint32_t lds_bytes = 0;      ///< GROUP_SEGMENT_FIXED_SIZE
  std::uint32_t scratch_bytes = 0;  ///< PRIVATE_SEGMENT_FIXED_SIZE, of one work-item
  std::uint32_t kernarg_bytes = 0;  ///< KERNARG_SIZE
  std::int64_t code_entry_offset =
      0;  ///< of the first instruction, from the descriptor's first byte
  std::uint32_t pgm_rsrc1 = 0;
  std::uint32_t pgm_rsrc2 = 0;
  std::uint32_t pgm_rsrc3 = 0;
  std::uint16_t kernel_code_properties = 0;
  std::uint16_t kernarg_preload = 0;

  /// VGPRs of a wavefront, ArchVGPRs and AccVGPRs together; allocated in eights.
  std::uint32_t vgpr_count() const { return (field(pgm_rsrc1, 0, 6) + 1) * 8; }
  /// The VGPR at which the AccVGPRs start.
  std::uint32_t accum_offset() const { return (field(pgm_rsrc3, 0, 6) + 1) * 4; }
  /// What MODE[7:0] starts with: rounding, then denormals, each for 32 and for 16 and 64 bits.
  std::uint32_t float_mode() const { return field(pgm_rsrc1, 12, 8); }
  bool dx10_clamp() const { return bit(pgm_rsrc1, 21); }
  bool ieee_mode() const { return bit(pgm_rsrc1, 23); }
  bool fp16_overflow() const { return bit(pgm_rsrc1, 26); }

  /// SGPRs set up by the dispatcher before the system's (workgroup ids and so on).
  std::uint32_t user_sgpr_count() const { return field(pgm_rsrc2, 1, 5); }
  bool enables_private_segment() const { return bit(pgm_rsrc2, 0); }
  bool enables_workgroup_id_x() const { return bit(pgm_rsrc2, 7); }
  bool enables_workgroup_id_y() const { return bit(pgm_rsrc2, 8); }
  bool enables_workgroup_id_z() const { return bit(pgm_rsrc2, 9); }
  bool enables_workgroup_info() const { return bit(pgm_rsrc2, 10); }
  /// 0: v0 holds work-item id x; 1: y too; 2: z too; ten bits each.
  std::uint32_t workitem_id_components() const { return field(pgm_rsrc2, 11, 2); }
  bool threadgroup_split() const { return bit(pgm_rsrc3, 16); }

  /// Which user SGPRs there are, in the order in which they are set up.
  bool enables_private_segment_buffer() const { return bit(kernel_code_properties, 0); }
  bool enables_dispatch_ptr() const { return bit(kernel_code_properties, 1); }
  bool enables_queue_ptr() const { return bit(kernel_code_properties, 2); }
  bool enables_kernarg_segment_ptr() const { return bit(kernel_code_properties, 3); }
  bool enables_dispatch_id() const { return bit(kernel_code_properties, 4); }
  bool enables_flat_scratch_init() const { return bit(kernel_code_properties, 5); }
  bool enables_private_segment_size() const { return bit(kernel_code_properties, 6); }
  bool wave32() const { return bit(kernel_code_properties, 10); }
  bool uses_dynamic_stack() const { return bit(kernel_code_properties, 11); }

  /// Kernarg dwords that are in user SGPRs when the kernel starts, and where in the kernarg segment
  /// they are.
  std::uint32_t kernarg_preload_dwords() const { return field(kernarg_preload, 0, 7); }
  std::uint32_t kernarg_preload_offset_dwords() const { return field(kernarg_preload, 7, 9); }

 private:
  static std::uint32_t field(std::uint32_t word, int start, int width) {
    return word >> start & ((1u << width) - 1);
  }
  static bool bit(std::uint32_t word, int index) { return (word >> index & 1) != 0; }
};

/// `bytes` are exactly the 64 of a descriptor.
Result<KernelDescriptor> read_kernel_descriptor(ByteView bytes);

}  // namespace compass
