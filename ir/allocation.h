// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/device_address.h"
#include "ir/ids.h"

namespace compass {

enum class AllocationKind : std::uint8_t {
  kDevice,
  kPinnedHost,  ///< also the host's own pages that were registered
  kManaged,     ///< the host's and the device's
  kGlobal,      ///< a variable of a loaded code object
};

std::string_view name_of(AllocationKind kind);

/// Whether copies call memory of this kind the device's. The host writes the other kinds unseen.
inline bool is_device_memory(AllocationKind kind) {
  return kind == AllocationKind::kDevice || kind == AllocationKind::kGlobal;
}

/// What annotations say of a buffer. Empty where nothing was said.
struct BufferInfo {
  std::string name;
  std::string role;
  std::string dtype;
  std::vector<std::int64_t> shape;    ///< elements, outermost first
  std::vector<std::int64_t> strides;  ///< elements; empty: dense, row-major
};

/// Memory from one allocate to its free. The same address again later is another Allocation.
///
/// With a parent it is a block: a part of the parent's bytes that the program hands out itself, and
/// says so. No runtime knows of it. Blocks of one parent do not overlap while they are live.
struct Allocation {
  AllocationId id;
  DeviceAddress address;  ///< as recorded; never part of the normal form
  std::uint64_t size_bytes = 0;
  AllocationKind kind = AllocationKind::kDevice;
  std::uint32_t generation = 1;  ///< how often memory at this address had been allocated by then,
                                 ///< of a block how often a block
  BufferInfo info;
  CodeObjectId code_object;  ///< of kGlobal
  std::string symbol;        ///< of kGlobal: its name in the code object
  AllocationId parent;       ///< 0: the runtime made it
};

/// A place inside an allocation, or nowhere: then `allocation` is 0 and `offset_bytes` holds the
/// address as it was passed (0 for null), because nothing known was there.
struct MemoryRef {
  AllocationId allocation;
  std::uint64_t offset_bytes = 0;
  bool is_null() const { return !allocation && offset_bytes == 0; }
  friend bool operator==(const MemoryRef&, const MemoryRef&) = default;
};

}  // namespace compass
