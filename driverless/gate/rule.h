// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "driverless/gate/evidence.h"
#include "driverless/gate/findings.h"

namespace compass::gate {

/// One rule of the gate: what it looks at, it overrides. Each has a file here and a page under
/// docs/rules/. Evidence comes in the order of the records.
class Rule {
 public:
  virtual ~Rule() = default;

  /// Its stable name, for instance "out-of-bounds".
  virtual std::string_view name() const = 0;

  /// Of every launch of the recording, before anything that was seen of them.
  virtual void on_request(RequestEvidence& evidence, Findings& findings) {
    static_cast<void>(evidence), static_cast<void>(findings);
  }
  virtual void on_launch(const LaunchEvidence& evidence, Findings& findings) {
    static_cast<void>(evidence), static_cast<void>(findings);
  }
  virtual void on_transfer(const TransferEvidence& evidence, Findings& findings) {
    static_cast<void>(evidence), static_cast<void>(findings);
  }
  /// The host gives out memory that nothing has written since it was allocated.
  virtual void on_poison_report(const ReportEvidence& evidence, Findings& findings) {
    static_cast<void>(evidence), static_cast<void>(findings);
  }
  virtual void on_failed_call(const FailedCallEvidence& evidence, Findings& findings) {
    static_cast<void>(evidence), static_cast<void>(findings);
  }
};

std::unique_ptr<Rule> make_out_of_bounds();
std::unique_ptr<Rule> make_use_after_free();
std::unique_ptr<Rule> make_misaligned_access();
std::unique_ptr<Rule> make_uninit_read();
std::unique_ptr<Rule> make_pointer_provenance();
std::unique_ptr<Rule> make_nan_origin();
std::unique_ptr<Rule> make_arch_match();
std::unique_ptr<Rule> make_resource_limits();
std::unique_ptr<Rule> make_launch_ran();
std::unique_ptr<Rule> make_failed_call();

/// Every rule, in the order of docs/rules/.
std::vector<std::unique_ptr<Rule>> all_rules();

}  // namespace compass::gate
