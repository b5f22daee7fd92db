// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "driverless/machine/look.h"

namespace compass::analysis {

/// Which step of a trace gave a register its value.
struct Definition {
  std::size_t step = 0;
  unsigned result = 0;  ///< which of its results
  unsigned word = 0;    ///< which register of that result
};

/// Where the values of a trace come from, step by step. The look must outlive it.
class Definitions {
 public:
  explicit Definitions(const Look& look);

  const Look& look() const { return look_; }
  const TraceStep& step(std::size_t index) const { return look_.steps[index]; }
  std::size_t size() const { return look_.steps.size(); }
  std::string_view mnemonic(std::size_t index) const;

  /// Of register `word` of `value` as the step `before` finds it; absent: the wavefront started
  /// with it, or the trace begins later.
  std::optional<Definition> of(const TracedValue& value, unsigned word, std::size_t before) const;

  /// The step of the same lane that stored last to what `load` loads, in LDS or scratch.
  std::optional<std::size_t> store_before(std::size_t load) const;

 private:
  using Register = std::pair<TracedValue::Kind, unsigned>;
  static std::optional<Register> register_of(const TracedValue& value, unsigned word);

  const Look& look_;
  std::map<Register, std::vector<Definition>> by_register_;  // in the order of the steps
};

}  // namespace compass::analysis
