// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "ir/base/result.h"
#include "ir/recording.h"
#include "ir/text/document.h"

namespace compass::text {

struct StepRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool has(std::uint32_t step) const { return first <= step && step <= last; }
};

/// Which lines are wanted, of all that are.
struct Filter {
  std::optional<StepRange> steps;  ///< these steps, and nothing outside steps
  /// Launches of kernels whose name, short or canonical, is this; "*" stands for any characters,
  /// "?" for one. Empty: everything.
  std::string kernel;
  std::optional<std::uint32_t> stream;
};

/// The normal form of a recording: docs/ir.md, section 4. Two recordings of a single-threaded
/// program give the same text: there are no addresses, handles, times, processes, threads or hashes
/// in it, and buffers go by name. Only what is in `steps` has lines, if they are given. The
/// recording is valid.
Document document_of(const Recording& recording, const std::optional<StepRange>& steps = {});

/// Leaves the lines that are wanted, and the kernels and buffers that they name. An error where the
/// filter names a step, kernel or stream that the document has not; it says which there are.
Result<void> apply(const Filter& filter, Document& document);

}  // namespace compass::text
