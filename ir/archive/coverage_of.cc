// SPDX-License-Identifier: MIT
#include "ir/archive/coverage_of.h"

#include <map>
#include <utility>
#include <variant>

#include "ir/replays.h"

namespace compass::archive {
namespace {

using LaunchName = std::pair<std::uint64_t, std::uint64_t>;  // record and node

class Counting {
 public:
  Counting(const Recording& recording, const Evidence& evidence) : evidence_(evidence) {
    for (const LaunchAccesses& each : recording.launch_accesses) ++told_[{each.record, each.node}];
  }

  void take(const Record& record, Replays& replays) {
    replays.take(record);
    if (record.captured || record.status != 0) return;
    if (std::holds_alternative<LaunchKernel>(record.body)) count({record.sequence, 0});
    const auto* const graph = std::get_if<LaunchGraph>(&record.body);
    if (graph == nullptr) return;
    for (const std::uint64_t node : replays.launches_of(graph->executable)) {
      count({record.sequence, node});
    }
  }

  void finish(Coverage& coverage) { counter_.finish(coverage); }

 private:
  void count(const LaunchName& launch) {
    const auto told = told_.find(launch);
    if (told == told_.end() || told->second == 0) {
      return counter_.add_gap(launch.first, launch.second, reason_of(launch));
    }
    --told->second;
    counter_.add_interpreted();
  }

  std::string reason_of(const LaunchName& launch) const {
    const auto seen = evidence_.observed.find(launch);
    const bool has_stopped = seen != evidence_.observed.end() && !seen->second.stop_cause.empty();
    if (has_stopped) return seen->second.stop_cause;
    return evidence_.has_run(launch.first) ? "what it accessed was not written down"
                                           : "it had not run when the recording ended";
  }

  const Evidence& evidence_;
  std::map<LaunchName, std::uint64_t> told_;
  CoverageCounter counter_;
};

}  // namespace

std::optional<Coverage> coverage_of(const Recording& recording, const Evidence& evidence,
                                    const std::string& interpreter) {
  if (evidence.instructions.empty()) return std::nullopt;
  Counting counting(recording, evidence);
  Replays replays(recording);
  for (const Record& record : recording.records) counting.take(record, replays);
  Coverage coverage;
  counting.finish(coverage);
  coverage.architecture = evidence.instructions.front().architecture;
  coverage.interpreter = interpreter;
  coverage.instructions = evidence.instructions;
  return coverage;
}

}  // namespace compass::archive
