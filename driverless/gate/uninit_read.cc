// SPDX-License-Identifier: MIT
#include "driverless/gate/rule.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "uninit-read";

std::string hint_for(const Place& place) {
  if (place.space == AddressSpace::kLds) return "LDS holds what another workgroup left in it";
  return "a new allocation holds what its last owner left: write the buffer before this launch";
}

/// No address, EXEC or branch is decided by what nothing wrote. Moving such bytes is silent, and so
/// is a decision that comes out the same whatever the bytes are.
///
/// Where the launch could not be run again, a warning.
class UninitRead : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_launch(const LaunchEvidence& evidence, Findings& findings) override {
    if (evidence.confirmation == Confirmation::kRefuted) return;
    const bool is_confirmed = evidence.confirmation == Confirmation::kConfirmed;
    for (const DecisionGroup& group : evidence.undefined) {
      Finding finding =
          finding_of(kName, is_confirmed ? Level::kError : Level::kWarning, evidence, group);
      finding.hint = hint_for(finding.places.front());
      findings.add(std::move(finding));
    }
  }
};

}  // namespace

std::unique_ptr<Rule> make_uninit_read() { return std::make_unique<UninitRead>(); }

}  // namespace compass::gate
