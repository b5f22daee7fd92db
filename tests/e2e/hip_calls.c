// SPDX-License-Identifier: MIT
// Kernels that hip_calls_program.py loads as a module.

#define GLOBAL __attribute__((address_space(1)))

typedef unsigned int u32;

__attribute__((visibility("protected"))) GLOBAL u32 table[4] = {1, 2, 3, 4};

// Its arguments have padding between them.
__attribute__((device_kernel)) void scale(GLOBAL u32 *out, unsigned char shift, u32 count) {
  u32 i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i < count) out[i] <<= shift;
}

__attribute__((device_kernel)) void read_table(GLOBAL u32 *out) {
  u32 lane = __builtin_amdgcn_workitem_id_x();
  out[lane] = table[lane & 3];
}
