// SPDX-License-Identifier: MIT
#include "capture/hooks/copying.h"

/// Values in memory that streams write, which are fills of one value, and wait for.
namespace compass::capture {
namespace {

FillCall written(void* to, std::uint64_t value, std::uint32_t value_bytes, hip::Stream stream) {
  return {to, value, value_bytes, 1, stream, HostWait::kAsync};
}

/// `flags` of a wait say its condition.
auto waited(const journal::WaitValue& wait, void* place, unsigned flags) {
  return [=](Recorder& recorder) {
    constexpr auto kLast = static_cast<unsigned>(journal::ValueCondition::kNor);
    if (flags > kLast) return std::uint64_t{0};
    journal::WaitValue whole = wait;
    whole.address = number_of(place);
    whole.condition = static_cast<journal::ValueCondition>(flags);
    return recorder.append(whole);
  };
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Stream;

int hipStreamWriteValue32(Stream stream, void* pointer, std::uint32_t value, unsigned flags) {
  return observe_fill<&::hipStreamWriteValue32>(written(pointer, value, sizeof value, stream),
                                                stream, pointer, value, flags);
}

int hipStreamWriteValue64(Stream stream, void* pointer, std::uint64_t value, unsigned flags) {
  return observe_fill<&::hipStreamWriteValue64>(written(pointer, value, sizeof value, stream),
                                                stream, pointer, value, flags);
}

int hipStreamWaitValue32(Stream stream, void* pointer, std::uint32_t value, unsigned flags,
                         std::uint32_t mask) {
  return observe_request<&::hipStreamWaitValue32>(
      waited({.value = value, .mask = mask, .value_bytes = 4, .stream = number_of(stream)}, pointer,
             flags),
      stream, pointer, value, flags, mask);
}

int hipStreamWaitValue64(Stream stream, void* pointer, std::uint64_t value, unsigned flags,
                         std::uint64_t mask) {
  return observe_request<&::hipStreamWaitValue64>(
      waited({.value = value, .mask = mask, .value_bytes = 8, .stream = number_of(stream)}, pointer,
             flags),
      stream, pointer, value, flags, mask);
}
