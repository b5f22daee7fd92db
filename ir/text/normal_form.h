// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "ir/recording.h"

namespace compass {

struct TextOptions {
  std::optional<StepId>
      step;  ///< this step, and the kernels and buffers that it uses; it must exist
};

/// The recording as text for check-in and review; docs/ir.md, "Normal form", has the grammar. Two
/// recordings of a single-threaded program give the same bytes: there are no addresses, handles,
/// times, processes, threads or hashes in it, and buffers go by name. The recording is valid.
std::string normal_form(const Recording& recording, const TextOptions& options = {});

}  // namespace compass
