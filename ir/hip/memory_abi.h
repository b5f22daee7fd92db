// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/hip/abi.h"

/// The structures and constants of HIP's memory calls. Layouts and values are the interface's.
namespace compass::hip {

using MemPool = struct MemPoolObject*;  ///< hipMemPool_t

inline constexpr unsigned kMemAttachGlobal = 0x1;
inline constexpr unsigned kMemAttachHost = 0x2;
inline constexpr unsigned kMemAttachSingle = 0x4;

inline constexpr int kCpuDeviceId = -1;
inline constexpr int kInvalidDeviceId = -2;

enum MemLocationType : int {
  kMemLocationTypeInvalid = 0,
  kMemLocationTypeDevice = 1,
  kMemLocationTypeHost = 2,
  kMemLocationTypeHostNuma = 3,
  kMemLocationTypeHostNumaCurrent = 4,
};

struct MemLocation {
  MemLocationType type;
  int id;  ///< a device's ordinal
};

enum MemAccessFlags : int {
  kMemAccessNone = 0,
  kMemAccessRead = 1,
  kMemAccessReadWrite = 3,
};

struct MemAccessDesc {
  MemLocation location;
  MemAccessFlags flags;
};

inline constexpr int kMemAllocationTypePinned = 1;
inline constexpr int kMemHandleTypeNone = 0;

struct MemPoolProps {
  int allocation_type;  ///< kMemAllocationTypePinned
  int handle_types;
  MemLocation location;
  void* win32_security_attributes;
  std::size_t max_size;  ///< 0: no limit of its own
  unsigned char reserved[56];
};
static_assert(sizeof(MemPoolProps) == 88);

enum MemPoolAttribute : int {
  kMemPoolReuseFollowEventDependencies = 1,
  kMemPoolReuseAllowOpportunistic = 2,
  kMemPoolReuseAllowInternalDependencies = 3,
  kMemPoolReleaseThreshold = 4,
  kMemPoolReservedCurrent = 5,
  kMemPoolReservedHigh = 6,
  kMemPoolUsedCurrent = 7,
  kMemPoolUsedHigh = 8,
};

/// hipPointerAttribute_t.
struct PointerAttributes {
  int memory_type;  ///< a number of hipMemoryType, which HIP's versions do not agree on
  int device_ordinal;
  void* device_pointer;
  void* host_pointer;
  int is_managed;
  unsigned flags;
};
static_assert(sizeof(PointerAttributes) == 32);

/// hipPointer_attribute.
enum PointerAttribute : int {
  kPointerContext = 1,
  kPointerMemoryType = 2,
  kPointerDevicePointer = 3,
  kPointerHostPointer = 4,
  kPointerP2pTokens = 5,
  kPointerSyncMemops = 6,
  kPointerBufferId = 7,
  kPointerIsManaged = 8,
  kPointerDeviceOrdinal = 9,
  kPointerIsIpcCapable = 10,
  kPointerRangeStart = 11,
  kPointerRangeSize = 12,
  kPointerMapped = 13,
  kPointerAllowedHandleTypes = 14,
  kPointerIsRdmaCapable = 15,
  kPointerAccessFlags = 16,
  kPointerMemPool = 17,
};

/// hipMemoryAdvise.
enum MemoryAdvise : int {
  kAdviseSetReadMostly = 1,
  kAdviseUnsetReadMostly = 2,
  kAdviseSetPreferredLocation = 3,
  kAdviseUnsetPreferredLocation = 4,
  kAdviseSetAccessedBy = 5,
  kAdviseUnsetAccessedBy = 6,
  kAdviseSetCoarseGrain = 100,
  kAdviseUnsetCoarseGrain = 101,
};

/// hipMemRangeAttribute.
enum MemRangeAttribute : int {
  kRangeReadMostly = 1,
  kRangePreferredLocation = 2,
  kRangeAccessedBy = 3,
  kRangeLastPrefetchLocation = 4,
  kRangeCoherencyMode = 100,
};

using MemHandle = struct MemHandleObject*;  ///< hipMemGenericAllocationHandle_t

/// hipMemAllocationProp.
struct MemAllocationProp {
  int type;  ///< kMemAllocationTypePinned
  int requested_handle_type;
  MemLocation location;
  void* win32_handle_data;
  unsigned char compression_type;
  unsigned char rdma_capable;
  unsigned short usage;
};
static_assert(sizeof(MemAllocationProp) == 32);

struct MemPoolPtrExportData {
  unsigned char reserved[64];
};

/// hipPitchedPtr. The sizes are in bytes for memory that is no array.
struct PitchedPtr {
  void* pointer;
  std::size_t pitch_bytes;
  std::size_t row_bytes;
  std::size_t rows;
};

struct Extent {
  std::size_t width, height, depth;
};

struct Pos {
  std::size_t x, y, z;
};

using Array = struct ArrayObject*;  ///< hipArray_t

/// hipMemcpy3DParms. Each end is an array or a pointer; without arrays, all is in bytes.
struct Memcpy3DParms {
  Array from_array;
  Pos from_position;
  PitchedPtr from;
  Array to_array;
  Pos to_position;
  PitchedPtr to;
  Extent extent;
  MemcpyKind kind;
};
static_assert(sizeof(Memcpy3DParms) == 160);

/// hipMemcpy3DPeerParms.
struct Memcpy3DPeerParms {
  Array from_array;
  Pos from_position;
  PitchedPtr from;
  int from_device;
  Array to_array;
  Pos to_position;
  PitchedPtr to;
  int to_device;
  Extent extent;
};
static_assert(sizeof(Memcpy3DPeerParms) == 168);

/// A side of hip_Memcpy2D.
struct Memcpy2DSide {
  std::size_t x_bytes, y;
  int memory_type;  ///< a number of hipMemoryType, which HIP's versions do not agree on
  void* host;
  void* device;
  Array array;
  std::size_t pitch_bytes;
};

/// hip_Memcpy2D.
struct Memcpy2D {
  Memcpy2DSide from, to;
  std::size_t width_bytes, height;
};
static_assert(sizeof(Memcpy2D) == 128);

/// A side of HIP_MEMCPY3D.
struct DriverMemcpy3DSide {
  std::size_t x_bytes, y, z;
  std::size_t level;
  int memory_type;
  void* host;
  void* device;
  Array array;
  std::size_t pitch_bytes, height;
};

/// HIP_MEMCPY3D, of the driver's calls.
struct DriverMemcpy3D {
  DriverMemcpy3DSide from, to;
  std::size_t width_bytes, height, depth;
};
static_assert(sizeof(DriverMemcpy3D) == 184);

}  // namespace compass::hip
