// SPDX-License-Identifier: MIT
#include "ir/text/normal_form.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace compass::text {
namespace {

std::string normal_form(const Recording& recording, const Filter& filter = {},
                        Folding folding = Folding::kFolded) {
  std::vector<Document> documents;
  documents.push_back(document_of(recording, filter.steps));
  const auto done = apply(filter, documents[0]);
  return done ? print(documents, folding) : done.error().message;
}

/// What is left of a normal form behind its title and what explains it.
std::string without_title(const std::string& text) {
  EXPECT_TRUE(text.starts_with("compass normal form 3\n# ")) << text;
  return text.substr(text.find("architecture"));
}

/// A recording under construction: of a small decoder, at addresses from `base` on.
class Builder {
 public:
  explicit Builder(std::uint64_t base) : base_(base) {
    recording_.device = {"gfx950", "AMD Instinct MI355X", true};
    recording_.program = concat("program.", base);
    Kernel norm;
    norm.id = {1};
    norm.canonical = "void rms_norm<256>(float const*, float const*, int, float, Params)";
    norm.lds_size_bytes = 1024;
    norm.arguments = {{"x", "", ArgumentKind::kGlobalBuffer, 0, 8},
                      {"w", "", ArgumentKind::kGlobalBuffer, 8, 8},
                      {"cols", "", ArgumentKind::kByValue, 16, 4},
                      {"", "", ArgumentKind::kByValue, 20, 4},
                      {"params", "", ArgumentKind::kByValue, 24, 32}};
    recording_.kernels = {norm};
  }

  AllocationId allocation(const BufferInfo& info, AllocationKind kind, std::uint64_t size) {
    const AllocationId id{static_cast<std::uint32_t>(recording_.allocations.size() + 1)};
    recording_.allocations.push_back({id, {base_ + id.value * 4096}, size, kind, 1, info});
    add(Allocate{id});
    return id;
  }
  void step(const Step& step) {
    step_ = step.id;
    recording_.steps.push_back(step);
    add(BeginStep{});
  }
  void end_step() {
    add(EndStep{});
    step_ = {};
  }
  void add(const RecordBody& body, std::uint32_t stream = 0, const std::string& phase = "eager") {
    recording_.records.push_back(
        {recording_.records.size() + 1, {1}, {stream}, step_, phase, body});
  }
  void launch_norm(MemoryRef x, MemoryRef w, std::uint32_t stream) {
    Launch launch;
    launch.id = {static_cast<std::uint32_t>(recording_.launches.size() + 1)};
    launch.kernel = {1};
    launch.grid_workgroups = {3, 2, 1};
    launch.workgroup_workitems = {256, 1, 1};
    launch.dynamic_lds_bytes = 512;
    launch.arguments = {{0, 8, true, x, {}},
                        {8, 8, true, w, {}},
                        {16, 4, false, {}, bytes({0x00, 0x01, 0x00, 0x00})},
                        {20, 4, false, {}, bytes({0xac, 0xc5, 0x27, 0x37})},
                        {24, 8, false, {}, Bytes(8)},
                        {32, 8, true, {x.allocation, 64}, {}},
                        {40, 16, false, {}, Bytes(16)}};
    recording_.launches.push_back(launch);
    add(LaunchKernel{launch.id}, stream);
  }
  const Recording& recording() const { return recording_; }

 private:
  static Bytes bytes(std::initializer_list<unsigned char> values) {
    Bytes out;
    for (const unsigned char value : values) out.push_back(std::byte{value});
    return out;
  }

  std::uint64_t base_;
  StepId step_;
  Recording recording_;
};

Recording decoder(std::uint64_t base) {
  Builder builder(base);
  builder.add(CreateStream{1}, 1);
  const auto hidden = builder.allocation({"hidden", "activation", "f32", {3, 256}, {256, 1}},
                                         AllocationKind::kDevice, 3072);
  const auto weight = builder.allocation({}, AllocationKind::kDevice, 1024);
  const auto ids =
      builder.allocation({"ids\n", "", "i32", {3}, {}}, AllocationKind::kPinnedHost, 12);
  const MemoryRef pageable{{}, base + 99};
  builder.add(
      Copy{CopyDirection::kHostToDevice, HostWait::kBlocking, {weight, 0}, pageable, 1024, ""});
  builder.add(Fill{{hidden, 16}, 0xff, 2, 64, HostWait::kAsync}, 1);
  builder.add(CreateEvent{{1}, 2});
  builder.add(LoadCodeObject{{1}});
  builder.step({{1}, "decode", true, false, 3, 4, {1, 2, 3}, {7, 8, 9}, {false, true, false}});
  builder.add(Copy{CopyDirection::kHostToDevice, HostWait::kAsync, {hidden, 0}, {ids, 0}, 12, "x"},
              1);
  builder.launch_norm({hidden, 0}, {weight, 0}, 1);
  builder.add(RecordEvent{{1}}, 1);
  builder.add(WaitEvent{{1}}, 2);
  builder.add(Fill{{hidden, 0}, 0, 4, 64, HostWait::kAsync}, 2, "captured");
  builder.add(Synchronize{SyncScope::kDevice, {}});
  builder.add(Synchronize{SyncScope::kStream, {}}, 1);
  builder.end_step();
  builder.add(Free{weight});
  builder.launch_norm(pageable, {weight, 0}, 0);
  builder.step({{2}, "dummy", false, true, 0, 1, {}, {}, {}});
  builder.add(Synchronize{SyncScope::kEvent, {1}});
  builder.end_step();
  return builder.recording();
}

constexpr const char* kExpected = R"(architecture gfx950
complete

kernels
  rms_norm<256>, wave64, lds 1024 B = void rms_norm<256>(float const*, float const*, int, float, Params)

buffers
  hidden device 3072 B role=activation dtype=f32 shape=3x256 strides=256,1
  rms_norm<256>.w device 1024 B
  ids? pinned 12 B dtype=i32 shape=3

outside steps
  create_stream 1 flags=1
  allocate hidden
  allocate rms_norm<256>.w
  allocate ids?
  stream 0
    copy h2d host -> rms_norm<256>.w 1024 B
  stream 1
    fill hidden[+16] with 0x00ff 64 B async
  create_event 1 flags=2
  load_code_object 1

step 1 decode real_rows=3 padded_rows=4 requests=1,2,3 positions=7,8,9 may_end=0,1,0 output
  stream 1
    copy h2d ids? -> hidden 12 B async
    rms_norm<256><<<3x2, 256, 512>>>(x=hidden, w=rms_norm<256>.w, cols=256, 1e-05, params=opaque 8 bytes, params[+8]=hidden[+64], params[+16]=opaque 16 bytes)
    record_event 1
    synchronize stream
  stream 2
    wait_event 1
    phase captured
    fill hidden with 0x00000000 64 B async
    phase eager
    synchronize device

outside steps
  free rms_norm<256>.w
  stream 0
    rms_norm<256><<<3x2, 256, 512>>>(x=nowhere, w=rms_norm<256>.w (freed), cols=256, 1e-05, params=opaque 8 bytes, params[+8]=nowhere, params[+16]=opaque 16 bytes)

step 2 dummy real_rows=0 padded_rows=1 deferred
  synchronize event 1
)";

TEST(NormalForm, ReadsLikeCode) {
  EXPECT_EQ(without_title(normal_form(decoder(0x7f0000000000))), kExpected);
}

TEST(NormalForm, DoesNotDependOnAddresses) {
  EXPECT_EQ(normal_form(decoder(0x7f0000000000)), normal_form(decoder(0x123450000)));
}

TEST(NormalForm, ShowsOneStepWithWhatItUses) {
  EXPECT_EQ(without_title(normal_form(decoder(0), {StepRange{2, 2}, {}, {}})),
            R"(architecture gfx950
complete

step 2 dummy real_rows=0 padded_rows=1 deferred
  synchronize event 1
)");
  const std::string first = normal_form(decoder(0), {StepRange{1, 1}, {}, {}});
  EXPECT_NE(first.find("\nkernels\n  rms_norm<256>, "), std::string::npos);
  EXPECT_NE(first.find("\nbuffers\n  hidden "), std::string::npos);
  EXPECT_EQ(first.find("outside steps"), std::string::npos);
}

TEST(NormalForm, ShowsWhatFailedWithItsStatus) {
  Builder builder(0x1000);
  const auto x = builder.allocation({"x", "", "", {}, {}}, AllocationKind::kDevice, 64);
  builder.add(Fill{{x, 60}, 0, 1, 8, HostWait::kBlocking});
  builder.add(Free{x});
  builder.add(Fill{{x, 0}, 0, 1, 8, HostWait::kBlocking});
  Recording recording = builder.recording();
  recording.records[1].status = 1;
  recording.records[2].status = 9;
  const std::string text = normal_form(recording);
  EXPECT_NE(text.find("    fill x[+60] with 0x00 8 B failed 1\n  free x failed 9\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("(freed)"), std::string::npos) << text;
}

TEST(NormalForm, ShowsWhatWasSaidOfMemoryAndRows) {
  Builder builder(0x1000);
  const auto segment = builder.allocation({"kv", "", "", {}, {}}, AllocationKind::kDevice, 4096);
  Recording recording = builder.recording();
  recording.allocations.push_back(
      {{2}, {0x1000 + 4096 + 512}, 256, AllocationKind::kDevice, 1, {}, {}, {}, segment});
  const std::vector<RecordBody> bodies = {
      DeclarePool{{segment, 0}, "kv", "block", "runner", 6, 512, {{0, 0}, {4, 5}}},
      DeclarePool{{}, "kv", "block", "scheduler", 6, 0, {}},
      DeclareSentinel{{{}, 0x7fff}, "", "kv", "slot", {-1}},
      DeclareSentinel{{}, "write-index", "", "", {-1, -2}},
      Sleep{1, "kv\n"},
      Wake{},
      AllocateBlock{{2}},
      ReportOutput{{{2}, 4}, 8, {7, 8}, {483, -1}},
      FreeBlock{{2}}};
  for (const RecordBody& body : bodies) {
    recording.records.push_back({recording.records.size() + 1, {1}, {}, {}, "eager", body});
  }
  EXPECT_EQ(without_title(normal_form(recording)), R"(architecture gfx950
complete

buffers
  kv device 4096 B
  block.0 device 256 B in kv[+512]

outside steps
  allocate kv
  declare_pool kv name=kv unit=block rows=6 row_bytes=512 reserved=0,4-5 said_by=runner
  declare_pool null name=kv unit=block rows=6 said_by=scheduler
  declare_sentinel host pool=kv unit=slot values=-1
  declare_sentinel null role=write-index values=-1,-2
  sleep level=1 tag=kv?
  wake
  allocate_block block.0
  report block.0[+4] 8 B requests=7,8 ids=483,-1
  free_block block.0
)");
}

TEST(NormalForm, OfNothingIsItsHeader) {
  Recording recording;
  recording.complete = false;
  recording.incomplete_cause = "killed at 0x7fff";
  EXPECT_EQ(without_title(normal_form(recording)), "architecture\nincomplete\n");
}

TEST(NormalForm, IsWhatItSays) {
  for (const Folding folding : {Folding::kFolded, Folding::kFull}) {
    const std::string text = normal_form(decoder(0), {}, folding);
    const auto documents = parse(text);
    ASSERT_TRUE(documents.has_value()) << documents.error().message;
    EXPECT_EQ(print(*documents, folding), text);
    EXPECT_EQ(print(*documents), normal_form(decoder(0)));
  }
}

/// Forwards of one launch, whose accesses are those of `written` in each.
Recording forwards(const std::vector<std::uint64_t>& written) {
  Builder builder(0);
  const auto x = builder.allocation({"x", "", "", {}, {}}, AllocationKind::kDevice, 4096);
  Recording recording = builder.recording();
  for (std::uint32_t i = 0; i < written.size(); ++i) {
    builder.step({{i + 1}, "decode", true, false, 1, 1, {i}, {}, {}});
    builder.launch_norm({x, 0}, {x, 0}, 1);
    builder.add(Synchronize{SyncScope::kStream, {}}, 1);
    builder.end_step();
  }
  recording = builder.recording();
  for (std::uint32_t i = 0; i < written.size(); ++i) {
    const AccessRuns all = {{0, 4096, 0, 1}};
    recording.access_summaries.push_back({{i + 1}, {{x, all, {{written[i], 16, 256, 4}}}}});
    recording.launch_accesses.push_back({3 + 4 * i, 0, {i + 1}});
  }
  return recording;
}

TEST(NormalForm, FoldsStepsAndSaysWhatTheyAccessElse) {
  const std::string text = normal_form(forwards({0, 0, 32, 0}));
  EXPECT_EQ(text.substr(text.find("\nstep 1")), R"(
step 1 decode real_rows=1 padded_rows=1 requests=0 output
  stream 1
    rms_norm<256><<<3x2, 256, 512>>>(x=x, w=x, cols=256, 1e-05, params=opaque 8 bytes, params[+8]=x[+64], params[+16]=opaque 16 bytes)
      reads x; writes x[0:16 step 256 x 4]
    synchronize stream

step 2 decode real_rows=1 padded_rows=1 requests=1 output, as step 1

step 3 decode real_rows=1 padded_rows=1 requests=2 output, as step 1 but
  launch 1 rms_norm<256>
    reads x; writes x[32:48 step 256 x 4]

step 4 decode real_rows=1 padded_rows=1 requests=3 output, as step 1
)");
  const auto documents = parse(text);
  ASSERT_TRUE(documents.has_value()) << documents.error().message;
  EXPECT_EQ(print(*documents), text);
  EXPECT_EQ(print(*documents, Folding::kFull),
            normal_form(forwards({0, 0, 32, 0}), {}, Folding::kFull));
}

TEST(NormalForm, SaysWhatTheNodesOfAGraphAccessed) {
  Builder builder(0);
  const auto x = builder.allocation({"x", "", "", {}, {}}, AllocationKind::kDevice, 4096);
  builder.launch_norm({x, 0}, {x, 0}, 1);
  builder.launch_norm({x, 0}, {x, 64}, 1);
  builder.add(InstantiateGraph{{1}, {1}, {{2, {}}, {3, {0}}}});
  builder.add(LaunchGraph{{1}}, 1);
  Recording recording = builder.recording();
  recording.records[1].captured = recording.records[2].captured = true;
  recording.access_summaries = {{{1}, {{x, {{0, 64, 0, 1}}, {{64, 64, 0, 1}}}}}, {{2}, {}}};
  recording.launch_accesses = {{5, 2, {1}}, {5, 3, {2}}};
  const std::string text = normal_form(recording);
  EXPECT_EQ(text.substr(text.find("    launch_graph")), R"(    launch_graph 1
      node 0 rms_norm<256> reads x[0:64]; writes x[64:128]
      node 1 rms_norm<256> accesses nothing
)");
  EXPECT_EQ(print(*parse(text)), text);
}

TEST(NormalForm, FoldsWhatRepeats) {
  Builder builder(0);
  const auto x = builder.allocation({"x", "", "", {}, {}}, AllocationKind::kDevice, 4096);
  for (int i = 0; i < 3; ++i) {
    builder.add(Fill{{x, 0}, 0, 1, 8}, 1);
    builder.add(Fill{{x, 0}, 0, 1, 8}, 1);
    builder.add(Fill{{x, 8}, 0, 1, 8}, 1);
  }
  for (int i = 0; i < 2; ++i) {
    builder.add(Fill{{x, 16}, 0, 1, 8}, 2);
    builder.add(Synchronize{});
  }
  const std::string text = normal_form(builder.recording());
  EXPECT_EQ(text.substr(text.find("\noutside")), R"(
outside steps
  allocate x
  stream 1
    repeat 3
      fill x with 0x00 8 B x 2
      fill x[+8] with 0x00 8 B
  repeat 2
    stream 2
      fill x[+16] with 0x00 8 B
    synchronize device
)");
  const std::string full = normal_form(builder.recording(), {}, Folding::kFull);
  EXPECT_EQ(print(*parse(text), Folding::kFull), full);
  EXPECT_EQ(print(*parse(full)), text);
}

TEST(NormalForm, DoesNotDependOnTheOrderOfThreads) {
  const auto recorded = [](const std::vector<int>& order) {
    Builder builder(0);
    builder.step({{1}, "decode", true, false, 1, 1, {}, {}, {}});
    Recording recording = builder.recording();
    int done[3] = {};
    for (const int thread : order) {
      const RecordBody bodies[] = {CreateEvent{{1 + static_cast<std::uint32_t>(thread)}},
                                   HostFunction{}, Synchronize{}};
      const StreamId stream{static_cast<std::uint32_t>(thread)};
      recording.records.push_back({recording.records.size() + 1,
                                   {1 + stream.value},
                                   stream,
                                   {1},
                                   "eager",
                                   bodies[done[thread]++]});
    }
    return normal_form(recording);
  };
  EXPECT_EQ(recorded({1, 1, 1, 2, 2, 2}), recorded({2, 1, 2, 1, 1, 2}));
  EXPECT_EQ(recorded({1, 1, 1, 2, 2, 2}), recorded({2, 2, 1, 2, 1, 1}));
}

TEST(Filter, LeavesTheLinesOfAKernelWithTheirPhase) {
  const std::string text = normal_form(decoder(0), {{}, "rms*", {}});
  EXPECT_NE(text.find("\noutside steps\n  stream 0\n    rms_norm<256><<<"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("fill"), std::string::npos) << text;
  EXPECT_EQ(text.find("dummy"), std::string::npos) << text;
  EXPECT_EQ(normal_form(decoder(0), {{}, "void rms_norm<256>(*", {}}), text);
  EXPECT_EQ(normal_form(decoder(0), {{}, "norm", {}}), "has no kernel norm: it has rms_norm<256>");
  const std::string stream = normal_form(decoder(0), {StepRange{1, 2}, {}, 2});
  EXPECT_NE(stream.find("    phase captured\n    fill hidden"), std::string::npos) << stream;
  EXPECT_EQ(stream.find("copy"), std::string::npos) << stream;
}

TEST(Filter, SaysWhatThereIs) {
  EXPECT_EQ(normal_form(decoder(0), {StepRange{2, 3}, {}, {}}), "has no step 3: it has 2 steps");
  EXPECT_EQ(normal_form(decoder(0), {{}, {}, 7}), "has no stream 7: it has streams 0, 1, 2");
}

}  // namespace
}  // namespace compass::text
