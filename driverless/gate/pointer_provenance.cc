// SPDX-License-Identifier: MIT
#include "driverless/gate/place.h"
#include "driverless/gate/rule.h"
#include "driverless/gate/statement.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "pointer-provenance";

std::uint64_t bytes_of(const std::vector<Extent>& extents) {
  std::uint64_t bytes = 0;
  for (const Extent& extent : extents) bytes += extent.end - extent.begin;
  return bytes;
}

std::string hint_for(const Place& place) {
  if (place.argument.empty()) return "no pointer argument is anywhere near it";
  return concat("the nearest of what it was given is argument ", place.argument,
                ": an index or a stride may lead past that buffer into this one");
}

/// A launch touches only allocations that its arguments lead to, directly or through pointers in
/// what they lead to, and its kernel's own variables.
class PointerProvenance : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_launch(const LaunchEvidence& evidence, Findings& findings) override {
    if (evidence.leaves_a_buffer()) return;  // that rule says it
    for (const TouchedAllocation& stray : evidence.strays) {
      Finding finding = finding_of(kName, Level::kError, evidence, place_of(evidence, stray));
      const Place& place = finding.places.front();
      const bool writes = place.access != AccessKind::kLoad;
      finding.statement = concat(writes ? "writes " : "reads ", place.buffer,
                                 ", to which none of its arguments leads");
      finding.accesses = bytes_of(writes ? stray.extents.writes : stray.extents.reads);
      finding.unit = "byte";
      finding.hint = hint_for(place);
      findings.add(std::move(finding));
    }
  }
};

}  // namespace

std::unique_ptr<Rule> make_pointer_provenance() { return std::make_unique<PointerProvenance>(); }

}  // namespace compass::gate
