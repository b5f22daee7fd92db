// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ir/base/bytes.h"

namespace compass::archive {

/// The SHA-256 of `bytes` in 64 lower-case hex digits.
std::string sha256(ByteView bytes);

/// Whether `text` has the form of what sha256() returns.
bool is_sha256(std::string_view text);

}  // namespace compass::archive
