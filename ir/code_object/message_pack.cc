// SPDX-License-Identifier: MIT
#include "ir/code_object/message_pack.h"

#include "ir/base/concat.h"

namespace compass {

std::uint64_t MessagePackReader::read_map() { return read_count(Kind::kMap, "a map"); }

std::uint64_t MessagePackReader::read_array() { return read_count(Kind::kArray, "an array"); }

std::string_view MessagePackReader::read_text() {
  const std::uint64_t size = read_count(Kind::kText, "a string");
  return ok() ? as_text(reader_.take(size)) : std::string_view{};
}

std::uint64_t MessagePackReader::read_unsigned() {
  return read_count(Kind::kInteger, "an unsigned integer");
}

std::uint32_t MessagePackReader::read_unsigned32() {
  const std::uint64_t value = read_unsigned();
  if (value > 0xFFFF'FFFFu) fail(concat(value, " does not fit 32 bits"));
  return ok() ? static_cast<std::uint32_t>(value) : 0;
}

void MessagePackReader::skip() {
  std::uint64_t pending = 1;
  while (pending != 0 && ok()) {
    const Head head = read_head();
    --pending;
    switch (head.kind) {
      case Kind::kMap:
        pending += 2 * head.value;
        break;
      case Kind::kArray:
        pending += head.value;
        break;
      case Kind::kText:
      case Kind::kOther:
        reader_.take(head.value);
        break;
      case Kind::kInteger:
      case Kind::kNegative:
        break;
    }
    // What is still to come takes a byte each: this also keeps `pending` from wrapping.
    if (pending > reader_.remaining()) fail("more values announced than bytes are left");
  }
}

std::uint64_t MessagePackReader::read_count(Kind kind, std::string_view expected) {
  const Head head = read_head();
  if (ok() && head.kind != kind) fail(concat("expected ", expected));
  return ok() ? head.value : 0;
}

MessagePackReader::Head MessagePackReader::read_head() {
  if (!ok()) return {};
  value_offset_ = reader_.offset();
  const auto tag = reader_.read<std::uint8_t>();
  Head head;
  if (!reader_.ok()) {
    fail("the document ends where a value is due");
  } else if (tag < 0x80) {
    head = {Kind::kInteger, tag};
  } else if (tag < 0x90) {
    head = {Kind::kMap, tag & 0x0Fu};
  } else if (tag < 0xA0) {
    head = {Kind::kArray, tag & 0x0Fu};
  } else if (tag < 0xC0) {
    head = {Kind::kText, tag & 0x1Fu};
  } else if (tag >= 0xE0) {
    head = {Kind::kNegative, 0};
  } else {
    head = read_wide_head(tag);
  }
  if (ok() && !reader_.ok()) fail("the document ends inside a value");
  const bool counts = head.kind != Kind::kInteger && head.kind != Kind::kNegative;
  if (ok() && counts && head.value > reader_.remaining()) {
    fail(concat("announces ", head.value, " items or bytes, ", reader_.remaining(),
                " bytes are left"));
  }
  return ok() ? head : Head{};
}

MessagePackReader::Head MessagePackReader::read_wide_head(std::uint8_t tag) {
  const auto is_from = [tag](int first, int last) { return tag >= first && tag <= last; };
  if (tag == 0xC1) {
    fail("the type 0xc1 does not exist");
    return {};
  }
  if (is_from(0xC4, 0xC6)) return read_sized(Kind::kOther, 1 << (tag - 0xC4));  // bin
  if (is_from(0xC7, 0xC9)) {  // ext: its type byte counts as content
    const Head head = read_sized(Kind::kOther, 1 << (tag - 0xC7));
    return {head.kind, head.value + 1};
  }
  if (is_from(0xCA, 0xCB)) return {Kind::kOther, 4u << (tag - 0xCA)};  // float
  if (is_from(0xCC, 0xCF)) return read_sized(Kind::kInteger, 1 << (tag - 0xCC));
  if (is_from(0xD0, 0xD3)) return read_signed(1 << (tag - 0xD0));
  if (is_from(0xD4, 0xD8)) return {Kind::kOther, 1 + (1u << (tag - 0xD4))};  // fixext
  if (is_from(0xD9, 0xDB)) return read_sized(Kind::kText, 1 << (tag - 0xD9));
  if (is_from(0xDC, 0xDD)) return read_sized(Kind::kArray, 2 << (tag - 0xDC));
  if (is_from(0xDE, 0xDF)) return read_sized(Kind::kMap, 2 << (tag - 0xDE));
  return {Kind::kOther, 0};  // nil, false, true
}

MessagePackReader::Head MessagePackReader::read_sized(Kind kind, int size_width) {
  return {kind, read_big_endian(size_width)};
}

MessagePackReader::Head MessagePackReader::read_signed(int width) {
  const std::uint64_t bits = read_big_endian(width);
  const bool negative = (bits >> (8 * width - 1)) & 1;
  return negative ? Head{Kind::kNegative, 0} : Head{Kind::kInteger, bits};
}

std::uint64_t MessagePackReader::read_big_endian(int width) {
  std::uint64_t value = 0;
  for (const std::byte byte : reader_.take(static_cast<std::uint64_t>(width))) {
    value = value << 8 | std::to_integer<std::uint64_t>(byte);
  }
  return value;
}

void MessagePackReader::fail(std::string_view what) {
  if (ok())
    problem_ = concat("MessagePack at byte ", value_offset_, " of ", document_.size(), ": ", what);
}

}  // namespace compass
