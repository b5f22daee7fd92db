// SPDX-License-Identifier: MIT
#include "driverless/gate/rule.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "use-after-free";

std::string hint_for(const Context& context, const Place& place) {
  if (place.freed_by == 0) return "keep the memory until its last use has finished";
  const Record& free = context.record(place.freed_by);
  std::string when = concat("record ", place.freed_by);
  if (free.step) {
    when += free.step == place.step ? std::string(" of the same step")
                                    : concat(" of step ", free.step.value);
  }
  const std::uint64_t ago = place.record - place.freed_by;
  return concat("freed by ", when, ", ", ago, ago == 1 ? " record" : " records",
                " before this use: free it after its last use");
}

/// No access to memory that was freed.
class UseAfterFree : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_launch(const LaunchEvidence& evidence, Findings& findings) override {
    for (const FaultGroup& group : evidence.faults) {
      if (group.first.kind != FaultKind::kUseAfterFree) continue;
      Finding finding = finding_of(kName, Level::kError, evidence, group);
      finding.hint = hint_for(evidence.context, finding.places.front());
      findings.add(std::move(finding));
    }
  }

  void on_transfer(const TransferEvidence& evidence, Findings& findings) override {
    if (evidence.fault.kind != FaultKind::kUseAfterFree) return;
    Finding finding = finding_of(kName, Level::kError, evidence);
    finding.hint = hint_for(evidence.context, finding.places.front());
    findings.add(std::move(finding));
  }
};

}  // namespace

std::unique_ptr<Rule> make_use_after_free() { return std::make_unique<UseAfterFree>(); }

}  // namespace compass::gate
