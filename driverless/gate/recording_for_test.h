// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "driverless/gate/gate.h"
#include "driverless/gate/print.h"

namespace compass::gate {

inline constexpr AllocationId kKeys{1};
inline constexpr AllocationId kValues{2};
inline constexpr AllocationId kLogits{3};

/// One decode step: two launches of store(keys, values), a free of logits, one of sample(logits).
class GateTest : public testing::Test {
 protected:
  GateTest() {
    const auto allocation = [&](std::uint64_t address, std::string name, std::string role) {
      const AllocationId id{static_cast<std::uint32_t>(recording.allocations.size() + 1)};
      recording.allocations.push_back({id,
                                       {address},
                                       4096,
                                       AllocationKind::kDevice,
                                       1,
                                       {std::move(name), std::move(role), "f32", {8, 128}, {}}});
      add(Allocate{id});
    };
    recording.steps.push_back({StepId{1}, "decode", true, false, 1, 1, {}, {}, {}});
    allocation(0x10000, "keys", "kv-cache");
    allocation(0x12000, "values", "kv-cache");
    allocation(0x20000, "", "");
    recording.kernels.push_back(kernel(1, "ns::store(float*, float*)", {"keys", "values"}));
    recording.kernels.push_back(kernel(2, "ns::sample(float*)", {"logits"}));
    recording.launches.push_back(launch(1, {kKeys, kValues}));
    recording.launches.push_back(launch(2, {kLogits}));
    first = add(LaunchKernel{LaunchId{1}});
    second = add(LaunchKernel{LaunchId{1}});
    add(Free{kLogits});
    third = add(LaunchKernel{LaunchId{2}});
    copy = add(Copy{});
  }

  static Kernel kernel(std::uint32_t id, std::string canonical,
                       const std::vector<std::string>& names) {
    Kernel kernel;
    kernel.id = KernelId{id};
    kernel.canonical = std::move(canonical);
    for (const std::string& name : names) {
      const auto offset = static_cast<std::uint32_t>(kernel.arguments.size() * 8);
      kernel.arguments.push_back({name, "global_buffer", ArgumentKind::kGlobalBuffer, offset, 8});
    }
    return kernel;
  }
  static Launch launch(std::uint32_t id, const std::vector<AllocationId>& arguments) {
    Launch launch{LaunchId{id}, KernelId{id}, {1, 1, 1}, {64, 1, 1}, 0, {}};
    for (const AllocationId argument : arguments) {
      const auto offset = static_cast<std::uint32_t>(launch.arguments.size() * 8);
      launch.arguments.push_back({offset, 8, true, {argument, 0}, {}});
    }
    return launch;
  }
  std::uint64_t add(RecordBody body) {
    recording.records.push_back({recording.records.size() + 1, ThreadId{1}, StreamId{}, StepId{1},
                                 "eager", std::move(body)});
    return recording.records.size();
  }
  static Fault fault(FaultKind kind, std::uint64_t address, std::uint64_t pc,
                     std::uint32_t lane = 0) {
    Fault fault;
    fault.kind = kind;
    fault.access = AccessKind::kStore;
    fault.size_bytes = 4;
    fault.address = {address};
    fault.pc = pc;
    fault.lane = lane;
    fault.instruction = "global_store_dword v[0:1], v2, off";
    return fault;
  }

  static TaintedDecision decision(AllocationId origin) {
    TaintedDecision decision;
    decision.lanes = 64;
    decision.pc = 0x78;
    decision.instruction = "global_store_dword v[0:1], v2, off";
    decision.has_origin = true;
    decision.origin_pc = 0x40;
    decision.origin_allocation = origin;
    decision.origin_offset_bytes = 16;
    return decision;
  }
  /// What the first line says, without the id.
  static std::string headline(const Report& report) {
    const std::string text = to_text(report, {});
    return text.substr(0, text.find(" ["));
  }

  Recording recording;
  std::uint64_t first = 0, second = 0, third = 0, copy = 0;
};

}  // namespace compass::gate
