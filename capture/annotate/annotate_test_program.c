// SPDX-License-Identifier: MIT
// Makes every call of annotate.h, C or C++, without a recorder or with one of this program's own.
// RECORDER_VERSION: 0 for none, else what its table says; annotate_test.py compiles and runs it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compass/annotate.h"

#ifdef __cplusplus
extern "C" {
#endif

const compass_annotate_api* compass_annotate_v1(void);

static char calls[256];

static void note(const char* call) {
  strcat(calls, call);
  strcat(calls, " ");
}

static void on_buffer(const compass_buffer_info* info) { note(info->name); }
static void on_step_begin(const compass_step_info* info) { note(info->kind); }
static void on_step_end(void) { note("end"); }
static void on_phase(const char* phase) { note(phase); }
static void on_pool(const compass_pool_info* info) { note(info->name); }
static void on_sentinel(const compass_sentinel_info* info) { note(info->role); }
static void on_sleep(int32_t level, const char* tag) { note(level == 2 ? tag : "wrong"); }
static void on_wake(const char* tag) { note(tag); }
static void on_report(const compass_report_info* info) {
  note(info->count == 3 ? "report" : "wrong");
}
static void on_block_allocate(const void* segment, const void* address, uint64_t size_bytes,
                              const char* name) {
  note(segment == calls && address == calls + 1 && size_bytes == 8 ? name : "wrong");
}
static void on_block_free(const void* address) { note(address == calls + 1 ? "freed" : "wrong"); }
static void on_rank(int32_t rank, int32_t ranks) {
  note(rank == 3 && ranks == 8 ? "rank" : "wrong");
}

#if RECORDER_VERSION > 0
__attribute__((visibility("default"))) const compass_annotate_api* compass_annotate_v1(void) {
  static const compass_annotate_api api = {
      RECORDER_VERSION,  on_buffer,     on_step_begin, on_step_end, on_phase,
      on_pool,           on_sentinel,   on_sleep,      on_wake,     on_report,
      on_block_allocate, on_block_free, on_rank};
  return &api;
}
#endif

// One function for each call, so that what it costs can be looked at.
void call_buffer(const compass_buffer_info* info) { compass_buffer(info); }
void call_step_begin(const compass_step_info* info) { compass_step_begin(info); }
void call_step_end(void) { compass_step_end(); }
void call_phase(void) { compass_phase("phase"); }
void call_pool(const compass_pool_info* info) { compass_pool(info); }
void call_sentinel(const compass_sentinel_info* info) { compass_sentinel(info); }
void call_sleep(void) { compass_sleep(2, "sleep"); }
void call_wake(void) { compass_wake("wake"); }
void call_report(const compass_report_info* info) { compass_report(info); }
void call_block_allocate(void) { compass_block_allocate(calls, calls + 1, 8, "block"); }
void call_block_free(void) { compass_block_free(calls + 1); }
void call_rank(void) { compass_rank(3, 8); }

#ifdef __cplusplus
}
#endif

int main(void) {
  compass_buffer_info buffer = {NULL, "buffer", NULL, NULL, 0, NULL, NULL};
  compass_step_info step = {"step", 1, 0, 1, 1, 0, NULL, NULL, NULL};
  compass_pool_info pool = {NULL, "pool", NULL, 1, 1, 0, NULL, NULL};
  compass_sentinel_info sentinel = {NULL, "role", NULL, NULL, 0, NULL};
  compass_report_info report = {NULL, 0, 3, NULL, NULL};
  int round;
  for (round = 0; round < 2; ++round) {
    calls[0] = '\0';
    call_buffer(&buffer);
    call_step_begin(&step);
    call_step_end();
    call_phase();
    call_pool(&pool);
    call_sentinel(&sentinel);
    call_sleep();
    call_wake();
    call_report(&report);
    call_block_allocate();
    call_block_free();
    call_rank();
    printf("%s\n", calls);
  }
  return compass_annotate() == NULL ? 0 : (int)compass_annotate()->version;
}
