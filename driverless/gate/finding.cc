// SPDX-License-Identifier: MIT
#include "driverless/gate/finding.h"

#include <xxhash.h>

#include "ir/base/concat.h"

namespace compass::gate {
namespace {

std::string bytes(std::uint64_t count) { return concat(count, count == 1 ? " byte" : " bytes"); }

/// Where an access lies against the bounds of a buffer of that size, as it follows the offset.
std::string describe_bounds(std::int64_t signed_offset, std::uint64_t size_bytes,
                            std::uint64_t buffer_bytes) {
  const auto offset = static_cast<std::uint64_t>(signed_offset);
  if (signed_offset < 0) {
    return concat(", ", bytes(0 - offset), " before its start, of ", bytes(buffer_bytes));
  }
  if (offset >= buffer_bytes) {
    return concat(", ", bytes(offset - buffer_bytes), " past its end of ", buffer_bytes);
  }
  if (size_bytes <= buffer_bytes - offset) return concat(" of ", bytes(buffer_bytes));
  return concat(", where ", bytes(size_bytes), " do not fit before its end of ", buffer_bytes);
}

std::string with_sign(std::int64_t signed_offset) {
  const auto offset = static_cast<std::uint64_t>(signed_offset);
  return concat(signed_offset < 0 ? " - " : " + ", signed_offset < 0 ? 0 - offset : offset);
}

/// "kv_cache (allocation 7) + 64 of 4096 bytes".
std::string describe_offset(std::string_view buffer, std::int64_t signed_offset,
                            std::uint64_t size_bytes, std::uint64_t buffer_bytes) {
  return concat(buffer, with_sign(signed_offset),
                describe_bounds(signed_offset, size_bytes, buffer_bytes));
}

}  // namespace

std::string_view name_of(Level level) { return level == Level::kError ? "error" : "warning"; }

std::string_view name_of(Sibling::State state) {
  switch (state) {
    case Sibling::State::kBroken:
      return "broken";
    case Sibling::State::kChecked:
      return "checked";
    case Sibling::State::kNotAccessed:
      break;
  }
  return "not accessed";
}

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

bool has_address(const Place& place) {
  if (place.status != 0) return false;
  if (!place.buffer.empty()) return true;
  const bool is_request = place.launch != 0 && !place.has_lane;
  return !is_request && !place.decision;
}

std::string describe_address(const Place& place) {
  if (place.pointee == Pointee::kUnallocated) {  // the address is another one on every run
    return concat(place.argument, with_sign(place.offset_bytes), ", in no allocation");
  }
  if (place.buffer.empty()) {
    return concat(hex(static_cast<std::uint64_t>(place.offset_bytes)), ", in no allocation");
  }
  std::string text =
      describe_offset(place.buffer, place.offset_bytes, place.size_bytes, place.buffer_bytes);
  if (place.segment) {
    const auto offset = place.offset_bytes + static_cast<std::int64_t>(place.block_offset_bytes);
    text += concat(", in ", describe_offset(place.segment_label, offset, place.size_bytes,
                                            place.segment_bytes));
  }
  if (place.freed_by != 0) {
    text += concat(", freed by record ", place.freed_by);
  } else if (place.fault == FaultKind::kUseAfterFree) {
    text += ", freed by then";
  }
  return text;
}

}  // namespace compass::gate
