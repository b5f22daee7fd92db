// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/stubs/logging.h>

#include <limits>
#include <string>

#include "ir/allocation.h"
#include "ir/archive/compass_ir.pb.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/row_counts.h"

/// What message.cc and record_message.cc share. Private to this folder: it knows generated types.
namespace compass::archive {

namespace pb = ::compass::ir::v1;

template <class Message>
Result<Message> parse(ByteView bytes) {
  // The result says what is wrong; nothing is to appear on the user's terminal besides.
  const google::protobuf::LogSilencer silencer;
  Message message;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Error{ErrorCode::kCorrupt, concat("not a message ", message.GetTypeName())};
  }
  return message;
}

/// The enumerator with that number, of an enumeration whose last is `last`.
template <class Enum>
Result<Enum> enumerator(int number, Enum last, std::string_view what) {
  if (number < 0 || number > static_cast<int>(last)) {
    return Error{ErrorCode::kCorrupt, concat(what, " ", number, " is unknown")};
  }
  return static_cast<Enum>(number);
}

inline void set_memory(pb::MemoryRef& message, const MemoryRef& memory) {
  message.set_allocation(memory.allocation.value);
  message.set_offset_bytes(memory.offset_bytes);
}

template <class Message>
void set_rows(Message& message, const RowCounts& counts) {
  if (counts == RowCounts{}) return;
  message.mutable_rows()->set_rows(counts.rows);
  message.mutable_rows()->set_slices(counts.slices);
}

template <class Message>
RowCounts row_counts_of(const Message& message) {
  if (!message.has_rows()) return {};
  return {message.rows().rows(), message.rows().slices()};
}

inline void set_pitches(pb::Pitches& message, const Pitches& pitches) {
  message.set_row_bytes(pitches.row_bytes);
  message.set_slice_bytes(pitches.slice_bytes);
}

inline Pitches pitches_of(const pb::Pitches& message) {
  return {message.row_bytes(), message.slice_bytes()};
}

inline MemoryRef memory_of(const pb::MemoryRef& message) {
  return {{message.allocation()}, message.offset_bytes()};
}

}  // namespace compass::archive
