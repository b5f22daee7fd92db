// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "driverless/gate/finding.h"

namespace compass::gate {

/// "error: out-of-bounds: gemm reads past the end of w (allocation 3) [44bd64169de3]", without an
/// end of line.
std::string headline_of(const Finding& finding);

/// Indented lines: where, what with, and how the value came about.
std::string details_of(const Finding& finding);

/// "77, record 283, step 4 (decode), phase eager", of the first place.
std::string where_of(const Finding& finding);

/// Where it is; of a value that decides something also who loaded it from there.
std::string memory_of(const Place& place);

/// Indented lines: how often it happened, where else, and what is known of the sibling buffers.
std::string extent_of(const Finding& finding);

/// The finding's story, numbered from what was read last, each with who had written it.
std::string story_lines(const Finding& finding);

/// "1 launch", "2 launches".
std::string plural(std::uint64_t count, std::string_view word);

/// One line of details.
std::string detail_line(std::string_view label, const std::string& value);

}  // namespace compass::gate
