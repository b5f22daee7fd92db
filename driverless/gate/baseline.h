// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/base/result.h"

namespace compass::gate {

/// A finding of an earlier check.
struct KnownFinding {
  std::string id;
  std::string rule;
  std::string kernel;
};

/// What an earlier check had found.
struct Baseline {
  std::string file;                    ///< as messages call it
  std::vector<KnownFinding> findings;  ///< by id, each once

  bool knows(std::string_view id) const;
};

/// Of the JSON that `check` or `run` printed. A mistake is told with the file and its place.
Result<Baseline> parse_baseline(std::string_view text, std::string_view file);

}  // namespace compass::gate
