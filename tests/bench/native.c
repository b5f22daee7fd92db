// SPDX-License-Identifier: MIT
// fixtures/bench/kernels.cl as plain C, for the CPU: a work-item after the other. A lane of gemm_mfma
// cannot run alone; what is compared with it is gemm_naive, which computes the same.
#include "tests/bench/native.h"

typedef unsigned uint;

static uint native_workgroup, native_workitem;

#define __kernel static inline
#define __global
#define reqd_work_group_size(x, y, z) unused
#define __builtin_amdgcn_workgroup_id_x() native_workgroup
#define __builtin_amdgcn_workitem_id_x() native_workitem
#define __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, x, y, z) (c)
#include "fixtures/bench/kernels.cl"

#define RUN_AS(name, kernel)                                                              \
  void name(const float* a, const float* b, float* c, unsigned n, unsigned workgroups) {  \
    for (native_workgroup = 0; native_workgroup < workgroups; ++native_workgroup) {       \
      for (native_workitem = 0; native_workitem < 64; ++native_workitem) kernel(a, b, c, n); \
    }                                                                                     \
  }

RUN_AS(native_vector_add, vector_add)
RUN_AS(native_gemm, gemm_naive)
