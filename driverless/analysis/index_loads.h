// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>

#include "driverless/decode/decoder.h"

namespace compass::analysis {

/// The loads from memory, by pc, whose values may form an address, EXEC or the condition of a
/// branch: a backward slice. Never too few.
///
/// What is stored to memory and loaded again is not followed: the second load is one of these by
/// itself. LDS and scratch are followed, each as one place.
std::set<std::uint64_t> index_loads(const decode::Listing& listing);

}  // namespace compass::analysis
