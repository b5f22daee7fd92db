// SPDX-License-Identifier: MIT
#include "driverless/interp/launch.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "driverless/interp/taint.h"
#include "driverless/interp/tracer.h"

namespace compass::interp {
namespace {

/// How many instructions a wavefront runs before the next one's turn.
constexpr std::uint64_t kQuantum = 4096;
/// How many a workgroup runs before the next workgroup's turn; the first time, another one starts.
constexpr std::uint64_t kWorkgroupQuantum = std::uint64_t{1} << 18;
/// The same where all start together: they wait for one another often.
constexpr std::uint64_t kTogetherQuantum = std::uint64_t{1} << 12;
/// How many a launch runs before the observer hears of it.
constexpr std::uint64_t kProgressInterval = std::uint64_t{1} << 26;

const Op* ops_for(const LaunchSetup& setup) {
  if (setup.look != nullptr && setup.look->traces) return setup.program->tracing_ops();
  if (setup.notes != nullptr) return setup.program->noting_ops();
  return setup.checks_numbers ? setup.program->checking_ops() : setup.program->ops();
}

/// One workgroup under way.
class RunningWorkgroup {
 public:
  RunningWorkgroup(const LaunchSetup& setup, const Memory& memory, Observer& observer,
                   std::unique_ptr<Workgroup> workgroup)
      : setup_(setup),
        ops_(ops_for(setup)),
        workgroup_(std::move(workgroup)) {
    workgroup_->memory = &memory;
    workgroup_->observer = &observer;
    workgroup_->watch = setup.watch;
    workgroup_->watches_loads = setup.watches_loads;
    workgroup_->stops_at_findings = setup.stops_at_findings;
    workgroup_->stop_cause.clear();
    const auto& size = setup.workgroup_workitems;
    workitems_ = size[0] * size[1] * size[2];
    workgroup_->allocate_registers((workitems_ + kLanes - 1) / kLanes, setup.vgpr_count);
  }

  void start(std::array<std::uint32_t, 3> id) {
    workgroup_->id = id;
    workgroup_->lds.assign(setup_.lds_bytes, setup_.poison);
    workgroup_->lds_state.assign(setup_.lds_bytes, ByteState::kUndefined);
    workgroup_->scratch_bytes = setup_.scratch_bytes;
    workgroup_->scratch.assign(workgroup_->waves.size() * kLanes * setup_.scratch_bytes,
                               setup_.poison);
    workgroup_->scratch_state.assign(workgroup_->scratch.size(), ByteState::kUndefined);
    workgroup_->clock = 0;
    workgroup_->origins.resize(1);
    workgroup_->recent_region = setup_.kernarg;
    workgroup_->other_regions = {};
    has_ended_ = false;
    for (std::uint32_t index = 0; index < workgroup_->waves.size(); ++index) {
      Wavefront& wave = workgroup_->waves[index];
      wave.workgroup = workgroup_.get();
      wave.index = index;
      wave.status = WaveStatus::kReady;
      wave.pc = setup_.program->entry();
      wave.scc = false;
      wave.mode = setup_.mode;
      clear_taint(wave);
      set_registers(wave);
    }
  }

  /// Runs `steps` instructions or a little more; gives how many it ran. Ends early at the end of
  /// the workgroup, or where it stops.
  std::uint64_t run(std::uint64_t steps) {
    std::uint64_t done = 0;
    while (done < steps && !has_ended_) {
      bool all_ended = true, all_wait = true;
      for (Wavefront& wave : workgroup_->waves) {
        if (wave.status == WaveStatus::kReady) done += run_wave(wave);
        if (wave.status == WaveStatus::kStopped) return done;
        all_ended = all_ended && wave.status == WaveStatus::kEnded;
        all_wait = all_wait && wave.status != WaveStatus::kReady;
      }
      has_ended_ = all_ended;
      if (all_wait) release_barrier();
    }
    return done;
  }

  bool has_ended() const { return has_ended_; }
  /// This is of no use any more.
  std::unique_ptr<Workgroup> take_workgroup() { return std::move(workgroup_); }
  const std::string& stop_cause() const { return workgroup_->stop_cause; }

  /// Where each wavefront that has not ended stands.
  std::string whereabouts() const {
    std::string text;
    for (const Wavefront& wave : workgroup_->waves) {
      if (wave.status == WaveStatus::kEnded) continue;
      const bool waits = wave.status == WaveStatus::kAtBarrier;
      const decode::Instruction& at = *ops_[waits ? wave.pc - 1 : wave.pc].instruction;
      text += concat(text.empty() ? "" : "; ", "wavefront ", wave.index, " of ", name(),
                     waits ? " waits at the barrier at " : " is at ", hex(at.pc), ": ", at.text);
    }
    return text;
  }

 private:
  std::string name() const {
    const auto& id = workgroup_->id;
    return concat("workgroup ", id[0], ",", id[1], ",", id[2]);
  }

  void clear_taint(Wavefront& wave) const {
    if (!wave.tainted) return;
    std::fill_n(wave.vgpr_taint, setup_.vgpr_count, Taint{});
    wave.clear_scalar_taint();
  }

  void set_registers(Wavefront& wave) const {
    std::fill(std::begin(wave.sgpr), std::end(wave.sgpr), 0u);
    unsigned next = 0;
    for (const std::uint32_t value : setup_.user_sgprs) wave.sgpr[next++] = value;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (setup_.has_workgroup_id[axis]) wave.sgpr[next++] = workgroup_->id[axis];
    }
    const std::uint32_t first = wave.index * kLanes;
    const std::uint32_t active = std::min<std::uint32_t>(kLanes, workitems_ - first);
    wave.set_sgpr64(kExecLo,
                    active == kLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << active) - 1);
    // Registers of an earlier workgroup must not be seen.
    std::fill_n(&wave.vgpr[0][0], std::size_t{setup_.vgpr_count} * kLanes, 0u);
    set_workitem_ids(wave.vgpr[0], first, active);
  }

  // x in bits 9:0, y in 19:10, z in 29:20, as far as the kernel asks.
  void set_workitem_ids(LaneRow& ids, std::uint32_t first, std::uint32_t count) const {
    const auto& size = setup_.workgroup_workitems;
    const std::uint32_t mask = setup_.workitem_id_components == 0   ? 0x3FF
                               : setup_.workitem_id_components == 1 ? 0xF'FFFF
                                                                    : 0x3FFF'FFFF;
    std::uint32_t x = first % size[0], y = first / size[0] % size[1];
    std::uint32_t z = first / (size[0] * size[1]);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      ids[lane] = (x | y << 10 | z << 20) & mask;
      if (++x < size[0]) continue;
      x = 0;
      if (++y < size[1]) continue;
      y = 0;
      ++z;
    }
  }

  // A wavefront that has ended no longer counts for the barrier.
  void release_barrier() {
    for (Wavefront& wave : workgroup_->waves) {
      if (wave.status == WaveStatus::kAtBarrier) wave.status = WaveStatus::kReady;
    }
  }

  std::uint64_t run_wave(Wavefront& wave) {
    std::uint64_t left = kQuantum;
    const Op* op = nullptr;
    while (left > 0 && wave.status == WaveStatus::kReady) {
      op = &ops_[wave.pc];
      ++wave.pc;
      --left;
      op->run(wave, *op);
      if (wave.tainted) [[unlikely]]
        propagate_taint(wave, *op);
    }
    if (wave.status == WaveStatus::kStopped) {
      workgroup_->stop_cause =
          concat("at ", hex(op->instruction->pc), ": ", op->instruction->text, ": ",
                 op->cause != nullptr ? op->cause : "stopped at a finding", " (", name(),
                 ", wavefront ", wave.index, ")");
    }
    return kQuantum - left;
  }

  const LaunchSetup& setup_;
  const Op* ops_;
  std::uint32_t workitems_ = 0;
  bool has_ended_ = false;
  std::unique_ptr<Workgroup> workgroup_;
};

/// One launch under way.
class RunningLaunch {
 public:
  RunningLaunch(const LaunchSetup& setup, const Memory& memory, Observer& observer,
                SpareWorkgroup& spare)
      : setup_(setup), memory_(memory), observer_(observer), spare_(spare) {}

  LaunchOutcome run() {
    do {
      add_workgroup();
    } while (setup_.starts_together && has_next());
    while (!active_.empty() && outcome_.stop_cause.empty()) {
      // One alone runs on until it has shown that it takes long.
      const bool wants_company = idle_steps_ >= kWorkgroupQuantum && has_next();
      if (wants_company && active_.size() < setup_.resident_workgroups) add_workgroup();
      for (std::size_t n = 0; n < active_.size() && outcome_.stop_cause.empty();) {
        n += run_one(n);
      }
      if (outcome_.stop_cause.empty() && idle_steps_ >= setup_.step_budget) give_up();
    }
    return std::move(outcome_);
  }

 private:
  bool has_next() const { return next_[2] < setup_.grid_workgroups[2]; }

  std::array<std::uint32_t, 3> take_next() {
    const std::array<std::uint32_t, 3> id = next_;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (++next_[axis] < setup_.grid_workgroups[axis] || axis == 2) break;
      next_[axis] = 0;
    }
    return id;
  }

  void add_workgroup() {
    auto workgroup = spare_ != nullptr ? std::move(spare_) : std::make_unique<Workgroup>();
    active_.push_back(
        std::make_unique<RunningWorkgroup>(setup_, memory_, observer_, std::move(workgroup)));
    active_.back()->start(take_next());
  }

  // Gives how far to go on in `active_`.
  std::size_t run_one(std::size_t n) {
    RunningWorkgroup& group = *active_[n];
    const std::uint64_t turn = setup_.starts_together ? kTogetherQuantum : kWorkgroupQuantum;
    const std::uint64_t steps = group.run(std::min(turn, setup_.step_budget));
    outcome_.wave_instructions += steps;
    if (outcome_.wave_instructions >= next_progress_) {
      next_progress_ = outcome_.wave_instructions + kProgressInterval;
      observer_.on_progress(setup_.record, outcome_.wave_instructions);
    }
    idle_steps_ += steps;
    outcome_.stop_cause = group.stop_cause();
    if (!group.has_ended()) return 1;
    idle_steps_ = 0;
    if (has_next()) {
      group.start(take_next());
      return active_.size() == 1 ? 0 : 1;
    }
    keep(group.take_workgroup());
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(n));
    return 0;
  }

  // What is large is not worth its memory.
  void keep(std::unique_ptr<Workgroup> workgroup) {
    constexpr std::size_t kMostScratchBytes = std::size_t{1} << 20;
    if (spare_ != nullptr || workgroup->scratch.capacity() > kMostScratchBytes) return;
    workgroup->clear_taint();
    spare_ = std::move(workgroup);
  }

  void give_up() {
    outcome_.stop_cause = concat("no workgroup ended within ", setup_.step_budget,
                                 " wavefront instructions: ", active_.front()->whereabouts());
    if (active_.size() > 1) {
      outcome_.stop_cause += concat("; and ", active_.size() - 1, " more workgroups");
    }
  }

  const LaunchSetup& setup_;
  const Memory& memory_;
  Observer& observer_;
  SpareWorkgroup& spare_;
  std::array<std::uint32_t, 3> next_{};
  std::vector<std::unique_ptr<RunningWorkgroup>> active_;
  std::uint64_t idle_steps_ = 0;  // since the last end of a workgroup
  std::uint64_t next_progress_ = kProgressInterval;
  LaunchOutcome outcome_;
};

}  // namespace

LaunchOutcome run_launch(const LaunchSetup& setup, const Memory& memory, Observer& observer,
                         SpareWorkgroup& spare) {
  const NotingScope noting(setup.program->noted_accesses(), setup.notes);
  const TracingScope tracing(setup.look);
  NumberCheck numbers{setup.checks_numbers ? setup.program->stored_numbers() : nullptr, {}};
  const NumberCheckScope checking(&numbers);
  LaunchOutcome outcome = RunningLaunch(setup, memory, observer, spare).run();
  outcome.nonfinite_address = numbers.address;
  return outcome;
}

}  // namespace compass::interp
