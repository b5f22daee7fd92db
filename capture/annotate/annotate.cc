// SPDX-License-Identifier: MIT
#include "capture/annotate/compass/annotate.h"

#include <string>
#include <vector>

#include "capture/recorder.h"

namespace compass::capture {
namespace {

std::string text(const char* value) {
  return value == nullptr ? std::string() : std::string(value);
}

template <class To, class From>
std::vector<To> array(const From* values, std::uint32_t count) {
  return values == nullptr ? std::vector<To>() : std::vector<To>(values, values + count);
}

void name_buffer(const compass_buffer_info* info) {
  if (info == nullptr) return;
  Recorder::of_process().guarded([info](Recorder& recorder) {
    recorder.annotate(
        journal::NameBuffer{.address = reinterpret_cast<std::uint64_t>(info->address),
                            .name = text(info->name),
                            .role = text(info->role),
                            .dtype = text(info->dtype),
                            .shape = array<std::int64_t>(info->shape, info->rank),
                            .strides = array<std::int64_t>(info->strides, info->rank)});
  });
}

void begin_step(const compass_step_info* info) {
  if (info == nullptr) return;
  Recorder::of_process().guarded([info](Recorder& recorder) {
    recorder.annotate(
        journal::BeginStep{.kind = text(info->kind),
                           .produces_output = info->produces_output != 0,
                           .deferred = info->deferred != 0,
                           .real_rows = info->real_rows,
                           .padded_rows = info->padded_rows,
                           .request_ids = array<std::uint64_t>(info->request_ids, info->requests),
                           .positions = array<std::int64_t>(info->positions, info->requests),
                           .may_end = array<std::uint8_t>(info->may_end, info->requests)});
  });
}

void end_step() {
  Recorder::of_process().guarded([](Recorder& recorder) { recorder.annotate(journal::EndStep{}); });
}

void set_phase(const char* phase) {
  Recorder::of_process().guarded(
      [phase](Recorder& recorder) { recorder.annotate(journal::Phase{text(phase)}); });
}

constexpr compass_annotate_api kApi = {1, &name_buffer, &begin_step, &end_step, &set_phase};

}  // namespace
}  // namespace compass::capture

/// What annotate.h looks for.
extern "C" [[gnu::visibility("default")]] const compass_annotate_api* compass_annotate_v1() {
  return &compass::capture::kApi;
}
