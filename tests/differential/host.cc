// SPDX-License-Identifier: MIT
// The host's side of the table OPERATIONS, as the table TABLE (an identifier), called NAME (a
// string).
#include "tests/differential/host.h"

#include "tests/differential/types.h"

namespace {

constexpr ElementType type_of(u8) { return kTypeU8; }
constexpr ElementType type_of(u16) { return kTypeU16; }
constexpr ElementType type_of(i16) { return kTypeI16; }
constexpr ElementType type_of(u32) { return kTypeU32; }
constexpr ElementType type_of(i32) { return kTypeI32; }
constexpr ElementType type_of(u64) { return kTypeU64; }
constexpr ElementType type_of(i64) { return kTypeI64; }
constexpr ElementType type_of(f16) { return kTypeF16; }
constexpr ElementType type_of(f32) { return kTypeF32; }
constexpr ElementType type_of(f64) { return kTypeF64; }

#define OP(name, from, to, expression)                                                       \
  void name(const void* as, const void* bs, const void* cs, void* results, unsigned count) { \
    for (unsigned i = 0; i < count; ++i) {                                                   \
      const from a = static_cast<const from*>(as)[i], b = static_cast<const from*>(bs)[i],   \
                 c = static_cast<const from*>(cs)[i];                                        \
      static_cast<void>(b), static_cast<void>(c);                                            \
      static_cast<to*>(results)[i] = static_cast<to>(expression);                            \
    }                                                                                        \
  }
#define OP_ANY_ZERO OP
#include OPERATIONS
#undef OP
#undef OP_ANY_ZERO

constexpr HostOperation kOperations[] = {
#define OP(name, from, to, expression) {#name, type_of(from{}), type_of(to{}), 0, name},
#define OP_ANY_ZERO(name, from, to, expression) {#name, type_of(from{}), type_of(to{}), 1, name},
#include OPERATIONS
};

}  // namespace

extern "C" const HostTable TABLE = {NAME, kOperations, sizeof kOperations / sizeof kOperations[0]};
