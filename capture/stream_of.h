// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "ir/journal/entry.h"

namespace compass::capture {

/// The stream that is given work; absent where none is.
template <class Body>
std::optional<std::uint64_t> stream_of(const Body&) {
  return std::nullopt;
}
inline std::optional<std::uint64_t> stream_of(const journal::Copy& copy) { return copy.stream; }
inline std::optional<std::uint64_t> stream_of(const journal::Fill& fill) { return fill.stream; }
inline std::optional<std::uint64_t> stream_of(const journal::RecordEvent& record) {
  return record.stream;
}
inline std::optional<std::uint64_t> stream_of(const journal::WaitEvent& wait) {
  return wait.stream;
}
inline std::optional<std::uint64_t> stream_of(const journal::WaitValue& wait) {
  return wait.stream;
}
inline std::optional<std::uint64_t> stream_of(const journal::HostFunction& call) {
  return call.stream;
}
inline std::optional<std::uint64_t> stream_of(const journal::LaunchGraph& launch) {
  return launch.stream;
}
template <class InStreamOrder>
requires requires(const InStreamOrder& body) { body.in_stream_order; }
std::optional<std::uint64_t> stream_of(const InStreamOrder& body) {
  return body.in_stream_order ? std::optional(body.stream) : std::nullopt;
}
inline std::optional<std::uint64_t> stream_of(const journal::Body& body) {
  return std::visit([](const auto& what) { return stream_of(what); }, body);
}

}  // namespace compass::capture
