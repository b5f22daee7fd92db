// SPDX-License-Identifier: MIT
#include "capture/hooks/launching.h"

namespace compass::capture {
namespace {

/// The arguments in `extra`: a list of keys, each with a value behind it. Empty where it is none
/// that HIP knows.
ByteView packed_in(void* const* extra) {
  const void* buffer = nullptr;
  std::size_t size_bytes = 0;
  for (;; extra += 2) {
    const std::uint64_t key = number_of(extra[0]);
    if (key == hip::kLaunchParamBufferPointer) {
      buffer = extra[1];
    } else if (key == hip::kLaunchParamBufferSize && extra[1] != nullptr) {
      size_bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      const bool is_whole = key == hip::kLaunchParamEnd && buffer != nullptr;
      return is_whole ? ByteView(static_cast<const std::byte*>(buffer), size_bytes) : ByteView();
    }
  }
}

}  // namespace

LaunchCall with_arguments(LaunchCall call, void* const* values, void* const* extra) {
  call.arguments = values;
  if (values == nullptr && extra != nullptr) call.packed = packed_in(extra);
  return call;
}

}  // namespace compass::capture
