// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace compass {

using ByteView = std::span<const std::byte>;
using Bytes = std::vector<std::byte>;

inline ByteView as_byte_view(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// `view` from `offset`, `size` bytes; empty where that is not inside it.
inline ByteView slice(ByteView view, std::uint64_t offset, std::uint64_t size) {
  if (offset > view.size() || size > view.size() - offset) return {};
  return view.subspan(offset, size);
}

/// The little-endian T at `offset`. The caller has checked that it is inside.
template <class T>
requires std::is_trivially_copyable_v<T> T load(ByteView view, std::uint64_t offset = 0) {
  T value;
  std::memcpy(&value, view.data() + offset, sizeof value);
  return value;
}

/// Reads a byte string from its start. Once anything is missing, `ok()` is false and every further
/// read gives zeros or nothing: callers check once, at the end.
class ByteReader {
 public:
  explicit ByteReader(ByteView view) : view_(view) {}

  template <class T>
  T read() {
    const ByteView bytes = take(sizeof(T));
    return ok_ ? load<T>(bytes) : T{};
  }
  ByteView take(std::uint64_t size) {
    ok_ = ok_ && size <= view_.size() - offset_;
    if (!ok_) return {};
    const ByteView bytes = view_.subspan(offset_, size);
    offset_ += size;
    return bytes;
  }
  bool ok() const { return ok_; }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t remaining() const { return view_.size() - offset_; }

 private:
  ByteView view_;
  std::uint64_t offset_ = 0;
  bool ok_ = true;
};

}  // namespace compass
