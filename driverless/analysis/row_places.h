// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "driverless/isa/row.h"

namespace compass::analysis {

/// Where the results of a scalar or vector instruction go and its sources come from.
struct RowPlaces {
  isa::Places results, sources;
};

/// Null where no table has the mnemonic: of memory and matrix instructions, for instance.
const RowPlaces* find_row_places(std::string_view mnemonic);

}  // namespace compass::analysis
