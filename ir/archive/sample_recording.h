// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ir/archive/message.h"
#include "ir/archive/sha256.h"
#include "ir/archive/writer.h"
#include "ir/recording.h"

/// A recording for tests that has every kind of record and a value in every field.
namespace compass::archive {

inline const std::string kSampleElf =
    "\x7f"
    "ELF of a sample" +
    std::string(3000, 'e');
inline const std::string kSampleIds = "12345678";

inline Contents sample_contents() {
  return {{sha256(as_byte_view(kSampleElf)), as_byte_view(kSampleElf)},
          {sha256(as_byte_view(kSampleIds)), as_byte_view(kSampleIds)}};
}

inline Kernel sample_kernel() {
  Kernel kernel;
  kernel.id = {1};
  kernel.code_object = {1};
  kernel.name = "_Z4axpyPffi";
  kernel.demangled = kernel.canonical = "axpy(float*, float, int)";
  kernel.kernarg_size_bytes = 272;
  kernel.lds_size_bytes = 64;
  kernel.scratch_size_bytes = 16;
  kernel.vgpr_count = 8;
  kernel.agpr_count = 4;
  kernel.sgpr_count = 20;
  kernel.max_workgroup_workitems = 256;
  kernel.arguments = {
      {"x", "global_buffer", ArgumentKind::kGlobalBuffer, 0, 8},
      {"a", "by_value", ArgumentKind::kByValue, 8, 4},
      {"hidden_block_count_x", "hidden_block_count_x", ArgumentKind::kHidden, 16, 4}};
  return kernel;
}

inline Launch sample_launch() {
  Launch launch;
  launch.id = {1};
  launch.kernel = {1};
  launch.grid_workgroups = {3, 2, 1};
  launch.workgroup_workitems = {256, 1, 1};
  launch.dynamic_lds_bytes = 128;
  launch.arguments = {{0, 8, true, {{1}, 16}, {}},
                      {8, 4, false, {}, Bytes{std::byte{1}, {}, {}, std::byte{0x80}}}};
  launch.is_cooperative = true;
  return launch;
}

inline std::vector<RecordBody> sample_bodies() {
  return {
      CreateStream{1},
      CreateEvent{{1}, 2},
      Allocate{{1}},
      Allocate{{2}},
      Copy{CopyDirection::kHostToDevice,
           HostWait::kAsync,
           {{1}, 8},
           {{2}, 0},
           8,
           sha256(as_byte_view(kSampleIds))},
      Fill{{{1}, 0}, 0xff, 4, 64, HostWait::kAsync},
      LoadCodeObject{{1}},
      BeginStep{},
      LaunchKernel{{1}},
      EndStep{},
      RecordEvent{{1}},
      WaitEvent{{1}},
      Synchronize{SyncScope::kEvent, {1}},
      Synchronize{SyncScope::kStream, {}},
      Copy{CopyDirection::kDeviceToHost, HostWait::kBlocking, {{}, 0x7ffff000}, {{1}, 4096}, 0, ""},
      DestroyEvent{{1}},
      DestroyStream{},
      UnloadCodeObject{{1}},
      Free{{1}, true},
      Copy{CopyDirection::kDeviceToDevice,
           HostWait::kAsync,
           {{1}, 0},
           {{1}, 2048},
           64,
           "",
           {4, 2},
           {64, 256},
           {8, 32}},
      Fill{{{1}, 0}, ~0ull, 8, 64, HostWait::kAsync, {4, 2}, {16, 128}},
      WaitValue{{{1}, 8}, ~0ull, 0xff, 8, ValueCondition::kAnd},
      Allocate{{3}, true},
      Free{{3}},
      BeginCapture{2},
      LaunchKernel{{1}},
      HostFunction{},
      EndCapture{{1}},
      ChildNode{{{26, {}}, {26, {0}}}},
      EmptyNode{},
      InstantiateGraph{{1}, {1}, {{26, {}}, {29, {0}}, {30, {0, 1}}}},
      UpdateExecutable{{1}, {{27, {}}, {29, {0}}, {30, {0, 1}}}},
      SetNode{{1}, 2, 26},
      EnableNode{{1}, 0, false},
      LaunchGraph{{1}},
      DestroyExecutable{{1}},
      DestroyGraph{{1}},
      AllocateBlock{{4}},
      DeclarePool{{{4}, 8}, "kv", "block", "runner", 6, ~0ull, {{0, 0}, {4, 5}}},
      DeclareSentinel{{{4}, 0}, "write-index", "kv", "slot", {-1, 7}},
      Sleep{-2, "weights"},
      Wake{"weights"},
      ReportOutput{{{2}, 0}, 8, {7, ~0ull}, {483, -1}},
      FreeBlock{{4}},
      LaunchKernel{{1}, {0x12345}}};
}

/// Whether the record of that sequence says what a node does.
inline bool is_sample_node(std::uint64_t sequence) {
  return sequence == 26 || sequence == 27 || sequence == 29 || sequence == 30;
}

inline Recording sample_recording() {
  Recording recording;
  recording.process = {{1}, {}, 3, 8};
  recording.device = {"gfx950", "AMD Instinct MI355X", true, 70051831};
  recording.program = "decoder";
  recording.contents = ContentsMode::kInputs;
  recording.complete = false;
  recording.incomplete_cause = "the process did not end in order";
  recording.code_objects = {{{1}, sha256(as_byte_view(kSampleElf)), "gfx950", kSampleElf.size()}};
  recording.kernels = {sample_kernel()};
  recording.allocations = {{{1},
                            {0xffff'8000'0000'0000},
                            0x2'0000,
                            AllocationKind::kDevice,
                            2,
                            {"hidden", "activation", "bf16", {3, 256}, {512, -1}},
                            {},
                            {},
                            {}},
                           {{2}, {0x7000}, 8, AllocationKind::kPinnedHost, 1, {}, {}, {}, {}},
                           {{3}, {0x8000}, 16, AllocationKind::kGlobal, 1, {}, {1}, "table", {}},
                           {{4},
                            {0xffff'8000'0000'0200},
                            512,
                            AllocationKind::kDevice,
                            3,
                            {"block", "", "", {}, {}},
                            {},
                            {},
                            {1}}};
  recording.first_uses = {{{1}, 0}, {}, {}, {}};
  recording.launches = {sample_launch()};
  recording.steps = {
      {{1}, "decode", true, true, 3, 4, {1, 2, ~0ull}, {5, -6, 7}, {true, false, true}}};
  for (const RecordBody& body : sample_bodies()) {
    Record record;
    record.sequence = recording.records.size() + 1;
    record.thread = {1};
    record.stream = {record.sequence > 4 ? 1u : 0u};
    record.step = {record.sequence >= 8 && record.sequence <= 10 ? 1u : 0u};
    record.captured = is_sample_node(record.sequence);
    record.phase = record.captured ? "captured" : record.sequence == 9 ? "warmup" : "eager";
    record.body = body;
    record.status = record.sequence == 15 ? 719 : 0;
    recording.records.push_back(record);
  }
  recording.access_summaries = {
      {{1}, {{{1}, {{0, 8, 64, 4}}, {{8, 4, 0, 1}}}, {{2}, {}, {{0, 8, 0, 1}}}}}, {{2}, {}}};
  recording.launch_accesses = {{9, 0, {1}}, {35, 26, {2}}, {35, 26, {1}}};
  recording.launch_indices = {
      {9, 0, false, {{{1}, {{8, kSampleElf.size(), 0, 1}}, sha256(as_byte_view(kSampleElf))}}}};
  recording.given_up = {2, 4096};
  recording.coverage = Coverage{.architecture = "gfx950",
                                .interpreter = "compass-capture 1",
                                .launches = 3,
                                .reasons = {"an instruction is not supported"},
                                .gaps = {{9, 0, 0}},
                                .instructions = {{"gfx950", "s_endpgm", Basis::kExact},
                                                 {"gfx950", "v_exp_f32", Basis::kBounded}}};
  return recording;
}

/// Everything in a recording as text, so that tests can compare two.
inline std::string everything(const Recording& recording) {
  const ProcessInfo& process = recording.process;
  std::string all =
      concat(process.id.value, ' ', process.parent.value, ' ', process.rank.value_or(99), ' ',
             process.ranks.value_or(99), '|', encode_process(recording), '|', recording.program,
             '|', int{recording.complete}, '|', recording.incomplete_cause);
  const auto add = [&](const auto& things) {
    for (const auto& thing : things) all += '|' + encode(thing);
  };
  for (const FirstUse& use : recording.first_uses) {
    all += concat('|', use.kernel.value, ' ', use.offset_bytes);
  }
  add(recording.code_objects);
  add(recording.kernels);
  add(recording.allocations);
  add(recording.launches);
  add(recording.steps);
  for (const Record& record : recording.records) {
    all += concat('|', record.sequence, ' ', record.thread.value, ' ', record.stream.value, ' ',
                  record.step.value, ' ', record.phase, ' ', record.status, ' ', encode(record));
    const auto* launch = std::get_if<LaunchKernel>(&record.body);
    if (launch == nullptr) continue;
    for (const std::uint64_t offset : launch->offsets) all += concat(" +", offset);
  }
  add(recording.access_summaries);
  for (const LaunchAccesses& launch : recording.launch_accesses) {
    all += concat('|', launch.record, ' ', launch.node, ' ', launch.summary.value);
  }
  for (const LaunchIndex& index : recording.launch_indices) {
    all += concat('|', index.record, ' ', index.node, ' ', encode(index));
  }
  all += concat('|', recording.given_up.count, ' ', recording.given_up.size_bytes);
  if (!recording.coverage) return all;
  const Coverage& coverage = *recording.coverage;
  all += concat('|', coverage.architecture, ' ', coverage.interpreter, ' ', coverage.launches);
  for (const std::string& reason : coverage.reasons) all += '|' + reason;
  for (const CoverageGap& gap : coverage.gaps) {
    all += concat('|', gap.record, ' ', gap.node, ' ', gap.reason);
  }
  for (const RanInstruction& each : coverage.instructions) {
    all += concat('|', each.architecture, ' ', each.mnemonic, ' ', name_of(each.basis));
  }
  return all;
}

}  // namespace compass::archive
