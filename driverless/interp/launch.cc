// SPDX-License-Identifier: MIT
#include "driverless/interp/launch.h"

#include <algorithm>

#include "driverless/interp/taint.h"
#include "driverless/machine/workgroup.h"

namespace compass::interp {
namespace {

/// How many instructions a wavefront runs before the next one's turn.
constexpr std::uint64_t kQuantum = 4096;

/// One launch under way.
class Execution {
 public:
  Execution(const LaunchSetup& setup, const Memory& memory, Observer& observer)
      : setup_(setup), ops_(setup.program->ops()), steps_left_(setup.step_budget) {
    workgroup_.memory = &memory;
    workgroup_.observer = &observer;
    const auto& size = setup.workgroup_workitems;
    workitems_ = size[0] * size[1] * size[2];
    workgroup_.allocate_registers((workitems_ + kLanes - 1) / kLanes, setup.vgpr_count);
  }

  std::string run() {
    const auto& grid = setup_.grid_workgroups;
    for (std::uint32_t z = 0; z < grid[2]; ++z) {
      for (std::uint32_t y = 0; y < grid[1]; ++y) {
        for (std::uint32_t x = 0; x < grid[0]; ++x) {
          start({x, y, z});
          run_workgroup();
          if (!workgroup_.stop_cause.empty()) return workgroup_.stop_cause;
        }
      }
    }
    return {};
  }

 private:
  void start(std::array<std::uint32_t, 3> id) {
    workgroup_.id = id;
    workgroup_.lds.assign(setup_.lds_bytes, std::byte{0});
    workgroup_.lds_state.assign(setup_.lds_bytes, ByteState::kUndefined);
    workgroup_.origins.resize(1);
    for (std::uint32_t index = 0; index < workgroup_.waves.size(); ++index) {
      Wavefront& wave = workgroup_.waves[index];
      wave.workgroup = &workgroup_;
      wave.index = index;
      wave.status = WaveStatus::kReady;
      wave.pc = setup_.program->entry();
      wave.scc = false;
      set_registers(wave);
    }
  }

  void set_registers(Wavefront& wave) const {
    std::fill(std::begin(wave.sgpr), std::end(wave.sgpr), 0u);
    if (wave.tainted) {
      std::fill(std::begin(wave.sgpr_taint), std::end(wave.sgpr_taint), Taint{});
      std::fill_n(wave.vgpr_taint, setup_.vgpr_count, Taint{});
      wave.scc_taint = {};
      wave.tainted = false;
    }
    unsigned next = 0;
    for (const std::uint32_t value : setup_.user_sgprs) wave.sgpr[next++] = value;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (setup_.has_workgroup_id[axis]) wave.sgpr[next++] = workgroup_.id[axis];
    }
    const std::uint32_t first = wave.index * kLanes;
    const std::uint32_t active = std::min<std::uint32_t>(kLanes, workitems_ - first);
    wave.set_sgpr64(kExecLo, active == kLanes ? ~std::uint64_t{0}
                                              : (std::uint64_t{1} << active) - 1);
    // Registers of an earlier workgroup must not be seen.
    std::fill_n(&wave.vgpr[0][0], std::size_t{setup_.vgpr_count} * kLanes, 0u);
    for (std::uint32_t lane = 0; lane < active; ++lane) {
      wave.vgpr[0][lane] = packed_workitem_id(first + lane);
    }
  }

  // x in bits 9:0, y in 19:10, z in 29:20, as far as the kernel asks.
  std::uint32_t packed_workitem_id(std::uint32_t linear) const {
    const auto& size = setup_.workgroup_workitems;
    std::uint32_t id = linear % size[0];
    if (setup_.workitem_id_components >= 1) id |= linear / size[0] % size[1] << 10;
    if (setup_.workitem_id_components >= 2) id |= linear / (size[0] * size[1]) << 20;
    return id;
  }

  void run_workgroup() {
    while (workgroup_.stop_cause.empty()) {
      bool all_ended = true, all_wait = true;
      for (Wavefront& wave : workgroup_.waves) {
        if (wave.status == WaveStatus::kReady) run_wave(wave);
        if (wave.status == WaveStatus::kStopped) return;
        all_ended = all_ended && wave.status == WaveStatus::kEnded;
        all_wait = all_wait && wave.status != WaveStatus::kReady;
      }
      if (all_ended) return;
      if (all_wait) release_barrier();
    }
  }

  // A wavefront that has ended no longer counts for the barrier.
  void release_barrier() {
    for (Wavefront& wave : workgroup_.waves) {
      if (wave.status == WaveStatus::kAtBarrier) wave.status = WaveStatus::kReady;
    }
  }

  void run_wave(Wavefront& wave) {
    const std::uint64_t quantum = std::min(kQuantum, steps_left_);
    std::uint64_t left = quantum;
    const Op* op = nullptr;
    while (left > 0 && wave.status == WaveStatus::kReady) {
      op = &ops_[wave.pc];
      ++wave.pc;
      --left;
      op->run(wave, *op);
      if (wave.tainted) [[unlikely]] propagate_taint(wave, *op);
    }
    steps_left_ -= quantum - left;
    if (wave.status == WaveStatus::kStopped) {
      workgroup_.stop_cause = describe(wave, *op, op->cause);
    } else if (steps_left_ == 0) {
      workgroup_.stop_cause = describe(wave, ops_[wave.pc], "it does not end");
    }
  }

  std::string describe(const Wavefront& wave, const Op& op, std::string_view cause) const {
    return concat("at ", hex(op.instruction->pc), ": ", op.instruction->text, ": ", cause,
                  " (workgroup ", workgroup_.id[0], ",", workgroup_.id[1], ",", workgroup_.id[2],
                  ", wavefront ", wave.index, ")");
  }

  const LaunchSetup& setup_;
  const Op* ops_;
  std::uint64_t steps_left_;
  std::uint32_t workitems_ = 0;
  Workgroup workgroup_;
};

}  // namespace

std::string run_launch(const LaunchSetup& setup, const Memory& memory, Observer& observer) {
  return Execution(setup, memory, observer).run();
}

}  // namespace compass::interp
