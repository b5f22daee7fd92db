// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/archive/sha256.h"
#include "ir/archive/validate.h"

/// The parts of validate(). Private to this folder.
namespace compass::archive {

inline Error corrupt(std::string message) { return {ErrorCode::kCorrupt, std::move(message)}; }

template <class Tag>
Result<void> check_id(Id<Tag> id, std::size_t count, std::string_view what) {
  if (id && id.value <= count) return {};
  return corrupt(concat("names ", what, " ", id.value, ", there are ", count));
}

/// Of what a recording holds in order: what is wrong with it first.
Result<void> check_records(const Recording& recording, Extent extent);
/// The same of what an interpretation saw: accesses, index bytes, coverage.
Result<void> check_observed(const Recording& recording, Extent extent);

Result<void> check_memory(const Recording& recording, const MemoryRef& memory);

/// Whether the ids of `things` are 1, 2, …
template <class Thing>
Result<void> check_numbering(const std::vector<Thing>& things, std::string_view what) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (things[i].id.value != i + 1) {
      return corrupt(concat(what, " ", i + 1, " is numbered ", things[i].id.value));
    }
  }
  return {};
}

}  // namespace compass::archive
