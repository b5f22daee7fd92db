// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/runtime/operation.h"

namespace compass {

/// The tag of the call that this thread is in.
Tag current_tag();

}  // namespace compass
