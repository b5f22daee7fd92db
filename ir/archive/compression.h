// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass::archive {

/// The largest content that an archive holds. Bounds what a small hostile frame can unfold to.
inline constexpr std::uint64_t kMaxContentBytes = 512ull << 20;

/// One Zstandard frame with the size of its content. At most kMaxContentBytes go in.
Result<Bytes> compress(ByteView bytes);

/// The `size_bytes` bytes in `frame`. Takes any frame; never makes more than `size_bytes`, which is
/// refused above kMaxContentBytes and where the frame announces another size.
Result<Bytes> decompress(ByteView frame, std::uint64_t size_bytes);

}  // namespace compass::archive
