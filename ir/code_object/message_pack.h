// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/base/bytes.h"

namespace compass {

/// Walks a MessagePack document from its start, one value after the other.
///
/// Once a value is missing or of another kind than asked for, `ok()` is false, `problem()` says
/// where and why, and every further read gives zeros or nothing. Never recurses, never allocates
/// but for the problem: any bytes are safe, and a count is at most the number of bytes that follow
/// it.
class MessagePackReader {
 public:
  explicit MessagePackReader(ByteView document) : document_(document), reader_(document) {}

  /// The number of key and value pairs that follow.
  std::uint64_t read_map();
  /// The number of elements that follow.
  std::uint64_t read_array();
  /// A view into the document.
  std::string_view read_text();
  std::uint64_t read_unsigned();
  /// An unsigned integer below 2^32.
  std::uint32_t read_unsigned32();
  /// Passes over one value with all that it contains.
  void skip();

  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

 private:
  enum class Kind : std::uint8_t { kMap, kArray, kText, kInteger, kNegative, kOther };

  /// The first part of a value. `value` is the number of contained items (pairs for a map), of
  /// bytes that follow, or the integer.
  struct Head {
    Kind kind = Kind::kOther;
    std::uint64_t value = 0;
  };

  Head read_head();
  Head read_wide_head(std::uint8_t tag);
  Head read_sized(Kind kind, int size_width);
  Head read_signed(int width);
  std::uint64_t read_big_endian(int width);
  std::uint64_t read_count(Kind kind, std::string_view expected);
  void fail(std::string_view what);

  ByteView document_;
  ByteReader reader_;
  std::uint64_t value_offset_ = 0;
  std::string problem_;
};

}  // namespace compass
