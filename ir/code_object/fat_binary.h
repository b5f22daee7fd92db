// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass {

/// One code object of a fat binary: a view into it.
struct FatBinaryEntry {
  std::string target;  ///< "gfx950", "gfx942:xnack-"; empty for the host's entry
  ByteView elf;
};

/// The entries of a `__CLANG_OFFLOAD_BUNDLE__`, or the one entry of a bare AMDGPU ELF. Views into
/// `bytes`. Compressed bundles are kUnsupported here.
Result<std::vector<FatBinaryEntry>> read_fat_binary(ByteView bytes);

/// How many bytes a fat binary that starts at `start` occupies: HIP registers a bare pointer. Reads
/// only what the headers announce. Errors where the magic is none that HIP knows, and for
/// compressed bundles of version 1, which do not say.
Result<std::uint64_t> fat_binary_size(const std::byte* start);

/// The entry for `architecture` (as gcnArchName: "gfx950:sramecc+:xnack-"): same processor, and no
/// feature flag that contradicts; of several the one with the most flags. The error names the
/// targets that are there.
Result<FatBinaryEntry> select_entry(const std::vector<FatBinaryEntry>& entries,
                                    std::string_view architecture);

}  // namespace compass
