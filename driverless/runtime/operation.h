// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "driverless/agent.h"
#include "ir/base/bytes.h"
#include "ir/hip/abi.h"

namespace compass {

/// A box of bytes: `height` rows of `width_bytes` in each of `depth` slices. Linear: one row.
struct Box {
  std::uint64_t width_bytes = 0;
  std::uint64_t height = 1;
  std::uint64_t depth = 1;
};

/// Where a box lies. The pitches are in bytes, from row to row and from slice to slice; of a linear
/// box they do not matter.
struct Pitched {
  void* pointer = nullptr;
  std::uint64_t row_pitch_bytes = 0;
  std::uint64_t slice_pitch_bytes = 0;
};

/// A value that a fill repeats.
struct Pattern {
  std::uint32_t value = 0;
  std::uint32_t size_bytes = 1;  ///< 1, 2 or 4
};

struct KernelOperation {
  std::shared_ptr<const LoadedKernel> kernel;  ///< keeps its code object loaded
  const void* function = nullptr;              ///< as the program names the kernel
  std::array<std::uint32_t, 3> grid_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_workitems{1, 1, 1};
  std::uint32_t dynamic_lds_bytes = 0;
  bool is_cooperative = false;
  Bytes explicit_kernarg;
};

struct CopyOperation {
  Pitched to, from;
  Box box;
  hip::MemcpyKind kind = hip::kMemcpyDefault;
  /// What `from` held at enqueue, where it is pageable and the copy runs later; else null.
  std::shared_ptr<const Bytes> staged;
};

struct FillOperation {
  Pitched to;
  Pattern pattern;
  Box box;  ///< its width is a multiple of the pattern's size
};

/// A function of the program, called on a thread of the runtime's.
struct HostOperation {
  void (*function)(void*) = nullptr;
  void* user_data = nullptr;
};

/// The older form of it: hipStreamAddCallback.
struct CallbackOperation {
  void (*function)(hip::Stream, hip::Error, void*) = nullptr;
  hip::Stream stream = nullptr;
  void* user_data = nullptr;
};

/// The begin of an allocation, in stream order, by a graph's node.
struct AllocateOperation {
  std::function<void()> allocate;
};

/// The end of an allocation, in stream order: hipFreeAsync, or a graph's node.
struct FreeOperation {
  std::function<void()> free;
};

/// hipStreamWriteValue32 and 64.
struct WriteValueOperation {
  void* pointer = nullptr;
  std::uint64_t value = 0;
  std::uint32_t size_bytes = 4;
};

/// hipStreamWaitValue32 and 64: the stream stands until the masked value in memory satisfies it.
struct WaitValueOperation {
  enum class Condition : std::uint8_t { kGreaterOrEqual, kEqual, kAnd, kNor };
  const void* pointer = nullptr;
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  std::uint32_t size_bytes = 4;
  Condition condition = Condition::kEqual;
};

/// Nothing but a place in the order: an event, or a wait for one.
struct MarkOperation {};

/// What a stream or a node of a graph does; its parameters are checked and owned.
using Operation =
    std::variant<KernelOperation, CopyOperation, FillOperation, HostOperation, CallbackOperation,
                 AllocateOperation, FreeOperation, WriteValueOperation, WaitValueOperation, MarkOperation>;

/// Whose doing an operation is, for those who watch: the ordinal of the recorder's entry that asked
/// for it, and, where that launched a graph, of the entry that made the node. 0: nobody recorded
/// it.
struct Tag {
  std::uint64_t entry = 0;
  std::uint64_t node = 0;
};

}  // namespace compass
