// SPDX-License-Identifier: MIT
#include <string>

#include "driverless/gate/rule.h"
#include "ir/base/concat.h"
#include "ir/hip/abi.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "launch-ran";

/// Whether the status tells of what an earlier launch did.
bool is_of_another(std::int32_t status) {
  return status == hip::kErrorLaunchFailure || status == hip::kErrorIllegalAddress;
}

/// "its grid is 0 x 1 x 1"; empty: there is work.
std::string what_is_empty(const RequestEvidence& evidence) {
  const Launch& launch = evidence.context.recording().launch(evidence.body.launch);
  for (const auto* const sizes : {&launch.grid_workgroups, &launch.workgroup_workitems}) {
    if ((*sizes)[0] != 0 && (*sizes)[1] != 0 && (*sizes)[2] != 0) continue;
    return concat("its ", sizes == &launch.grid_workgroups ? "grid" : "workgroup", " is ",
                  (*sizes)[0], " x ", (*sizes)[1], " x ", (*sizes)[2]);
  }
  return {};
}

std::string hint_for(const RequestEvidence& evidence, const std::string& empty) {
  if (is_of_another(evidence.record.status)) {
    return "an earlier launch went wrong, and the device was lost with it";
  }
  if (!empty.empty()) return "skip the launch where there is no work";
  return "it had no effect: check what launches return, at the launch";
}

/// Every launch returned success, and what the host gives out was written by somebody.
class LaunchRan : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_request(RequestEvidence& evidence, Findings& findings) override {
    const std::int32_t status = evidence.record.status;
    if (status == 0 || evidence.is_explained) return;
    if (is_of_another(status) && !findings.empty()) return;
    Finding finding = finding_of(kName, Level::kError, evidence);
    const std::string empty = what_is_empty(evidence);
    finding.statement =
        concat("was refused with status ", status, empty.empty() ? "" : ": ", empty);
    finding.hint = hint_for(evidence, empty);
    findings.add(std::move(finding));
  }

  void on_poison_report(const ReportEvidence& evidence, Findings& findings) override {
    Finding finding = finding_of(kName, Level::kError, evidence);
    const Place& place = finding.places.front();
    finding.statement = concat("gives out ", place.buffer, ", which nothing has written");
    finding.hint = "the launch that computes it did not run, or writes elsewhere";
    findings.add(std::move(finding));
  }
};

}  // namespace

std::unique_ptr<Rule> make_launch_ran() { return std::make_unique<LaunchRan>(); }

}  // namespace compass::gate
