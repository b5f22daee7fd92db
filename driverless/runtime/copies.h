// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "driverless/runtime/operation.h"
#include "ir/hip/memory_abi.h"

namespace compass {

// What the calls that copy and fill have in common. Those that give an operation make no more than
// that: whether the memory is there is checked when a stream is given it.

/// A copy of bytes that lie side by side.
CopyOperation linear_copy(void* to, const void* from, std::size_t size_bytes, hip::MemcpyKind kind);

/// A side of a copy of rows.
struct Rows {
  void* pointer = nullptr;
  std::size_t pitch_bytes = 0;
};
/// kErrorInvalidPitchValue where a row is wider than its pitch.
hip::Error make_copy(Rows to, Rows from, std::size_t width_bytes, std::size_t height,
                     hip::MemcpyKind kind, CopyOperation& copy);

// From the structures of HIP's calls. kErrorNotSupported for arrays.
hip::Error make_copy(const hip::Memcpy3DParms* parameters, CopyOperation& copy);
hip::Error make_copy(const hip::Memcpy2D* parameters, CopyOperation& copy);
hip::Error make_copy(const hip::DriverMemcpy3D* parameters, CopyOperation& copy);

/// Gives a stream of the calling thread's device the operation; the second waits for it.
hip::Error copy_on(hip::Stream stream, CopyOperation copy);
hip::Error copy_and_wait(hip::Stream stream, CopyOperation copy);
hip::Error fill_on(hip::Stream stream, const FillOperation& fill);
hip::Error fill_and_wait(hip::Stream stream, const FillOperation& fill);

}  // namespace compass
