// SPDX-License-Identifier: MIT
#include "capture/contents/host_memory.h"
#include "capture/hooks/observe.h"
#include "capture/hooks/stream_capture.h"

/// Memory: allocations, copies and fills. Of those that the runtime refused, copies, fills and
/// frees are recorded too.
///
/// AMD's runtime waits in every copy and fill that is not "Async", device memory or not.
namespace compass::capture {
namespace {

enum class Wait : std::uint8_t { kAsync, kBlocking };

struct CopyCall {
  void* to;
  const void* from;
  std::size_t size_bytes;
  unsigned kind;
  hip::Stream stream;
  Wait wait;
};

/// Whether the bytes at the source are the host's, and few enough to keep. A source that the
/// program itself calls the device's is not read, wherever it is.
bool keeps_content(Recorder& recorder, const CopyCall& call) {
  constexpr std::size_t kLargestKeptBytes = 1 << 20;
  if (call.size_bytes > kLargestKeptBytes) return false;
  if (call.kind == hip::kMemcpyDeviceToHost || call.kind == hip::kMemcpyDeviceToDevice) {
    return false;
  }
  return !recorder.is_device_memory(number_of(call.from));
}

/// Before the runtime is asked: the bytes at the source are those that it is given.
std::uint64_t record_copy(Recorder& recorder, const CopyCall& call) {
  if (call.size_bytes == 0) return 0;
  journal::Copy copy{.destination = number_of(call.to),
                     .source = number_of(call.from),
                     .size_bytes = call.size_bytes,
                     .direction = call.kind,
                     .stream = number_of(call.stream),
                     .blocking = call.wait == Wait::kBlocking,
                     .has_content = keeps_content(recorder, call),
                     .content = {}};
  if (copy.has_content) {
    copy.has_content = read_host_memory(call.from, call.size_bytes, copy.content);
  }
  return recorder.append(std::move(copy), capture_of(call.stream));
}

auto copied(const CopyCall& call) {
  return [call](Recorder& recorder) { return record_copy(recorder, call); };
}

struct FillCall {
  void* to;
  std::uint32_t value;
  std::uint32_t value_bytes;
  std::size_t count;
  hip::Stream stream;
  Wait wait;
};

auto filled(const FillCall& call) {
  return [call](Recorder& recorder) {
    if (call.count == 0) return std::uint64_t{0};
    return recorder.append(journal::Fill{.destination = number_of(call.to),
                                         .value = call.value,
                                         .value_bytes = call.value_bytes,
                                         .size_bytes = call.count * call.value_bytes,
                                         .stream = number_of(call.stream),
                                         .blocking = call.wait == Wait::kBlocking},
                           capture_of(call.stream));
  };
}

auto allocated(journal::MemoryKind kind, void** pointer, std::size_t size_bytes) {
  return [=](Recorder& recorder) {
    if (*pointer == nullptr) return;
    recorder.append(journal::Allocate{kind, number_of(*pointer), size_bytes});
  };
}

template <auto Hook>
int observe_free(void* pointer) {
  const std::uint64_t address = number_of(pointer);
  return observe_around<Hook>(
      [address](Recorder& recorder) { return recorder.end_allocation(address); },
      [address](Recorder& recorder, int result, const Recorder::EndedAllocation& ended) {
        if (result == hip::kSuccess) return;
        if (ended.entry != 0) return recorder.keep_allocation(ended, result);
        recorder.refused_free(address, result);
      },
      pointer);
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Stream;
using compass::journal::MemoryKind;

int hipMalloc(void** pointer, std::size_t size_bytes) {
  return observe<&::hipMalloc>(allocated(MemoryKind::kDevice, pointer, size_bytes), pointer,
                               size_bytes);
}

int hipFree(void* pointer) { return observe_free<&::hipFree>(pointer); }

int hipHostMalloc(void** pointer, std::size_t size_bytes, unsigned flags) {
  return observe<&::hipHostMalloc>(allocated(MemoryKind::kPinnedHost, pointer, size_bytes), pointer,
                                   size_bytes, flags);
}

int hipHostFree(void* pointer) { return observe_free<&::hipHostFree>(pointer); }

int hipMemcpy(void* to, const void* from, std::size_t size_bytes, unsigned kind) {
  return observe_request<&::hipMemcpy>(
      copied({to, from, size_bytes, kind, nullptr, Wait::kBlocking}), to, from, size_bytes, kind);
}

int hipMemcpyAsync(void* to, const void* from, std::size_t size_bytes, unsigned kind,
                   Stream stream) {
  return observe_request<&::hipMemcpyAsync>(
      copied({to, from, size_bytes, kind, stream, Wait::kAsync}), to, from, size_bytes, kind,
      stream);
}

int hipMemcpyWithStream(void* to, const void* from, std::size_t size_bytes, unsigned kind,
                        Stream stream) {
  return observe_request<&::hipMemcpyWithStream>(
      copied({to, from, size_bytes, kind, stream, Wait::kBlocking}), to, from, size_bytes, kind,
      stream);
}

int hipMemcpyHtoD(void* to, const void* from, std::size_t size_bytes) {
  return observe_request<&::hipMemcpyHtoD>(
      copied({to, from, size_bytes, compass::hip::kMemcpyHostToDevice, nullptr, Wait::kBlocking}),
      to, from, size_bytes);
}

int hipMemcpyDtoH(void* to, void* from, std::size_t size_bytes) {
  return observe_request<&::hipMemcpyDtoH>(
      copied({to, from, size_bytes, compass::hip::kMemcpyDeviceToHost, nullptr, Wait::kBlocking}),
      to, from, size_bytes);
}

int hipMemcpyDtoD(void* to, void* from, std::size_t size_bytes) {
  return observe_request<&::hipMemcpyDtoD>(
      copied({to, from, size_bytes, compass::hip::kMemcpyDeviceToDevice, nullptr, Wait::kBlocking}),
      to, from, size_bytes);
}

int hipMemcpyHtoDAsync(void* to, const void* from, std::size_t size_bytes, Stream stream) {
  return observe_request<&::hipMemcpyHtoDAsync>(
      copied({to, from, size_bytes, compass::hip::kMemcpyHostToDevice, stream, Wait::kAsync}), to,
      from, size_bytes, stream);
}

int hipMemcpyDtoHAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return observe_request<&::hipMemcpyDtoHAsync>(
      copied({to, from, size_bytes, compass::hip::kMemcpyDeviceToHost, stream, Wait::kAsync}), to,
      from, size_bytes, stream);
}

int hipMemcpyDtoDAsync(void* to, void* from, std::size_t size_bytes, Stream stream) {
  return observe_request<&::hipMemcpyDtoDAsync>(
      copied({to, from, size_bytes, compass::hip::kMemcpyDeviceToDevice, stream, Wait::kAsync}), to,
      from, size_bytes, stream);
}

int hipMemset(void* to, int value, std::size_t size_bytes) {
  return observe_request<&::hipMemset>(
      filled({to, static_cast<std::uint8_t>(value), 1, size_bytes, nullptr, Wait::kBlocking}), to,
      value, size_bytes);
}

int hipMemsetAsync(void* to, int value, std::size_t size_bytes, Stream stream) {
  return observe_request<&::hipMemsetAsync>(
      filled({to, static_cast<std::uint8_t>(value), 1, size_bytes, stream, Wait::kAsync}), to,
      value, size_bytes, stream);
}

int hipMemsetD8(void* to, unsigned char value, std::size_t count) {
  return observe_request<&::hipMemsetD8>(filled({to, value, 1, count, nullptr, Wait::kBlocking}),
                                         to, value, count);
}

int hipMemsetD16(void* to, unsigned short value, std::size_t count) {
  return observe_request<&::hipMemsetD16>(filled({to, value, 2, count, nullptr, Wait::kBlocking}),
                                          to, value, count);
}

int hipMemsetD32(void* to, int value, std::size_t count) {
  return observe_request<&::hipMemsetD32>(
      filled({to, static_cast<std::uint32_t>(value), 4, count, nullptr, Wait::kBlocking}), to,
      value, count);
}

int hipMemsetD8Async(void* to, unsigned char value, std::size_t count, Stream stream) {
  return observe_request<&::hipMemsetD8Async>(filled({to, value, 1, count, stream, Wait::kAsync}),
                                              to, value, count, stream);
}

int hipMemsetD16Async(void* to, unsigned short value, std::size_t count, Stream stream) {
  return observe_request<&::hipMemsetD16Async>(filled({to, value, 2, count, stream, Wait::kAsync}),
                                               to, value, count, stream);
}

int hipMemsetD32Async(void* to, int value, std::size_t count, Stream stream) {
  return observe_request<&::hipMemsetD32Async>(
      filled({to, static_cast<std::uint32_t>(value), 4, count, stream, Wait::kAsync}), to, value,
      count, stream);
}
