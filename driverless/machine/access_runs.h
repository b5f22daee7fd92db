// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "driverless/machine/shadow.h"
#include "ir/access.h"

namespace compass {

/// The extents of a TouchedExtents, as a recording keeps them.
inline AccessRuns runs_of(std::span<const Extent> extents) {
  AccessRunBuilder builder;
  for (const Extent& extent : extents) builder.add(extent.begin, extent.end);
  return builder.finish();
}

}  // namespace compass
