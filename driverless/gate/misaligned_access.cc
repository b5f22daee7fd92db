// SPDX-License-Identifier: MIT
#include "driverless/gate/rule.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "misaligned-access";

/// Every access is aligned as its instruction requires.
class MisalignedAccess : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_launch(const LaunchEvidence& evidence, Findings& findings) override {
    for (const FaultGroup& group : evidence.faults) {
      if (group.first.kind != FaultKind::kMisaligned) continue;
      Finding finding = finding_of(kName, Level::kError, evidence, group);
      finding.hint =
          concat("an atomic access of ", group.first.size_bytes,
                 " bytes needs an address that is a multiple of ", group.first.size_bytes);
      findings.add(std::move(finding));
    }
  }
};

}  // namespace

std::unique_ptr<Rule> make_misaligned_access() { return std::make_unique<MisalignedAccess>(); }

}  // namespace compass::gate
