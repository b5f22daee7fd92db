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
    record.sequence = recording.records.size() + 1;
    record.body = body;
    recording.records.push_back(record);
  }
  for (std::uint32_t id = 1; id <= 3; ++id) recording.steps[id - 1].id = {id};
  recording.records[0].step = {1};
  return recording;
}

TEST(Summary, TellsWhatARecordingHolds) {
  EXPECT_EQ(summary(sample(), tally_of(sample())), R"(program       decoder
architecture  gfx950 (declared), AMD Instinct MI355X
complete      no: the process did not end in order
contents      index
steps         3: 2 decode, 1 prefill
device memory 2 allocations, 100 bytes at the peak
  at record 1, step 1
  100  device.0
pinned memory 1 allocations, 8 bytes at the peak
  at record 6
  8  pinned.0
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
  EXPECT_NE(summary(recording, tally_of(recording)).find("records       8, 2 of them failed\n"),
            std::string::npos);
}

TEST(Summary, ListsTheLargestOfWhatWasThereAtThePeak) {
  Recording recording;
  for (std::uint32_t id = 1; id <= 8; ++id) {
    recording.allocations.push_back({{id}, {}, 10 * id, AllocationKind::kDevice, 1, {}});
    recording.records.push_back({id, {1}, {}, {}, "eager", Allocate{{id}}});
  }
  recording.allocations[7].parent = {1};  // a block is no memory of its own
  recording.records[1].body = Free{{1}};
  recording.device.runtime_version = 70051831;
  recording.process.rank = 3;
  recording.process.ranks = 8;
  const std::string text = summary(recording, tally_of(recording));
  EXPECT_NE(text.find("device memory 7 allocations, 250 bytes at the peak\n  at record 7\n"
                      "  70  device.6\n  60  device.5\n  50  device.4\n  40  device.3\n"
                      "  30  device.2\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("more"), std::string::npos) << text;
  EXPECT_NE(text.find("rank          3 of 8\n"), std::string::npos) << text;
  EXPECT_NE(text.find(", HIP 7.0.51831\n"), std::string::npos) << text;
}

TEST(Summary, OfNothingIsShort) {
  const std::string text = summary({}, tally_of({}));
  EXPECT_NE(text.find("architecture  unknown (real)\n"), std::string::npos);
  EXPECT_NE(text.find("steps         0\n"), std::string::npos);
}

}  // namespace
}  // namespace compass
