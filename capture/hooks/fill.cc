// SPDX-License-Identifier: MIT
#include "capture/hooks/copying.h"

/// Fills of bytes that lie side by side, or in rows.
namespace compass::capture {
namespace {

/// What a fill repeats.
struct Value {
  std::uint64_t value = 0;
  std::uint32_t size_bytes = 1;
};
Value value8(int value) { return {static_cast<std::uint8_t>(value), 1}; }
Value value16(unsigned short value) { return {value, 2}; }
Value value32(unsigned value) { return {value, 4}; }

FillCall linear(void* to, Value value, std::size_t count, hip::Stream stream, HostWait wait) {
  return {to, value.value, value.size_bytes, count, stream, wait};
}

/// `extent`: its width in values.
FillCall boxed(const hip::PitchedPtr& to, Value value, const hip::Extent& extent,
               hip::Stream stream, HostWait wait) {
  FillCall call =
      linear(to.pointer, value, extent.width * extent.height * extent.depth, stream, wait);
  call.counts = {extent.height, extent.depth};
  call.pitches = {to.pitch_bytes, to.pitch_bytes * to.rows};
  return call;
}

FillCall rows(void* to, std::size_t pitch_bytes, Value value, std::size_t width, std::size_t height,
              hip::Stream stream, HostWait wait) {
  return boxed({to, pitch_bytes, width, height}, value, {width, height, 1}, stream, wait);
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::HostWait;
using compass::hip::Extent;
using compass::hip::per_thread;
using compass::hip::per_thread_stream;
using compass::hip::PitchedPtr;
using compass::hip::Stream;

int hipMemset(void* to, int value, std::size_t size_bytes) {
  return observe_fill<&::hipMemset>(
      linear(to, value8(value), size_bytes, nullptr, HostWait::kBlocking), to, value, size_bytes);
}

int hipMemset_spt(void* to, int value, std::size_t size_bytes) {
  return observe_fill<&::hipMemset_spt>(
      linear(to, value8(value), size_bytes, per_thread_stream(), HostWait::kBlocking), to, value,
      size_bytes);
}

int hipMemsetAsync(void* to, int value, std::size_t size_bytes, Stream stream) {
  return observe_fill<&::hipMemsetAsync>(
      linear(to, value8(value), size_bytes, stream, HostWait::kAsync), to, value, size_bytes,
      stream);
}

int hipMemsetAsync_spt(void* to, int value, std::size_t size_bytes, Stream stream) {
  return observe_fill<&::hipMemsetAsync_spt>(
      linear(to, value8(value), size_bytes, per_thread(stream), HostWait::kAsync), to, value,
      size_bytes, stream);
}

int hipMemsetD8(void* to, unsigned char value, std::size_t count) {
  return observe_fill<&::hipMemsetD8>(
      linear(to, value8(value), count, nullptr, HostWait::kBlocking), to, value, count);
}

int hipMemsetD16(void* to, unsigned short value, std::size_t count) {
  return observe_fill<&::hipMemsetD16>(
      linear(to, value16(value), count, nullptr, HostWait::kBlocking), to, value, count);
}

int hipMemsetD32(void* to, int value, std::size_t count) {
  return observe_fill<&::hipMemsetD32>(
      linear(to, value32(static_cast<unsigned>(value)), count, nullptr, HostWait::kBlocking), to,
      value, count);
}

int hipMemsetD8Async(void* to, unsigned char value, std::size_t count, Stream stream) {
  return observe_fill<&::hipMemsetD8Async>(
      linear(to, value8(value), count, stream, HostWait::kAsync), to, value, count, stream);
}

int hipMemsetD16Async(void* to, unsigned short value, std::size_t count, Stream stream) {
  return observe_fill<&::hipMemsetD16Async>(
      linear(to, value16(value), count, stream, HostWait::kAsync), to, value, count, stream);
}

int hipMemsetD32Async(void* to, int value, std::size_t count, Stream stream) {
  return observe_fill<&::hipMemsetD32Async>(
      linear(to, value32(static_cast<unsigned>(value)), count, stream, HostWait::kAsync), to, value,
      count, stream);
}

int hipMemset2D(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                std::size_t height) {
  return observe_fill<&::hipMemset2D>(
      rows(to, pitch_bytes, value8(value), width, height, nullptr, HostWait::kBlocking), to,
      pitch_bytes, value, width, height);
}

int hipMemset2D_spt(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                    std::size_t height) {
  return observe_fill<&::hipMemset2D_spt>(
      rows(to, pitch_bytes, value8(value), width, height, per_thread_stream(), HostWait::kBlocking),
      to, pitch_bytes, value, width, height);
}

int hipMemset2DAsync(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                     std::size_t height, Stream stream) {
  return observe_fill<&::hipMemset2DAsync>(
      rows(to, pitch_bytes, value8(value), width, height, stream, HostWait::kAsync), to,
      pitch_bytes, value, width, height, stream);
}

int hipMemset2DAsync_spt(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                         std::size_t height, Stream stream) {
  return observe_fill<&::hipMemset2DAsync_spt>(
      rows(to, pitch_bytes, value8(value), width, height, per_thread(stream), HostWait::kAsync), to,
      pitch_bytes, value, width, height, stream);
}

int hipMemsetD2D8(void* to, std::size_t pitch_bytes, unsigned char value, std::size_t width,
                  std::size_t height) {
  return observe_fill<&::hipMemsetD2D8>(
      rows(to, pitch_bytes, value8(value), width, height, nullptr, HostWait::kBlocking), to,
      pitch_bytes, value, width, height);
}

int hipMemsetD2D8Async(void* to, std::size_t pitch_bytes, unsigned char value, std::size_t width,
                       std::size_t height, Stream stream) {
  return observe_fill<&::hipMemsetD2D8Async>(
      rows(to, pitch_bytes, value8(value), width, height, stream, HostWait::kAsync), to,
      pitch_bytes, value, width, height, stream);
}

int hipMemsetD2D16(void* to, std::size_t pitch_bytes, unsigned short value, std::size_t width,
                   std::size_t height) {
  return observe_fill<&::hipMemsetD2D16>(
      rows(to, pitch_bytes, value16(value), width, height, nullptr, HostWait::kBlocking), to,
      pitch_bytes, value, width, height);
}

int hipMemsetD2D16Async(void* to, std::size_t pitch_bytes, unsigned short value, std::size_t width,
                        std::size_t height, Stream stream) {
  return observe_fill<&::hipMemsetD2D16Async>(
      rows(to, pitch_bytes, value16(value), width, height, stream, HostWait::kAsync), to,
      pitch_bytes, value, width, height, stream);
}

int hipMemsetD2D32(void* to, std::size_t pitch_bytes, unsigned value, std::size_t width,
                   std::size_t height) {
  return observe_fill<&::hipMemsetD2D32>(
      rows(to, pitch_bytes, value32(value), width, height, nullptr, HostWait::kBlocking), to,
      pitch_bytes, value, width, height);
}

int hipMemsetD2D32Async(void* to, std::size_t pitch_bytes, unsigned value, std::size_t width,
                        std::size_t height, Stream stream) {
  return observe_fill<&::hipMemsetD2D32Async>(
      rows(to, pitch_bytes, value32(value), width, height, stream, HostWait::kAsync), to,
      pitch_bytes, value, width, height, stream);
}

int hipMemset3D(PitchedPtr to, int value, Extent extent) {
  return observe_fill<&::hipMemset3D>(
      boxed(to, value8(value), extent, nullptr, HostWait::kBlocking), to, value, extent);
}

int hipMemset3D_spt(PitchedPtr to, int value, Extent extent) {
  return observe_fill<&::hipMemset3D_spt>(
      boxed(to, value8(value), extent, per_thread_stream(), HostWait::kBlocking), to, value,
      extent);
}

int hipMemset3DAsync(PitchedPtr to, int value, Extent extent, Stream stream) {
  return observe_fill<&::hipMemset3DAsync>(
      boxed(to, value8(value), extent, stream, HostWait::kAsync), to, value, extent, stream);
}

int hipMemset3DAsync_spt(PitchedPtr to, int value, Extent extent, Stream stream) {
  return observe_fill<&::hipMemset3DAsync_spt>(
      boxed(to, value8(value), extent, per_thread(stream), HostWait::kAsync), to, value, extent,
      stream);
}
