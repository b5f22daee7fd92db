// SPDX-License-Identifier: MIT
#include "driverless/gate/place.h"
#include "driverless/gate/rule.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "nan-origin";

/// The row of the buffer, where its outermost dimension is known and divides it evenly.
std::string row_of(const Context& context, const Place& place) {
  const std::vector<std::int64_t>& shape =
      context.recording().allocation(place.allocation).info.shape;
  if (shape.empty() || shape[0] <= 0 || place.offset_bytes < 0) return {};
  const auto rows = static_cast<std::uint64_t>(shape[0]);
  if (place.buffer_bytes < rows || place.buffer_bytes % rows != 0) return {};
  return concat(", row ", static_cast<std::uint64_t>(place.offset_bytes) /
                              (place.buffer_bytes / rows));
}

/// The first launch that stores an infinity or NaN which it has made of finite numbers.
class NanOrigin : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_launch(const LaunchEvidence& evidence, Findings& findings) override {
    if (!evidence.nonfinite) return;
    Finding finding =
        finding_of(kName, Level::kWarning, evidence, place_of(evidence, *evidence.nonfinite));
    const Place& place = finding.places.front();
    finding.statement = concat("makes ", evidence.nonfinite->value,
                               " of finite numbers and stores it in ", place.buffer,
                               row_of(evidence.context, place));
    finding.unit = "store";
    finding.memory_is = "stored in";
    finding.operands = evidence.nonfinite->operands;
    finding.code = evidence.nonfinite->code;
    finding.story = evidence.nonfinite->story;
    finding.hint = "nothing that the launch read is infinite or NaN: look for an overflow, a "
                   "division by zero, a root of a negative number or a reduction over nothing here";
    findings.add(std::move(finding));
  }
};

}  // namespace

std::unique_ptr<Rule> make_nan_origin() { return std::make_unique<NanOrigin>(); }

}  // namespace compass::gate
