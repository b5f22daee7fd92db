// SPDX-License-Identifier: MIT
#include "driverless/runtime/copies.h"

#include <optional>
#include <utility>

#include "driverless/runtime/abi_major.h"
#include "driverless/runtime/runtime.h"
#include "driverless/runtime/submit.h"

namespace compass {
namespace {

/// Rows of slices, and the place of a box among them.
struct Slices {
  void* pointer = nullptr;
  std::size_t pitch_bytes = 0;
  std::size_t rows = 0;  ///< of a slice
  hip::Pos position{};   ///< x in bytes
};

/// Where the box starts; absent where there is nothing, or that is no address.
std::optional<Pitched> place_of(const Slices& slices) {
  std::uint64_t slice_bytes = 0;
  std::uint64_t row_offset = 0;
  std::uint64_t offset = 0;
  auto address = reinterpret_cast<std::uint64_t>(slices.pointer);
  if (address == 0 || __builtin_mul_overflow(slices.pitch_bytes, slices.rows, &slice_bytes) ||
      __builtin_mul_overflow(slices.position.z, slice_bytes, &offset) ||
      __builtin_mul_overflow(slices.position.y, slices.pitch_bytes, &row_offset) ||
      __builtin_add_overflow(offset, row_offset, &offset) ||
      __builtin_add_overflow(offset, slices.position.x, &offset) ||
      __builtin_add_overflow(address, offset, &address)) {
    return std::nullopt;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the program's pointer and an offset
  return Pitched{reinterpret_cast<void*>(address), slices.pitch_bytes, slice_bytes};
}

bool fits_pitch(const Slices& slices, std::size_t width_bytes) {
  return width_bytes <= slices.pitch_bytes && slices.position.x <= slices.pitch_bytes - width_bytes;
}

hip::Error make_box_copy(const Slices& to, const Slices& from, const hip::Extent& extent,
                         hip::MemcpyKind kind, CopyOperation& copy) {
  const std::optional<Pitched> target = place_of(to);
  const std::optional<Pitched> source = place_of(from);
  if (!target || !source) return hip::kErrorInvalidValue;
  const bool is_empty = extent.width == 0 || extent.height == 0 || extent.depth == 0;
  if (!is_empty && (!fits_pitch(to, extent.width) || !fits_pitch(from, extent.width))) {
    return hip::kErrorInvalidPitchValue;
  }
  copy = {.to = *target,
          .from = *source,
          .box = {.width_bytes = extent.width, .height = extent.height, .depth = extent.depth},
          .kind = kind};
  return hip::kSuccess;
}

/// A side of a driver's copy, whose pointer depends on what memory it says that it is.
struct Side {
  Slices slices;
  MemoryType type = MemoryType::kUnregistered;  ///< that is: none that can be copied
};

template <class Given>
Side side_of(const Given& given, hip::Pos position, std::size_t rows, std::size_t width_bytes) {
  const MemoryType type = memory_type_of(given.memory_type).value_or(MemoryType::kUnregistered);
  // A pitch that is not given is that of rows side by side.
  const std::size_t pitch_bytes =
      given.pitch_bytes == 0 ? position.x + width_bytes : given.pitch_bytes;
  void* const pointer = type == MemoryType::kHost ? given.host : given.device;
  return Side{{pointer, pitch_bytes, rows, position}, type};
}

hip::MemcpyKind kind_of(MemoryType to, MemoryType from) {
  const bool to_device = to == MemoryType::kDevice;
  const bool from_device = from == MemoryType::kDevice;
  if (to_device && from_device) return hip::kMemcpyDeviceToDevice;
  if (to_device && from == MemoryType::kHost) return hip::kMemcpyHostToDevice;
  if (from_device && to == MemoryType::kHost) return hip::kMemcpyDeviceToHost;
  return hip::kMemcpyDefault;
}

hip::Error make_side_copy(const Side& to, const Side& from, const hip::Extent& extent,
                          CopyOperation& copy) {
  if (to.type == MemoryType::kUnregistered || from.type == MemoryType::kUnregistered) {
    return hip::kErrorInvalidValue;
  }
  if (to.type == MemoryType::kArray || from.type == MemoryType::kArray) {
    return hip::kErrorNotSupported;
  }
  return make_box_copy(to.slices, from.slices, extent, kind_of(to.type, from.type), copy);
}

}  // namespace

CopyOperation linear_copy(void* to, const void* from, std::size_t size_bytes,
                          hip::MemcpyKind kind) {
  return {.to = {.pointer = to},
          .from = {.pointer = const_cast<void*>(from)},
          .box = {.width_bytes = size_bytes},
          .kind = kind == hip::kMemcpyDeviceToDeviceNoCu ? hip::kMemcpyDeviceToDevice : kind};
}

hip::Error make_copy(Rows to, Rows from, std::size_t width_bytes, std::size_t height,
                     hip::MemcpyKind kind, CopyOperation& copy) {
  return make_box_copy({.pointer = to.pointer, .pitch_bytes = to.pitch_bytes},
                       {.pointer = from.pointer, .pitch_bytes = from.pitch_bytes},
                       {width_bytes, height, 1}, kind, copy);
}

hip::Error make_copy(const hip::Memcpy3DParms* parameters, CopyOperation& copy) {
  if (parameters == nullptr) return hip::kErrorInvalidValue;
  if (parameters->to_array != nullptr || parameters->from_array != nullptr) {
    return hip::kErrorNotSupported;
  }
  const auto slices_of = [](const hip::PitchedPtr& given, const hip::Pos& position) {
    return Slices{given.pointer, given.pitch_bytes, given.rows, position};
  };
  return make_box_copy(slices_of(parameters->to, parameters->to_position),
                       slices_of(parameters->from, parameters->from_position), parameters->extent,
                       parameters->kind, copy);
}

hip::Error make_copy(const hip::Memcpy2D* parameters, CopyOperation& copy) {
  if (parameters == nullptr) return hip::kErrorInvalidValue;
  const auto side = [&](const hip::Memcpy2DSide& given) {
    return side_of(given, {given.x_bytes, given.y, 0}, parameters->height, parameters->width_bytes);
  };
  return make_side_copy(side(parameters->to), side(parameters->from),
                        {parameters->width_bytes, parameters->height, 1}, copy);
}

hip::Error make_copy(const hip::DriverMemcpy3D* parameters, CopyOperation& copy) {
  if (parameters == nullptr) return hip::kErrorInvalidValue;
  const auto side = [&](const hip::DriverMemcpy3DSide& given) {
    const std::size_t rows = given.height == 0 ? parameters->height : given.height;
    return side_of(given, {given.x_bytes, given.y, given.z}, rows, parameters->width_bytes);
  };
  return make_side_copy(side(parameters->to), side(parameters->from),
                        {parameters->width_bytes, parameters->height, parameters->depth}, copy);
}

hip::Error copy_on(hip::Stream stream, CopyOperation copy) {
  return with_device([&](Device& device) { return submit_copy(device, stream, std::move(copy)); });
}

hip::Error copy_and_wait(hip::Stream stream, CopyOperation copy) {
  return with_device([&](Device& device) {
    const hip::Error error = device.platform.memory.check(copy);
    return error == hip::kSuccess ? submit_and_wait(device, stream, std::move(copy)) : error;
  });
}

hip::Error fill_on(hip::Stream stream, const FillOperation& fill) {
  return with_device([&](Device& device) {
    const hip::Error error = device.platform.memory.check(fill);
    return error == hip::kSuccess ? submit(device, stream, fill) : error;
  });
}

hip::Error fill_and_wait(hip::Stream stream, const FillOperation& fill) {
  return with_device([&](Device& device) {
    const hip::Error error = device.platform.memory.check(fill);
    return error == hip::kSuccess ? submit_and_wait(device, stream, fill) : error;
  });
}

}  // namespace compass
