// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"
#include "driverless/runtime/error_state.h"

namespace compass::hip {
namespace {

using Give = Error (*)(Stream stream, const FillOperation& fill);

Pattern pattern8(int value) { return {static_cast<std::uint8_t>(value), 1}; }
Pattern pattern16(unsigned short value) { return {value, 2}; }
Pattern pattern32(unsigned value) { return {value, 4}; }

/// Gives a fill of `extent`, whose width is in elements of the pattern. A row is no wider than the
/// pitch where there is one.
Error give(Give to_stream, Stream stream, const PitchedPtr& to, Pattern pattern, Extent extent) {
  FillOperation fill{.to = {.pointer = to.pointer, .row_pitch_bytes = to.pitch_bytes},
                     .pattern = pattern,
                     .box = {.height = extent.height, .depth = extent.depth}};
  if (__builtin_mul_overflow(extent.width, pattern.size_bytes, &fill.box.width_bytes) ||
      __builtin_mul_overflow(to.pitch_bytes, to.rows, &fill.to.slice_pitch_bytes)) {
    return note_error(kErrorInvalidValue);
  }
  if (to.pitch_bytes != 0 && fill.box.width_bytes > to.pitch_bytes) {
    return note_error(kErrorInvalidValue);
  }
  return to_stream(stream, fill);
}

Error give_linear(Give to_stream, Stream stream, void* to, Pattern pattern, std::size_t count) {
  return give(to_stream, stream, {.pointer = to}, pattern, {count, 1, 1});
}

Error give_rows(Give to_stream, Stream stream, void* to, std::size_t pitch_bytes, Pattern pattern,
                std::size_t width, std::size_t height) {
  if (pitch_bytes == 0 && width != 0 && height != 0) return note_error(kErrorInvalidValue);
  return give(to_stream, stream, {.pointer = to, .pitch_bytes = pitch_bytes, .rows = height},
              pattern, {width, height, 1});
}

}  // namespace

Error hipMemset(void* to, int value, std::size_t size_bytes) {
  return give_linear(fill_and_wait, nullptr, to, pattern8(value), size_bytes);
}
Error hipMemsetAsync(void* to, int value, std::size_t size_bytes, Stream stream) {
  return give_linear(fill_on, stream, to, pattern8(value), size_bytes);
}
Error hipMemset_spt(void* to, int value, std::size_t size_bytes) {
  return give_linear(fill_and_wait, per_thread_stream(), to, pattern8(value), size_bytes);
}

Error hipMemsetD8(void* to, unsigned char value, std::size_t count) {
  return give_linear(fill_and_wait, nullptr, to, pattern8(value), count);
}
Error hipMemsetD8Async(void* to, unsigned char value, std::size_t count, Stream stream) {
  return give_linear(fill_on, stream, to, pattern8(value), count);
}
Error hipMemsetD16(void* to, unsigned short value, std::size_t count) {
  return give_linear(fill_and_wait, nullptr, to, pattern16(value), count);
}
Error hipMemsetD16Async(void* to, unsigned short value, std::size_t count, Stream stream) {
  return give_linear(fill_on, stream, to, pattern16(value), count);
}
Error hipMemsetD32(void* to, int value, std::size_t count) {
  return give_linear(fill_and_wait, nullptr, to, pattern32(static_cast<unsigned>(value)), count);
}
Error hipMemsetD32Async(void* to, int value, std::size_t count, Stream stream) {
  return give_linear(fill_on, stream, to, pattern32(static_cast<unsigned>(value)), count);
}

Error hipMemset2D(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                  std::size_t height) {
  return give_rows(fill_and_wait, nullptr, to, pitch_bytes, pattern8(value), width, height);
}
Error hipMemset2DAsync(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                       std::size_t height, Stream stream) {
  return give_rows(fill_on, stream, to, pitch_bytes, pattern8(value), width, height);
}
Error hipMemset2D_spt(void* to, std::size_t pitch_bytes, int value, std::size_t width,
                      std::size_t height) {
  return give_rows(fill_and_wait, per_thread_stream(), to, pitch_bytes, pattern8(value), width,
                   height);
}

Error hipMemsetD2D8(void* to, std::size_t pitch_bytes, unsigned char value, std::size_t width,
                    std::size_t height) {
  return give_rows(fill_and_wait, nullptr, to, pitch_bytes, pattern8(value), width, height);
}
Error hipMemsetD2D8Async(void* to, std::size_t pitch_bytes, unsigned char value, std::size_t width,
                         std::size_t height, Stream stream) {
  return give_rows(fill_on, stream, to, pitch_bytes, pattern8(value), width, height);
}
Error hipMemsetD2D16(void* to, std::size_t pitch_bytes, unsigned short value, std::size_t width,
                     std::size_t height) {
  return give_rows(fill_and_wait, nullptr, to, pitch_bytes, pattern16(value), width, height);
}
Error hipMemsetD2D16Async(void* to, std::size_t pitch_bytes, unsigned short value,
                          std::size_t width, std::size_t height, Stream stream) {
  return give_rows(fill_on, stream, to, pitch_bytes, pattern16(value), width, height);
}
Error hipMemsetD2D32(void* to, std::size_t pitch_bytes, unsigned value, std::size_t width,
                     std::size_t height) {
  return give_rows(fill_and_wait, nullptr, to, pitch_bytes, pattern32(value), width, height);
}
Error hipMemsetD2D32Async(void* to, std::size_t pitch_bytes, unsigned value, std::size_t width,
                          std::size_t height, Stream stream) {
  return give_rows(fill_on, stream, to, pitch_bytes, pattern32(value), width, height);
}

Error hipMemset3D(PitchedPtr to, int value, Extent extent) {
  return give(fill_and_wait, nullptr, to, pattern8(value), extent);
}
Error hipMemset3DAsync(PitchedPtr to, int value, Extent extent, Stream stream) {
  return give(fill_on, stream, to, pattern8(value), extent);
}
Error hipMemset3D_spt(PitchedPtr to, int value, Extent extent) {
  return give(fill_and_wait, per_thread_stream(), to, pattern8(value), extent);
}

}  // namespace compass::hip
