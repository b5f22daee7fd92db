// SPDX-License-Identifier: MIT
// A kernel whose arguments have padding between them.
typedef unsigned int u32;

__attribute__((device_kernel)) void scale(__attribute__((address_space(1))) u32 *out,
                                          unsigned char shift, u32 count) {
  u32 i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i < count) out[i] <<= shift;
}
