// SPDX-License-Identifier: MIT
#pragma once

/// Names and marks that a program gives to its own recording.
///
/// Header-only C (and C++); needs no library. Outside a recording every call costs one load and one
/// branch and does nothing. Link with -ldl where the C library still keeps dlsym there.
/// Strings and arrays may be null, and are copied at once. All calls are thread-safe, none fails.
/// docs/annotate.md has a worked example.

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
  uint32_t requests;     ///< entries in the three arrays below
  const uint64_t* request_ids;
  const int64_t* positions;      ///< position of the first token of each request in this step
  const unsigned char* may_end;  ///< 1 where the request may end at this forward
} compass_step_info;

/// Rows of a pool, both ends included.
typedef struct compass_row_range {
  uint64_t first;
  uint64_t last;
} compass_row_range;

/// A pool of rows, as one part of the program knows it. One that lies in several buffers, is
/// counted in several units or known to several parts is said for each, by one name. Said again, it
/// changed.
typedef struct compass_pool_info {
  const void* address;  ///< of row 0 in one buffer; null for a part that knows only numbers
  const char* name;     ///< for instance "kv"
  const char* unit;     ///< of a row: "slot", "block", "state"
  uint64_t rows;
  uint64_t row_bytes;  ///< of a row in this buffer; 0: not known
  uint32_t reserved_ranges;
  const compass_row_range* reserved;  ///< rows that no request is ever given
  const char* said_by;                ///< "scheduler", "runner"
} compass_pool_info;

/// Which values of an index buffer mean "no row", and where the others point.
typedef struct compass_sentinel_info {
  const void* address;  ///< of the index buffer; null: of every buffer with the role
  const char* role;     ///< where `address` is null, for instance "write-index"
  const char* pool;     ///< the name of the pool whose rows it counts
  const char* unit;     ///< the unit in which it counts them
  uint32_t count;
  const int64_t* values;
} compass_sentinel_info;

/// What the host gives out as the output of a forward: the buffer that sampled ids were brought to.
typedef struct compass_report_info {
  const void* address;  ///< of the bytes that are read
  uint64_t size_bytes;
  uint32_t count;               ///< entries in the two arrays below
  const uint64_t* request_ids;  ///< whose tokens they are
  const int64_t* ids;           ///< of the tokens
} compass_report_info;

/// What a recorder offers; found by name, so that no program depends on it. A later version has
/// more members at the end.
typedef struct compass_annotate_api {
  uint32_t version;  ///< 2
  // Since version 1.
  void (*buffer)(const compass_buffer_info* info);
  void (*step_begin)(const compass_step_info* info);
  void (*step_end)(void);
  void (*phase)(const char* phase);  ///< "eager", "warmup", "captured", "replay"
  // Since version 2.
  void (*pool)(const compass_pool_info* info);
  void (*sentinel)(const compass_sentinel_info* info);
  void (*sleep)(int32_t level, const char* tag);  ///< the level is the engine's
  void (*wake)(const char* tag);
  void (*report)(const compass_report_info* info);
  void (*block_allocate)(const void* segment, const void* address, uint64_t size_bytes,
                         const char* name);
  void (*block_free)(const void* address);
  void (*rank)(int32_t rank, int32_t ranks);
} compass_annotate_api;

/// The recorder's table, or null outside a recording. Looked up once.
static inline const compass_annotate_api* compass_annotate(void) {
  static const char unknown = 0;
  static const void* cached = &unknown;
  const void* api = __atomic_load_n(&cached, __ATOMIC_ACQUIRE);
  if (__builtin_expect(api == NULL, 1)) return NULL;
  if (api == &unknown) {
    const compass_annotate_api* (*lookup)(void);
    // A null handle is RTLD_DEFAULT, which C's <dlfcn.h> names only under _GNU_SOURCE.
    void* const found = dlsym(NULL, "compass_annotate_v1");
    __builtin_memcpy(&lookup, &found, sizeof lookup);
    api = found ? lookup() : NULL;
    __atomic_store_n(&cached, api, __ATOMIC_RELEASE);
  }
  return (const compass_annotate_api*)api;
}

/// The same if it has what `version` added.
static inline const compass_annotate_api* compass_annotate_since(uint32_t version) {
  const compass_annotate_api* api = compass_annotate();
  return api && api->version >= version ? api : NULL;
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

static inline void compass_pool(const compass_pool_info* info) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->pool(info);
}
static inline void compass_sentinel(const compass_sentinel_info* info) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->sentinel(info);
}

/// Memory with this tag is about to be given up with its contents; null: all of it.
static inline void compass_sleep(int32_t level, const char* tag) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->sleep(level, tag);
}

/// Memory with this tag is there again. Its pools are to be said again.
static inline void compass_wake(const char* tag) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->wake(tag);
}

static inline void compass_report(const compass_report_info* info) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->report(info);
}

/// An allocator of the program's own hands out these bytes of the allocation that holds `segment`
/// (null: whichever holds them). A block inside a live block is a part of that one.
static inline void compass_block_allocate(const void* segment, const void* address,
                                          uint64_t size_bytes, const char* name) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->block_allocate(segment, address, size_bytes, name);
}

/// It takes back the innermost block that starts there. An allocation's blocks end with it.
static inline void compass_block_free(const void* address) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->block_free(address);
}

/// This process is number `rank`, from 0, of the `ranks` of its job.
static inline void compass_rank(int32_t rank, int32_t ranks) {
  const compass_annotate_api* api = compass_annotate_since(2);
  if (api) api->rank(rank, ranks);
}

#ifdef __cplusplus
}
#endif
// NOLINTEND
