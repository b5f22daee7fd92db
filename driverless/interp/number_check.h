// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driverless/interp/op.h"
#include "driverless/interp/row.h"

namespace compass::interp {

/// What a store stores, as far as its kernel shows.
enum class StoredNumber : std::uint8_t { kNone, kF32, kF16, kBf16 };

/// Of each op what it stores to global memory: numbers where its data come from instructions that
/// compute numbers, directly or through what moves, packs or rounds their bits. Never of a load:
/// what is only moved is somebody else's.
std::vector<StoredNumber> stored_numbers(const std::vector<Op>& ops);

/// Where a launch has stored an infinity or NaN first.
struct NumberCheck {
  const StoredNumber* numbers = nullptr;  ///< by the index of the op in its program; null: none
  std::optional<std::uint64_t> address;
};

/// A handler that looks at what its instruction is about to store, and does it.
void check_and_run(Wavefront& wave, const Op& op);

/// As long as this lives, check_and_run() on this thread fills `check`; null: nobody does.
class NumberCheckScope {
 public:
  explicit NumberCheckScope(NumberCheck* check);
  ~NumberCheckScope();
  NumberCheckScope(const NumberCheckScope&) = delete;
  NumberCheckScope& operator=(const NumberCheckScope&) = delete;
};

}  // namespace compass::interp
