// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// What the decoder and its helper process say to each other over a socket. Both are of one build
/// and on one machine, so structures go as they are.
namespace compass::decode {

enum class RequestKind : std::uint32_t {
  kCode,    ///< `size` bytes of code follow; they replace earlier ones
  kDecode,  ///< decode from `offset` until a path ends, at most `size` instructions
};

struct Request {
  RequestKind kind;
  std::uint32_t size;
  std::uint64_t offset;
};

/// One instruction, `text_bytes` of text following; or the end of an answer.
struct Reply {
  enum class Kind : std::uint32_t { kInstruction, kPathEnds, kLimit, kUndecodable } kind;
  std::uint32_t size_bytes;
  std::uint32_t text_bytes;
};

}  // namespace compass::decode
