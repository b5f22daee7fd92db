// SPDX-License-Identifier: MIT
#include "driverless/gate/rule.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "out-of-bounds";

/// In rows of the buffer, where its outermost dimension is known and divides it evenly.
std::string rows_hint(const Context& context, const Place& place) {
  const std::vector<std::int64_t>& shape =
      context.recording().allocation(place.allocation).info.shape;
  if (shape.empty() || shape[0] <= 0) return {};
  const auto rows = static_cast<std::uint64_t>(shape[0]);
  if (place.buffer_bytes < rows || place.buffer_bytes % rows != 0) return {};
  const auto row_bytes = static_cast<std::int64_t>(place.buffer_bytes / rows);
  const bool is_before = place.offset_bytes < 0;
  const std::int64_t row = (place.offset_bytes - (is_before ? row_bytes - 1 : 0)) / row_bytes;
  return concat("the buffer has ", rows, " rows of ", row_bytes, " bytes, the access is in row ",
                row, ", counted from 0",
                is_before ? ": a negative index is often one that stands for no row" : "");
}

/// Of a pointer into no allocation.
std::string pointer_hint(const Place& place) {
  const bool is_null = place.pointee == Pointee::kNull;
  if (place.launch == 0) {
    return concat("the ", place.argument,
                  is_null ? " is null" : " is memory that no call allocated",
                  ": pass memory that the runtime allocated");
  }
  return concat("argument #", place.argument_index, ", counted from 0, ",
                is_null ? "is null" : "is memory that no call allocated, such as the host's own",
                ": pass memory that the runtime allocated");
}

std::string hint_for(const Context& context, const Place& place) {
  if (place.space == AddressSpace::kLds) {
    return concat("the launch has ", place.buffer_bytes,
                  " bytes of LDS, static and dynamic: compare it with what the kernel indexes");
  }
  if (place.space == AddressSpace::kScratch) {
    return concat("a work-item has ", place.buffer_bytes,
                  " bytes of scratch: an index leaves one of its own arrays");
  }
  if (place.pointee != Pointee::kAllocation) return pointer_hint(place);
  if (!place.allocation) return "the pointer is null or was never allocated";
  std::string rows = rows_hint(context, place);
  if (!rows.empty()) return rows;
  if (place.launch == 0) return "compare the size that the call gives with the size of the buffer";
  if (place.offset_bytes < 0) return "an index is negative: look for one that stands for no row";
  return "compare the largest index that the kernel uses with the size of the buffer";
}

/// What lies behind the buffer may be another one.
void add_strays(Finding& finding, const LaunchEvidence& evidence) {
  for (const TouchedAllocation& stray : evidence.strays) {
    const bool writes = !stray.extents.writes.empty();
    finding.facets.push_back(
        {"pointer-provenance", concat("it goes on and ", writes ? "writes " : "reads ",
                                      evidence.context.names().label(stray.allocation),
                                      ", to which none of its arguments leads")});
  }
}

/// No access outside a live allocation, LDS or scratch, also not by what an allocator may pad.
class OutOfBounds : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_launch(const LaunchEvidence& evidence, Findings& findings) override {
    for (const FaultGroup& group : evidence.faults) {
      if (group.first.kind != FaultKind::kOutOfBounds) continue;
      Finding finding = finding_of(kName, Level::kError, evidence, group);
      finding.hint = hint_for(evidence.context, finding.places.front());
      if (group.first.space == AddressSpace::kGlobal) add_strays(finding, evidence);
      findings.add(std::move(finding));
    }
  }

  void on_transfer(const TransferEvidence& evidence, Findings& findings) override {
    if (evidence.fault.kind != FaultKind::kOutOfBounds) return;
    Finding finding = finding_of(kName, Level::kError, evidence);
    finding.hint = hint_for(evidence.context, finding.places.front());
    findings.add(std::move(finding));
  }
};

}  // namespace

std::unique_ptr<Rule> make_out_of_bounds() { return std::make_unique<OutOfBounds>(); }

}  // namespace compass::gate
