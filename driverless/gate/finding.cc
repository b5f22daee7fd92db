// SPDX-License-Identifier: MIT
#include "driverless/gate/finding.h"

#include <xxhash.h>

#include "ir/base/concat.h"

namespace compass::gate {
namespace {

std::string bytes(std::uint64_t count) { return concat(count, count == 1 ? " byte" : " bytes"); }

/// Where an access lies against the bounds of its buffer, as it follows the offset.
std::string describe_bounds(const Place& place) {
  if (place.offset_bytes < 0) {
    return concat(", ", bytes(0 - static_cast<std::uint64_t>(place.offset_bytes)),
                  " before its start, of ", bytes(place.buffer_bytes));
  }
  const auto offset = static_cast<std::uint64_t>(place.offset_bytes);
  if (offset >= place.buffer_bytes) {
    return concat(", ", bytes(offset - place.buffer_bytes), " past its end of ",
                  place.buffer_bytes);
  }
  const std::uint64_t inside = place.buffer_bytes - offset;
  if (place.size_bytes <= inside) return concat(" of ", bytes(place.buffer_bytes));
  return concat(", where ", bytes(place.size_bytes), " do not fit before its end of ",
                place.buffer_bytes);
}

}  // namespace

std::string_view name_of(Level level) { return level == Level::kError ? "error" : "warning"; }

std::string_view noun_of(Decision decision) {
  switch (decision) {
    case Decision::kAddress:
      return "an address";
    case Decision::kExec:
      return "EXEC";
    case Decision::kBranch:
      break;
  }
  return "a branch";
}

std::string describe_pc(std::uint64_t pc) { return concat("kernel + ", hex(pc)); }

std::string stable_id(const Finding& finding) {
  std::string key;
  for (const std::string* part :
       {&finding.rule, &finding.kernel, &finding.role, &finding.step_kind, &finding.phase}) {
    key += *part;
    key += '\0';
  }
  constexpr int kDigits = 12;
  const std::uint64_t hash = XXH3_64bits(key.data(), key.size());
  return hex(hash >> (64 - 4 * kDigits), kDigits).substr(2);
}

std::string describe_address(const Place& place) {
  if (place.buffer.empty()) {
    return concat(hex(static_cast<std::uint64_t>(place.offset_bytes)), ", in no allocation");
  }
  const bool before = place.offset_bytes < 0;
  const auto offset = static_cast<std::uint64_t>(place.offset_bytes);
  std::string text = concat(place.buffer, before ? " - " : " + ", before ? 0 - offset : offset,
                            describe_bounds(place));
  if (place.freed_by != 0) {
    text += concat(", freed by record ", place.freed_by);
  } else if (place.fault == FaultKind::kUseAfterFree) {
    text += ", freed by then";
  }
  return text;
}

}  // namespace compass::gate
