// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// What a recording has of its process's records.
enum class Extent : std::uint8_t {
  kWhole,
  kSteps,  ///< some, in their order: what needs the others is not checked
};

/// What Archive::recording() or Archive::steps() promises of ids, offsets and sizes. The error
/// names the first thing that breaks it.
Result<void> validate(const Recording& recording, Extent extent = Extent::kWhole);

/// Whether `record`, or its `node` where that is not 0, says that a kernel was launched: by itself,
/// or as a node.
bool names_launch(const Recording& recording, std::uint64_t record, std::uint64_t node);

}  // namespace compass::archive
