// SPDX-License-Identifier: MIT
#include "driverless/gate/statement.h"

#include "ir/base/concat.h"

namespace compass::gate {
namespace {

std::string_view verb(AccessKind access) {
  switch (access) {
    case AccessKind::kLoad:
      return "reads";
    case AccessKind::kStore:
      return "writes";
    case AccessKind::kAtomic:
      break;
  }
  return "updates";
}

std::string object(const Place& place) {
  if (place.fault == FaultKind::kUseAfterFree && !place.buffer.empty()) {
    return concat("freed memory of ", place.buffer);
  }
  if (place.pointee != Pointee::kAllocation) {
    return concat(
        "memory through ", place.argument,
        place.pointee == Pointee::kNull ? ", which is null" : ", which points into no allocation");
  }
  if (place.buffer.empty()) return "memory that is no allocation";
  if (place.fault == FaultKind::kMisaligned) return concat("misaligned bytes of ", place.buffer);
  if (place.offset_bytes < 0) return concat("before the start of ", place.buffer);
  return concat("past the end of ", place.buffer);
}

}  // namespace

std::string statement_of(const Finding& finding) {
  const Place& place = finding.places.front();
  if (place.status != 0) return concat("failed with status ", place.status);
  if (finding.kernel == "free") return concat("ends ", object(place), " again");
  if (!place.decision) return concat(verb(place.access), " ", object(place));
  const std::string whose = place.buffer.empty() ? std::string() : concat(" of ", place.buffer);
  return concat("lets undefined bytes", whose, " decide ", noun_of(*place.decision));
}

}  // namespace compass::gate
