// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace compass::archive {

/// `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD. Programs may
/// name things by any bytes; a message holds only UTF-8.
std::string to_utf8(std::string_view text);

}  // namespace compass::archive
