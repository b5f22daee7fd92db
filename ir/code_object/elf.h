// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass {

/// A PT_LOAD segment.
struct ElfSegment {
  std::uint64_t address = 0;  ///< relative to the load base
  std::uint64_t memory_bytes = 0;
  ByteView bytes;  ///< at most memory_bytes; the rest is zero
  bool executable = false;
  bool writable = false;
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  std::uint8_t type = 0;  ///< STT_*
};

/// A RELA entry, with its symbol resolved to an address relative to the load base.
struct ElfRelocation {
  std::uint64_t address = 0;
  std::uint32_t type = 0;  ///< R_AMDGPU_*
  std::uint64_t symbol_address = 0;
  std::string_view symbol_name;
  std::int64_t addend = 0;
  bool undefined = false;  ///< it names a symbol that the file does not define
};

/// What a loader needs of an AMDGPU code object. Views into the file's bytes, which must outlive
/// it.
struct Elf {
  std::uint32_t machine_flags = 0;  ///< e_flags: EF_AMDGPU_MACH in the low 8 bits
  std::uint8_t abi_version = 0;     ///< 2, 3, 4: code object version 4, 5, 6
  std::vector<ElfSegment> segments;
  std::vector<ElfSymbol> symbols;  ///< of the dynamic symbol table, those that are defined
  std::vector<ElfRelocation> relocations;
  ByteView metadata;  ///< the MessagePack of the note NT_AMDGPU_METADATA; empty if there is none
};

/// Every offset and size is checked against `bytes`; errors say which field is wrong and where.
Result<Elf> read_elf(ByteView bytes);

/// How many bytes the ELF that starts at `start` occupies, by its headers. Reads only what they
/// announce.
Result<std::uint64_t> elf_size(const std::byte* start);

/// Whether `bytes` start as any ELF does.
bool is_elf(ByteView bytes);

/// The target that e_flags of an HSA code object name, for instance "gfx942:sramecc+:xnack-". Flags
/// that say "any" are left out; a processor not known here is "machine 0x5f".
std::string target_of_machine_flags(std::uint32_t machine_flags);

/// The processor and flags of a target id: "gfx942:xnack-" of "amdgcn-amd-amdhsa--gfx942:xnack-" or
/// of "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-". `target_id` itself where it names no processor.
std::string_view processor_of_target_id(std::string_view target_id);

/// Whether code for the generic target `generic` ("gfx9-4-generic") runs on `processor`.
bool is_generic_of(std::string_view generic, std::string_view processor);

}  // namespace compass
