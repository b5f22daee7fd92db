// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driverless/interp/program.h"
#include "driverless/machine/look.h"
#include "driverless/machine/memory.h"
#include "driverless/machine/observer.h"
#include "driverless/machine/workgroup.h"

namespace compass::interp {

/// A launch with everything that its wavefronts start with.
struct LaunchSetup {
  const Program* program = nullptr;
  std::array<std::uint32_t, 3> grid_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_workitems{1, 1, 1};
  std::uint32_t lds_bytes = 0;        ///< static and dynamic
  std::uint32_t scratch_bytes = 0;    ///< of a work-item
  std::uint32_t mode = kDefaultMode;  ///< the MODE register
  unsigned vgpr_count = 0;
  std::vector<std::uint32_t> user_sgprs;
  std::array<bool, 3> has_workgroup_id{};
  unsigned workitem_id_components = 0;  ///< in v0, besides x
  DeviceAddress watch;                  ///< as Workgroup::watch
  bool watches_loads = false;           ///< as Workgroup::watches_loads
  bool stops_at_findings = false;       ///< as Workgroup::stops_at_findings
  /// How many workgroups may be under way at once.
  unsigned resident_workgroups = 1;
  /// All are under way from the start, as a cooperative launch promises.
  bool starts_together = false;
  /// Wavefront instructions without the end of a workgroup after which the launch counts as
  /// hanging.
  static constexpr std::uint64_t kStepBudget = std::uint64_t{1} << 30;
  std::uint64_t step_budget = kStepBudget;
  std::uint64_t record = 0;         ///< tag for the observer
  const Region* kernarg = nullptr;  ///< where accesses are likely; null: nothing is known
  IndexNotes* notes = nullptr;      ///< if not null, `program` is noting and tells it
  bool checks_numbers = false;  ///< `program` is checking, and where it is noting, was before
  Look* look = nullptr;  ///< if not null, what to look at; if it traces, `program` is tracing
  /// Repeated in what starts undefined: LDS and scratch.
  std::byte poison{0};
};

struct LaunchOutcome {
  std::uint64_t wave_instructions = 0;
  /// Why the launch stopped: place, instruction and cause. Empty if it ran to its end.
  std::string stop_cause;
  /// Where it stored an infinity or NaN first, if it was to be looked at.
  std::optional<std::uint64_t> nonfinite_address;
};

/// A workgroup that ran to its end, whose registers and LDS the next launch uses again; or none.
using SpareWorkgroup = std::unique_ptr<Workgroup>;

/// Runs every workgroup to its end, in the order of their ids. One that takes long shares its time
/// with others, so that workgroups which wait for one another through memory make progress.
LaunchOutcome run_launch(const LaunchSetup& setup, const Memory& memory, Observer& observer,
                         SpareWorkgroup& spare);

}  // namespace compass::interp
