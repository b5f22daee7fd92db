// SPDX-License-Identifier: MIT
#include "driverless/gate/rule.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "failed-call";

/// No copy, fill, free or launch was refused by the runtime for a reason that the recording does
/// not show. Where it does, the rule that was broken says so.
class FailedCall : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_failed_call(const FailedCallEvidence& evidence, Findings& findings) override {
    Finding finding = finding_of(kName, Level::kError, evidence);
    finding.hint = "the runtime refused it, and it had no effect: check what such calls return";
    findings.add(std::move(finding));
  }
};

}  // namespace

std::unique_ptr<Rule> make_failed_call() { return std::make_unique<FailedCall>(); }

}  // namespace compass::gate
