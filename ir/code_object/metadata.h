// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ir/base/result.h"
#include "ir/kernel.h"

namespace compass {

struct CodeObjectMetadata {
  std::string target;           ///< of "amdhsa.target", for instance "gfx950"; empty if not given
  std::vector<Kernel> kernels;  ///< in the metadata's order; ids are not set
};

/// The kernels of an AMDGPU code object, from its metadata note. Takes any bytes.
Result<CodeObjectMetadata> read_metadata(ByteView elf);

}  // namespace compass
