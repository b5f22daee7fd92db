// SPDX-License-Identifier: MIT
// The device's side: one kernel for each operation of the table OPERATIONS, a work-item an element.
#include "tests/differential/types.h"

#define GLOBAL __attribute__((address_space(1)))
#define OP(name, from, to, expression)                                                           \
  extern "C" __attribute__((amdgpu_kernel)) void name(                                           \
      const GLOBAL from* as, const GLOBAL from* bs, const GLOBAL from* cs, GLOBAL to* results) { \
    const u32 i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();    \
    const from a = as[i], b = bs[i], c = cs[i];                                                  \
    static_cast<void>(b), static_cast<void>(c);                                                  \
    results[i] = static_cast<to>(expression);                                                    \
  }
#define OP_ANY_ZERO OP
#include OPERATIONS
