// SPDX-License-Identifier: MIT
#include "capture/hooks/observe.h"

/// Functions of the program that streams call.
namespace compass::capture {
namespace {

auto calls(hip::Stream stream) {
  return [stream](Recorder& recorder) {
    return recorder.append(journal::HostFunction{number_of(stream)});
  };
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::HostFunction;
using compass::hip::Stream;
using compass::hip::StreamCallback;

int hipLaunchHostFunc(Stream stream, HostFunction function, void* user_data) {
  return observe_request<&::hipLaunchHostFunc>(calls(stream), stream, function, user_data);
}

int hipStreamAddCallback(Stream stream, StreamCallback callback, void* user_data, unsigned flags) {
  return observe_request<&::hipStreamAddCallback>(calls(stream), stream, callback, user_data,
                                                  flags);
}

int hipLaunchHostFunc_spt(Stream stream, HostFunction function, void* user_data) {
  return observe_request<&::hipLaunchHostFunc_spt>(calls(compass::hip::per_thread(stream)), stream,
                                                   function, user_data);
}

int hipStreamAddCallback_spt(Stream stream, StreamCallback callback, void* user_data,
                             unsigned flags) {
  return observe_request<&::hipStreamAddCallback_spt>(calls(compass::hip::per_thread(stream)),
                                                      stream, callback, user_data, flags);
}
