// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driverless/agent.h"
#include "driverless/case/case.h"
#include "driverless/case/compare.h"

namespace compass::kernel_case {

enum class Verdict : std::uint8_t {
  kPass,
  kMismatch,  ///< a buffer holds something else
  kFinding,   ///< the launch made an access that it must not make
  kStopped,   ///< the launch did not run to its end
  kSkipped,   ///< the object is for an architecture that is not declared
};

std::string_view name_of(Verdict verdict);

/// The accesses of one instruction that break one rule.
struct Finding {
  Fault first;
  std::string buffer;  ///< of the case; empty: none is near
  std::uint64_t accesses = 0;
};

/// A value that nothing had written decided an address, EXEC or a branch.
struct UndefinedUse {
  TaintedDecision first;
  std::string buffer;  ///< that the value was loaded from; empty: none of the case's
  std::uint64_t uses = 0;
};

/// What became of one case on one architecture.
struct RunResult {
  std::string case_name;
  std::string architecture;
  Verdict verdict = Verdict::kPass;
  std::string cause;  ///< kStopped, kSkipped: why
  std::vector<Finding> findings;
  std::vector<UndefinedUse> undefined_uses;
  std::vector<Mismatch> mismatches;
  std::uint64_t wave_instructions = 0;
  std::uint64_t elapsed_ns = 0;  ///< of the launch, decoding included
};

/// Why `object` cannot run `one_case` on `agent`: it cannot be loaded, it does not hold the kernel,
/// or the kernel takes other arguments.
Result<void> check_object(const Case& one_case, const Object& object, Agent& agent);

enum class AfterFinding : std::uint8_t { kGoOn, kStop };

/// Runs the launch in buffers of its own. `agent` is for the object's architecture and is left as
/// it was. An Error where the launch cannot start.
Result<RunResult> run_case(const Case& one_case, const Object& object, Agent& agent,
                           AfterFinding after_finding = AfterFinding::kGoOn);

}  // namespace compass::kernel_case
