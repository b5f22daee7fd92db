// SPDX-License-Identifier: MIT
#pragma once

/// Names and marks that a program gives to its own recording.
///
/// Header-only C (and C++); needs no library. Outside a recording every call costs one load and one
/// branch and does nothing. Link with -ldl where the C library still keeps dlsym there.
/// Strings and arrays are copied before the call returns. All calls are thread-safe.

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

// NOLINTBEGIN: names as C has them

#ifdef __cplusplus
extern "C" {
#endif

/// What a buffer is. `shape` and `strides` have `rank` entries, in elements; `strides` may be null
/// for a dense row-major layout. `role` says what the engine uses it for, for instance "weight",
/// "kv-cache", "write-index", "block-table", "sampled-ids", "staging"; null for none.
typedef struct compass_buffer_info {
  const void* address;  ///< device or pinned host; inside or at the start of an allocation
  const char* name;     ///< unique among live buffers, for instance "layers.0.wqkv"
  const char* role;
  const char* dtype;  ///< "bf16", "f32", "i32", …
  uint32_t rank;
  const int64_t* shape;
  const int64_t* strides;
} compass_buffer_info;

/// One forward of the model, from the host's call to its return.
typedef struct compass_step_info {
  const char* kind;  ///< "prefill", "chunk", "decode", "dummy", "warmup", "capture", "calibration"
  int produces_output;
  int deferred;
  uint32_t real_rows;    ///< rows that carry a request's token
  uint32_t padded_rows;  ///< rows that the launches process
  uint32_t requests;     ///< entries in the three arrays below; any of which may be null
  const uint64_t* request_ids;
  const int64_t* positions;      ///< position of the first token of each request in this step
  const unsigned char* may_end;  ///< 1 where the request may end at this forward
} compass_step_info;

/// What a recorder offers; found by name, so that no program depends on it.
typedef struct compass_annotate_api {
  uint32_t version;  ///< 1
  void (*buffer)(const compass_buffer_info* info);
  void (*step_begin)(const compass_step_info* info);
  void (*step_end)(void);
  void (*phase)(const char* phase);  ///< "eager", "warmup", "captured", "replay"
} compass_annotate_api;

/// The recorder's table, or null outside a recording. Looked up once.
static inline const compass_annotate_api* compass_annotate(void) {
  static const compass_annotate_api* const kUnknown = (const compass_annotate_api*)1;
  static const compass_annotate_api* cached = (const compass_annotate_api*)1;
  const compass_annotate_api* api = __atomic_load_n(&cached, __ATOMIC_ACQUIRE);
  if (api == kUnknown) {
    typedef const compass_annotate_api* (*lookup_fn)(void);
    // A null handle is RTLD_DEFAULT, which C's <dlfcn.h> names only under _GNU_SOURCE.
    lookup_fn lookup = (lookup_fn)dlsym(NULL, "compass_annotate_v1");
    api = lookup ? lookup() : NULL;
    __atomic_store_n(&cached, api, __ATOMIC_RELEASE);
  }
  return api;
}

/// Names the buffer at `info->address` until its allocation is freed or it is named again.
static inline void compass_buffer(const compass_buffer_info* info) {
  const compass_annotate_api* api = compass_annotate();
  if (api) api->buffer(info);
}

/// Everything this thread does up to compass_step_end belongs to this step. Steps do not nest.
static inline void compass_step_begin(const compass_step_info* info) {
  const compass_annotate_api* api = compass_annotate();
  if (api) api->step_begin(info);
}

static inline void compass_step_end(void) {
  const compass_annotate_api* api = compass_annotate();
  if (api) api->step_end();
}

/// The phase of this thread's launches from here on; "eager" at first.
static inline void compass_phase(const char* phase) {
  const compass_annotate_api* api = compass_annotate();
  if (api) api->phase(phase);
}

#ifdef __cplusplus
}
#endif

// NOLINTEND
