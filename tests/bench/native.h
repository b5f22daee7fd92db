// SPDX-License-Identifier: MIT
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// The kernels of fixtures/bench/kernels.cl on the CPU: `workgroups` of 64 work-items, one thread.
void native_vector_add(const float* a, const float* b, float* c, unsigned n, unsigned workgroups);
void native_gemm(const float* a, const float* b, float* c, unsigned n, unsigned workgroups);

#ifdef __cplusplus
}
#endif
