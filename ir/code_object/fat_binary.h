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
/// `bytes`; those of a compressed bundle ("CCOB") view `decompressed`, which is left alone for
/// others.
Result<std::vector<FatBinaryEntry>> read_fat_binary(ByteView bytes, Bytes& decompressed);

/// How many bytes a fat binary that starts at `start` occupies: HIP registers a bare pointer. Reads
/// only what the headers announce. An error where the magic is none that HIP knows.
Result<std::uint64_t> fat_binary_size(const std::byte* start);

/// The entry for `architecture` (as gcnArchName: "gfx950:sramecc+:xnack-"): same processor or,
/// where there is none, a generic target that covers it, and no feature flag that contradicts; of
/// several the one with the most flags. The error names the targets that are there.
Result<FatBinaryEntry> select_entry(const std::vector<FatBinaryEntry>& entries,
                                    std::string_view architecture);

}  // namespace compass
