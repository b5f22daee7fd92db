// SPDX-License-Identifier: MIT
#include <string>

#include "driverless/gate/rule.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "arch-match";

/// "gfx950" of "gfx950:sramecc+:xnack-".
std::string_view processor_of(std::string_view target) { return target.substr(0, target.find(':')); }

/// '+' or '-' as the target has the feature; 0: it says nothing of it.
char setting_of(std::string_view target, std::string_view feature) {
  const std::string name = concat(":", feature);
  const std::size_t at = target.find(name);
  return at == std::string_view::npos || at + name.size() >= target.size()
             ? '\0'
             : target[at + name.size()];
}

/// What keeps code for `code` from running on `device`; empty: nothing does.
std::string mismatch(std::string_view code, std::string_view device) {
  if (processor_of(code) != processor_of(device)) {
    return concat("its code is for ", processor_of(code), ", the declared architecture is ",
                  processor_of(device));
  }
  for (const std::string_view feature : {"sramecc", "xnack"}) {
    const char wanted = setting_of(code, feature), given = setting_of(device, feature);
    if (wanted == '\0' || given == '\0' || wanted == given) continue;
    return concat("its code needs ", feature, wanted, ", the declared architecture has ", feature,
                  given);
  }
  return {};
}

/// Every launched code object is for the declared architecture, with compatible feature flags.
class ArchMatch : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_request(RequestEvidence& evidence, Findings& findings) override {
    const arch::Architecture* const architecture = evidence.context.architecture();
    if (architecture == nullptr) return;
    const CodeObject& code =
        evidence.context.recording().code_object(evidence.kernel.code_object);
    const std::string why = mismatch(code.target, architecture->gcn_arch_name);
    if (why.empty()) return;
    Finding finding = finding_of(kName, Level::kError, evidence);
    finding.statement = concat("cannot run: ", why);
    finding.hint = concat("build it for ", architecture->gcn_arch_name, " too, or check on ",
                          code.target, " with --arch");
    findings.add(std::move(finding));
    evidence.is_explained = true;
  }
};

}  // namespace

std::unique_ptr<Rule> make_arch_match() { return std::make_unique<ArchMatch>(); }

}  // namespace compass::gate
