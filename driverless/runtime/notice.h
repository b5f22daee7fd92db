// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace compass {

/// Writes "compass-capture: `text`" as one line to stderr.
void notice(std::string_view text);

/// The same, once for each text in a process. Threads: any.
void notice_once(const std::string& text);

}  // namespace compass
