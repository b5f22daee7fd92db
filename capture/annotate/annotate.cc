// SPDX-License-Identifier: MIT
#include "capture/annotate/compass/annotate.h"

#include <algorithm>
#include <string>
#include <vector>

#include "capture/recorder.h"
#include "ir/base/concat.h"

namespace compass::capture {
namespace {

/// More than any program means. What claims more is a wrong count: reading on would leave the
/// array.
constexpr std::uint32_t kMostDimensions = 64;
constexpr std::uint32_t kMostEntries = 1 << 20;

std::string text(const char* value) {
  return value == nullptr ? std::string() : std::string(value);
}

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

/// The entries of an array; none where there are more than `most`, which is said.
template <class To, class From>
std::vector<To> array(const From* values, std::uint32_t count, std::uint32_t most = kMostEntries) {
  if (values == nullptr) return {};
  if (count <= most) return std::vector<To>(values, values + count);
  Recorder::of_process().lose(concat("an annotation has ", count, " entries, of at most ", most));
  return {};
}

/// What `make()` gives goes into the recording.
template <class Make>
void mark(Make make) {
  Recorder::of_process().guarded([&](Recorder& recorder) { recorder.annotate(make()); });
}

void name_buffer(const compass_buffer_info* info) {
  if (info == nullptr) return;
  mark([info] {
    return journal::NameBuffer{
        .address = number(info->address),
        .name = text(info->name),
        .role = text(info->role),
        .dtype = text(info->dtype),
        .shape = array<std::int64_t>(info->shape, info->rank, kMostDimensions),
        .strides = array<std::int64_t>(info->strides, info->rank, kMostDimensions)};
  });
}

void begin_step(const compass_step_info* info) {
  if (info == nullptr) return;
  mark([info] {
    return journal::BeginStep{
        .kind = text(info->kind),
        .produces_output = info->produces_output != 0,
        .deferred = info->deferred != 0,
        .real_rows = info->real_rows,
        .padded_rows = info->padded_rows,
        .request_ids = array<std::uint64_t>(info->request_ids, info->requests),
        .positions = array<std::int64_t>(info->positions, info->requests),
        .may_end = array<std::uint8_t>(info->may_end, info->requests)};
  });
}

void end_step() {
  mark([] { return journal::EndStep{}; });
}

void set_phase(const char* phase) {
  mark([phase] { return journal::Phase{text(phase)}; });
}

/// The first and the last row of each range, one after the other.
std::vector<std::uint64_t> rows_of(const std::vector<compass_row_range>& ranges) {
  std::vector<std::uint64_t> rows;
  rows.reserve(2 * ranges.size());
  for (const compass_row_range& range : ranges) {
    rows.push_back(range.first);
    rows.push_back(range.last);
  }
  return rows;
}

void declare_pool(const compass_pool_info* info) {
  if (info == nullptr) return;
  mark([info] {
    return journal::DeclarePool{
        .address = number(info->address),
        .name = text(info->name),
        .unit = text(info->unit),
        .said_by = text(info->said_by),
        .rows = info->rows,
        .row_bytes = info->row_bytes,
        .reserved = rows_of(array<compass_row_range>(info->reserved, info->reserved_ranges))};
  });
}

void declare_sentinel(const compass_sentinel_info* info) {
  if (info == nullptr) return;
  mark([info] {
    return journal::DeclareSentinel{.address = number(info->address),
                                    .role = text(info->role),
                                    .pool = text(info->pool),
                                    .unit = text(info->unit),
                                    .values = array<std::int64_t>(info->values, info->count)};
  });
}

void sleep(std::int32_t level, const char* tag) {
  mark([=] { return journal::Sleep{level, text(tag)}; });
}

void wake(const char* tag) {
  mark([tag] { return journal::Wake{text(tag)}; });
}

void report(const compass_report_info* info) {
  if (info == nullptr) return;
  mark([info] {
    return journal::ReportOutput{
        .address = number(info->address),
        .size_bytes = info->size_bytes,
        .request_ids = array<std::uint64_t>(info->request_ids, info->count),
        .ids = array<std::int64_t>(info->ids, info->count)};
  });
}

void allocate_block(const void* segment, const void* address, std::uint64_t size_bytes,
                    const char* name) {
  mark([=] {
    return journal::AllocateBlock{number(segment), number(address), size_bytes, text(name)};
  });
}

void free_block(const void* address) {
  mark([address] { return journal::FreeBlock{number(address)}; });
}

/// No process has a rank below 0: such a one is none.
void set_rank(std::int32_t rank, std::int32_t ranks) {
  if (rank < 0) return;
  mark([=] {
    return journal::Rank{static_cast<std::uint32_t>(rank),
                         static_cast<std::uint32_t>(std::max(ranks, 0))};
  });
}

constexpr compass_annotate_api kApi = {2,          &name_buffer,  &begin_step,       &end_step,
                                       &set_phase, &declare_pool, &declare_sentinel, &sleep,
                                       &wake,      &report,       &allocate_block,   &free_block,
                                       &set_rank};

}  // namespace
}  // namespace compass::capture

/// What annotate.h looks for.
extern "C" [[gnu::visibility("default")]] const compass_annotate_api* compass_annotate_v1() {
  return &compass::capture::kApi;
}
