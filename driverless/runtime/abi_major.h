// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

namespace compass {

/// The major version of HIP's interface that this library offers: 5, 6 or 7. Each of the three
/// libraries is the same code and its own definition of this.
int abi_major();

/// What hipRuntimeGetVersion answers: the last minor version of that major.
int hip_version();

/// HIP's hipMemoryType, whose numbers changed in HIP 6.
enum class MemoryType { kUnregistered, kHost, kDevice, kArray, kUnified, kManaged };

/// The number of a memory type in this library's interface. Absent for unregistered memory before
/// HIP 6, where asking for such a pointer is an error.
std::optional<int> number_of(MemoryType type);

/// The memory type of this number; absent where the interface has none.
std::optional<MemoryType> memory_type_of(int number);

}  // namespace compass
