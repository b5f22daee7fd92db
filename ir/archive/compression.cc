// SPDX-License-Identifier: MIT
#include "ir/archive/compression.h"

#include <zstd.h>

namespace compass::archive {
namespace {

constexpr int kLevel = 3;

}  // namespace

Result<Bytes> compress(ByteView bytes) {
  if (bytes.size() > kMaxContentBytes) {
    return Error{ErrorCode::kUnsupported,
                 concat("content of ", bytes.size(), " bytes, the most is ", kMaxContentBytes)};
  }
  Bytes frame(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0) {
    return Error{ErrorCode::kSystem, concat("zstandard: ", ZSTD_getErrorName(size))};
  }
  frame.resize(size);
  return frame;
}

Result<Bytes> decompress(ByteView frame, std::uint64_t size_bytes) {
  if (size_bytes > kMaxContentBytes) {
    return Error{ErrorCode::kCorrupt,
                 concat("content of ", size_bytes, " bytes, the most is ", kMaxContentBytes)};
  }
  const unsigned long long announced = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (announced != size_bytes) {
    if (announced == ZSTD_CONTENTSIZE_ERROR || announced == ZSTD_CONTENTSIZE_UNKNOWN) {
      return Error{ErrorCode::kCorrupt, "no zstandard frame with a size"};
    }
    return Error{ErrorCode::kCorrupt, concat("the zstandard frame holds ", announced,
                                             " bytes, its row says ", size_bytes)};
  }
  Bytes bytes(size_bytes);
  const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) != 0) {
    return Error{ErrorCode::kCorrupt, concat("zstandard: ", ZSTD_getErrorName(size))};
  }
  if (size != size_bytes) {
    return Error{ErrorCode::kCorrupt,
                 concat("the zstandard frame held ", size, " of ", size_bytes, " bytes")};
  }
  return bytes;
}

}  // namespace compass::archive
