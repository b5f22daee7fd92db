// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/code_object/elf.h"
#include "ir/device_address.h"

namespace compass {

/// Applies one relocation to `image`, whose first byte is the ELF's address `lowest` and will be
/// loaded at `base`. Relocations are those of LLVM's "User Guide for AMDGPU Backend", section
/// "Relocation Records"; others are errors that name them.
Result<void> relocate(const ElfRelocation& relocation, std::uint64_t lowest, DeviceAddress base,
                      std::span<std::byte> image);

}  // namespace compass
