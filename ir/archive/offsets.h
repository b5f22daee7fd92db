// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass::archive {

/// Of each number the same count of bytes, the fewest that hold the largest, the highest byte
/// first: SQL can take that apart. No bytes of no numbers.
Bytes encode_offsets(const std::vector<std::uint64_t>& offsets);

/// The other way. Takes any bytes; an error where they are not `count` numbers.
Result<std::vector<std::uint64_t>> decode_offsets(ByteView bytes, std::size_t count);

}  // namespace compass::archive
