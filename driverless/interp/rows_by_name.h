// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driverless/interp/row.h"

namespace compass::interp {

/// Every row of every table, by mnemonic: for documentation and tests.
std::vector<const Row*> rows_by_name();

}  // namespace compass::interp
