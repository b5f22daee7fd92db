// SPDX-License-Identifier: MIT
#pragma once

#include "ir/base/bytes.h"

namespace compass::capture {

/// All bytes of a file that the program named. False where they cannot be read.
bool read_file(const char* path, Bytes& out);

}  // namespace compass::capture
