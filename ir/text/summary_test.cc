// SPDX-License-Identifier: MIT
#include "ir/text/summary.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

Recording sample() {
  Recording recording;
  recording.device = {"gfx950", "AMD Instinct MI355X", true};
  recording.program = "decoder";
  recording.complete = false;
  recording.incomplete_cause = "the process did not end in order";
  recording.code_objects = {{{1}, "", "gfx950", 4096}};
  for (std::uint32_t id = 1; id <= 2; ++id) {
    Kernel kernel;
    kernel.id = {id};
    kernel.code_object = {1};
    kernel.canonical = id == 1 ? "axpy(float*)" : "void gemm<4>(float*)";
    recording.kernels.push_back(kernel);
    Launch launch;
    launch.id = {id};
    launch.kernel = {id};
    recording.launches.push_back(launch);
  }
  recording.steps.resize(3);
  recording.steps[0].kind = "prefill";
  recording.steps[1].kind = recording.steps[2].kind = "decode";
  recording.allocations = {{{1}, {}, 100, AllocationKind::kDevice, 1, {}},
                           {{2}, {}, 60, AllocationKind::kDevice, 1, {}},
                           {{3}, {}, 8, AllocationKind::kPinnedHost, 1, {}}};
  const std::vector<RecordBody> bodies = {Allocate{{1}},     LaunchKernel{{1}}, Free{{1}},
                                          Free{{1}},         Allocate{{2}},     Allocate{{3}},
                                          LaunchKernel{{2}}, LaunchKernel{{2}}};
  for (const RecordBody& body : bodies) {
    Record record;
    record.body = body;
    recording.records.push_back(record);
  }
  return recording;
}

TEST(Summary, TellsWhatARecordingHolds) {
  EXPECT_EQ(summary(sample()), R"(program       decoder
architecture  gfx950 (declared), AMD Instinct MI355X
complete      no: the process did not end in order
steps         3: 2 decode, 1 prefill
device memory 2 allocations, 100 bytes at the peak
pinned memory 1 allocations, 8 bytes at the peak
code objects  1
  gfx950, 4096 bytes, 2 kernels launched
records       8
  3  allocate
  3  launch
  2  free
launches by kernel
  2  gemm<4>
  1  axpy
)");
}

TEST(Summary, CountsWhatFailed) {
  Recording recording = sample();
  for (Record& record : recording.records) {
    if (std::holds_alternative<Free>(record.body)) record.status = 1;
  }
  EXPECT_NE(summary(recording).find("records       8, 2 of them failed\n"), std::string::npos);
}

TEST(Summary, OfNothingIsShort) {
  EXPECT_NE(summary({}).find("architecture  unknown (real)\n"), std::string::npos);
  EXPECT_NE(summary({}).find("steps         0\n"), std::string::npos);
}

}  // namespace
}  // namespace compass
