// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driverless/gate/context.h"
#include "ir/fault.h"

namespace compass::gate {

/// What is wrong with the memory that a copy, fill or free asks to touch, as the recording
/// has sizes and lifetimes. Empty where nothing is known to be.
std::vector<TransferFault> faults_of_request(const Context& context, const Record& record);

}  // namespace compass::gate
