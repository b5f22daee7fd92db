// SPDX-License-Identifier: MIT
#include "driverless/interp/memory_row.h"
#include "driverless/isa/smem.h"

namespace compass::interp {
namespace {

void do_nothing(Wavefront&, const Op&) {}

void append_scalar_memory_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using isa::places;
  using enum isa::Target;
#define INST_IN(effect, meaning, encoding, results, sources, targets)                         \
  {                                                                                           \
    constexpr auto kMeaning = []<class D>() { return &isa::meaning<D, effect<D>>; };          \
    add_effect<ScalarMemoryFrame<effect, kMeaning, places results>, kMeaning, places results, \
               places sources>(rows, #meaning, encoding, targets);                            \
  }
#define INST(...) INST_IN(GlobalAccess, __VA_ARGS__)
#include "driverless/isa/smem.def"
#undef INST
#define INST(...) INST_IN(ScalarBufferAccess, __VA_ARGS__)
#include "driverless/isa/smem_buffer.def"
#undef INST
#define INST(...) INST_IN(ClockAccess, __VA_ARGS__)
#include "driverless/isa/smem_clock.def"
#undef INST
#undef INST_IN
}

void append_cache_rows(std::vector<Row>& rows) {
  using namespace isa::row_names;
  using enum isa::Target;
#define CACHE(name, cache_encoding, cache_targets) \
  rows.push_back({.mnemonic = #name,               \
                  .encoding = cache_encoding,      \
                  .targets = cache_targets,        \
                  .handlers = {do_nothing, do_nothing, do_nothing}});
#include "driverless/isa/cache.def"
#undef CACHE
}

}  // namespace

void append_memory_rows(std::vector<Row>& rows) {
  append_scalar_memory_rows(rows);
  append_cache_rows(rows);
  append_global_rows(rows);
  append_flat_rows(rows);
  append_scratch_rows(rows);
  append_buffer_rows(rows);
  append_lds_rows(rows);
}

}  // namespace compass::interp
