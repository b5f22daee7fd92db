// SPDX-License-Identifier: MIT
#pragma once

// The host's side of a table of operations; compiled by the compiler of the device's side.
extern "C" {

enum ElementType {
  kTypeU8,
  kTypeU16,
  kTypeI16,
  kTypeU32,
  kTypeI32,
  kTypeU64,
  kTypeI64,
  kTypeF16,
  kTypeF32,
  kTypeF64
};

struct HostOperation {
  const char* name;
  ElementType from, to;
  int any_zero;  ///< the language leaves the sign of a zero result open
  void (*run)(const void* as, const void* bs, const void* cs, void* results, unsigned count);
};

struct HostTable {
  const char* name;
  const HostOperation* operations;
  unsigned count;
};

extern const HostTable integer_table, f32_table, f64_table, f16_table, packed_table;
}
