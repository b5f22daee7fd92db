// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "ir/journal/entry.h"

namespace compass::journal {

inline Fault some_fault() {
  return {.kind = FaultKind::kUseAfterFree,
          .access = AccessKind::kStore,
          .space = AddressSpace::kLds,
          .size_bytes = 4,
          .address = {0x7f00'0000'0040},
          .workgroup = {1, 2, 3},
          .wavefront = 2,
          .lane = 63,
          .pc = 0x8c,
          .instruction = "global_store_dword v0, v1, s[2:3]",
          .allocation = {},
          .offset_bytes = -64,
          .allocation_bytes = 98304};
}

inline TaintedDecision some_decision() {
  TaintedDecision decision;
  decision.decision = Decision::kBranch;
  decision.undefined = false;
  decision.workgroup = {1, 2, 3};
  decision.wavefront = 2;
  decision.lane = 5;
  decision.pc = 0x40;
  decision.instruction = "s_cbranch_vccz 12";
  decision.has_origin = true;
  decision.origin_pc = 0x20;
  decision.origin_space = AddressSpace::kScratch;
  decision.origin_offset_bytes = 12;
  decision.origin_writer = 9;
  return decision;
}

/// An entry of each kind, in Body's order, with no field at its default where it has another value.
inline std::vector<Entry> one_of_each_kind() {
  const auto bytes = [](std::string_view text) {
    const ByteView view = as_byte_view(text);
    return Bytes(view.begin(), view.end());
  };
  const std::vector<Body> bodies = {
      Start{4711, 4710, 1'000'000'007, "serve", ContentsMode::kAll, true, 3, 8},
      DeviceSeen{3, "gfx950:sramecc+:xnack-", "AMD Instinct MI355X", true, 70051831},
      FatBinary{0x1000, bytes("__CLANG_OFFLOAD_BUNDLE__")},
      UnloadFatBinary{0x1000},
      Function{0x1000, 0x401230, "_Z4axpyPf"},
      Allocate{MemoryKind::kManaged, 0x7f00'0000'0000, 1 << 20, true, 0x2000},
      Free{0x7f00'0000'0000, true, 0x2000},
      CreateStream{0x2000, 1},
      DestroyStream{0x2000},
      CreateEvent{0x3000, 2},
      DestroyEvent{0x3000},
      RecordEvent{0x3000, 0x2000},
      WaitEvent{0x2000, 0x3000},
      Synchronize{SyncScope::kEvent, 0x3000},
      Copy{0x7f00'0000'0000,
           0x5555'0000,
           8,
           1,
           0x2000,
           true,
           true,
           bytes("contents"),
           {2, 4},
           {3, 6},
           {4, 8}},
      Fill{0x7f00'0000'0000, ~0ull, 8, 4096, 0x2000, true, {2, 4}, {1024, 2048}},
      Launch{0x401230, 0x2000, {64, 2, 1}, {256, 1, 1}, 4096, bytes("kernarg"), true},
      NameBuffer{0x7f00'0000'0000, "layers.0.wqkv", "weight", "bf16", {4096, 128}, {128, -1}},
      BeginStep{"decode", true, true, 3, 8, {1, 2, 3}, {10, -1, 30}, {1, 0, 1}},
      EndStep{},
      Phase{"warmup"},
      Incomplete{"a cause"},
      End{},
      Failed{17, 719},
      SameLaunch{17},
      Stopped{{17, 0}, "an instruction that is not supported"},
      Faults{{17, 4}, some_fault(), {0x7f00'0000'0000, 2}, 256},
      Decisions{{17, 4}, some_decision(), {0x7f00'0000'0000, 1}, 64},
      FaultyTransfer{{15, 4}, {FaultKind::kUseAfterFree, AccessKind::kStore, 0, {}, 64, 0}, 0x1000},
      Global{0x1000, "table", 0x7f00'0000'0000, 32},
      WaitValue{0x7f00'0000'0000, 5, 0xff, 8, ValueCondition::kNor, 0x2000},
      BeginCapture{0x2000, 2},
      EndCapture{0x2000, 0x4000},
      DestroyGraph{0x4000},
      InstantiateGraph{0x5000, 0x4000, {{0x6000, 17, {}}, {0x6010, 18, {0}}}},
      UpdateExecutable{0x5000, {{0x6000, 19, {1, 2}}}},
      SetNode{0x5000, 0x6000, 20},
      EnableNode{0x5000, 0x6000, false},
      LaunchGraph{0x5000, 0x2000},
      DestroyExecutable{0x5000},
      ChildGraph{{{0x6000, 17, {}}}},
      EmptyNode{},
      HostFunction{0x2000},
      Accesses{{17, 4},
               {{{0x7f00'0000'0000, 2}, {{0, 64, 256, 8}, {4096, 4, 0, 1}}, {{8, 4, 0, 1}}},
                {{0x7f00'0010'0000, 1}, {}, {{0, 4096, 0, 1}}}}},
      SameAccesses{{18, 4}, 43},
      DeclarePool{0x7f00'0000'0000, "kv", "block", "runner", 6, 4096, {0, 0, 4, 5}},
      DeclareSentinel{0x7f00'0000'1000, "write-index", "kv", "slot", {-1, -2}},
      Sleep{2, "weights"},
      Wake{"weights"},
      ReportOutput{0x7f00'0000'2000, 8, {7, 8}, {483, -1}},
      AllocateBlock{0x7f00'0000'0000, 0x7f00'0000'0200, 512, "hidden"},
      FreeBlock{0x7f00'0000'0200},
      Rank{3, 8},
      CalledHip{},
      Completed{{15, 4}, CopiedBytes::kCompleted, true, bytes("later")},
      NodeSource{{15, 4}, bytes("source")},
      HostWrite{0x7f00'0000'0000, 7, bytes("written")},
      ContentGivenUp{15, 8},
      CallSite{3, {{"program", 0x1234, "main"}, {"libc.so.6", 0x27305, ""}}},
      CalledFrom{3},
      Index{{17, 4}, false, {{{0x7f00'0000'0000, 2}, {{0, 4, 8, 2}}, bytes("contents")}}},
      Nonfinite{{17, 4}, {0x7f00'0000'0000, 2}, 1536},
      FirstRun{"gfx950", "v_exp_f32", "bounded"},
  };
  std::vector<Entry> entries;
  entries.reserve(bodies.size());
  for (const Body& body : bodies) {
    entries.push_back({.thread = static_cast<std::uint32_t>(entries.size() + 1),
                       .body = body,
                       .captured = entries.size() % 2 == 1});
  }
  return entries;
}

}  // namespace compass::journal
