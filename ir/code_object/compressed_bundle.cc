// SPDX-License-Identifier: MIT
#include "ir/code_object/compressed_bundle.h"

#include <zstd.h>

#include <algorithm>
#include <string_view>

namespace compass {
namespace {

constexpr std::string_view kMagic = "CCOB";
constexpr std::uint16_t kZlib = 0;
constexpr std::uint16_t kZstd = 1;
// Bundles hold padding and several builds of the same code: thirtyfold is common.
constexpr std::uint64_t kMostRatio = 1024;

Error corrupt(std::string message) {
  return {ErrorCode::kCorrupt, concat("compressed offload bundle: ", message)};
}
Error unsupported(std::string message) {
  return {ErrorCode::kUnsupported, concat("compressed offload bundle: ", message)};
}

/// What stands before the frame.
struct Header {
  std::uint16_t version = 0;
  std::uint16_t method = 0;
  std::uint64_t file_bytes = 0;  ///< with the header; 0: version 1 does not say
  std::uint64_t content_bytes = 0;
  std::uint64_t header_bytes = 0;
};

/// Each version has the fields magic, version, method, file size, content size and hash.
std::uint64_t header_bytes_of(std::uint16_t version) {
  constexpr std::uint64_t kBytes[] = {0, 20, 24, 32};
  return version <= 3 ? kBytes[version] : 0;
}

Result<Header> read_header(ByteReader reader) {
  reader.take(kMagic.size());
  Header header;
  header.version = reader.read<std::uint16_t>();
  header.method = reader.read<std::uint16_t>();
  if (!reader.ok()) return corrupt("the header is cut off");
  header.header_bytes = header_bytes_of(header.version);
  if (header.header_bytes == 0) return unsupported(concat("version ", header.version));
  if (header.version == 2) header.file_bytes = reader.read<std::uint32_t>();
  if (header.version == 3) header.file_bytes = reader.read<std::uint64_t>();
  header.content_bytes =
      header.version == 3 ? reader.read<std::uint64_t>() : reader.read<std::uint32_t>();
  reader.read<std::uint64_t>();  // the hash: the frame is checked by its own rules
  if (!reader.ok()) return corrupt("the header is cut off");
  return header;
}

Result<void> check_method(const Header& header) {
  if (header.method == kZstd) return {};
  if (header.method == kZlib) return unsupported("zlib, only Zstandard is read");
  return unsupported(concat("compression method ", header.method));
}

/// Before anything is allocated for it.
Result<void> check_content(const Header& header, ByteView frame) {
  const unsigned long long announced = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (announced != header.content_bytes && announced != ZSTD_CONTENTSIZE_UNKNOWN) {
    return corrupt(
        concat("its frame holds ", announced, " bytes, its header says ", header.content_bytes));
  }
  if (header.content_bytes > kMostDecompressedBytes ||
      header.content_bytes / kMostRatio > frame.size()) {
    return unsupported(concat("it unfolds from ", frame.size(), " to ", header.content_bytes,
                              " bytes; the most is ", kMostDecompressedBytes, " and ", kMostRatio,
                              " times its size"));
  }
  return {};
}

}  // namespace

bool is_compressed_bundle(ByteView bytes) { return as_text(bytes).starts_with(kMagic); }

Result<std::uint64_t> compressed_bundle_size(const std::byte* start) {
  constexpr std::uint64_t kSmallestHeader = 8;
  const auto version = load<std::uint16_t>({start, kSmallestHeader}, kMagic.size());
  const ByteView bytes(start, std::max(header_bytes_of(version), kSmallestHeader));
  ASSIGN_OR_RETURN(const Header header, read_header(ByteReader(bytes)));
  if (header.version != 1) {
    if (header.file_bytes >= header.header_bytes) return header.file_bytes;
    return corrupt(concat("it says that it has ", header.file_bytes, " bytes"));
  }
  if (auto known = check_method(header); !known) return std::move(known).error();
  const std::size_t frame =
      ZSTD_findFrameCompressedSize(start + header.header_bytes, kMostDecompressedBytes);
  if (ZSTD_isError(frame) != 0) return corrupt(ZSTD_getErrorName(frame));
  return header.header_bytes + frame;
}

Result<Bytes> decompress_bundle(ByteView bytes) {
  ASSIGN_OR_RETURN(const Header header, read_header(ByteReader(bytes)));
  if (auto known = check_method(header); !known) return std::move(known).error();
  if (header.file_bytes > bytes.size()) {
    return corrupt(
        concat("it says that it has ", header.file_bytes, " bytes, there are ", bytes.size()));
  }
  const ByteView frame = bytes.subspan(header.header_bytes);
  const std::size_t frame_bytes = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
  if (ZSTD_isError(frame_bytes) != 0) return corrupt(ZSTD_getErrorName(frame_bytes));
  if (auto fits = check_content(header, frame); !fits) return std::move(fits).error();
  Bytes content(header.content_bytes);
  const std::size_t size =
      ZSTD_decompress(content.data(), content.size(), frame.data(), frame_bytes);
  if (ZSTD_isError(size) != 0) return corrupt(ZSTD_getErrorName(size));
  if (size != content.size()) {
    return corrupt(concat("it holds ", size, " bytes where its header says ", content.size()));
  }
  return content;
}

}  // namespace compass
