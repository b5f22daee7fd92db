// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass {

/// The most bytes that a compressed bundle may unfold to.
inline constexpr std::uint64_t kMostDecompressedBytes = std::uint64_t{1} << 30;

/// Whether `bytes` start as a compressed offload bundle ("CCOB") does.
bool is_compressed_bundle(ByteView bytes);

/// How many bytes the compressed bundle that starts at `start` occupies. Reads only what its header
/// announces; version 1 does not say, and there it walks the blocks of the Zstandard frame.
Result<std::uint64_t> compressed_bundle_size(const std::byte* start);

/// The bundle that a compressed one of version 1 to 3 holds. Takes any bytes: what a small one may
/// unfold to is bounded, by kMostDecompressedBytes and by a multiple of its size. zlib is
/// kUnsupported.
Result<Bytes> decompress_bundle(ByteView bytes);

}  // namespace compass
