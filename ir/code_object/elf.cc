// SPDX-License-Identifier: MIT
#include "ir/code_object/elf.h"

#include <elf.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

namespace compass {
namespace {

constexpr std::uint16_t kMachineAmdgpu = 224;
constexpr std::uint8_t kOsAbiAmdgpuHsa = 64;
constexpr std::uint32_t kNoteAmdgpuMetadata = 32;
// Real files stay far below these; they keep the work linear in the file's size.
constexpr std::uint16_t kMostProgramHeaders = 64;
constexpr std::size_t kMostNameBytes = 1 << 16;

Error corrupt(std::string message) { return {ErrorCode::kCorrupt, std::move(message)}; }

/// `count` structures of type T that start at `offset`.
template <class T>
Result<std::vector<T>> read_table(ByteView file, std::string_view what, std::uint64_t offset,
                                  std::uint64_t count) {
  const std::uint64_t room = offset <= file.size() ? (file.size() - offset) / sizeof(T) : 0;
  if (count > room) {
    return corrupt(concat("ELF ", what, ": ", count, " entries at offset ", offset,
                          " do not fit a file of ", file.size(), " bytes"));
  }
  std::vector<T> table(count);
  for (std::uint64_t i = 0; i < count; ++i) table[i] = load<T>(file, offset + i * sizeof(T));
  return table;
}

Result<ByteView> read_range(ByteView file, std::string_view what, std::uint64_t offset,
                            std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) {
    return corrupt(concat("ELF ", what, ": ", size, " bytes at offset ", offset,
                          " do not fit a file of ", file.size(), " bytes"));
  }
  return file.subspan(offset, size);
}

Result<Elf64_Ehdr> read_header(ByteView file) {
  if (!is_elf(file)) return corrupt("not an ELF: the magic is missing");
  if (file.size() < sizeof(Elf64_Ehdr)) {
    return corrupt(concat("ELF header: the file has ", file.size(), " bytes, the header needs ",
                          sizeof(Elf64_Ehdr)));
  }
  const auto header = load<Elf64_Ehdr>(file);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return corrupt("ELF header: not 64-bit little-endian");
  }
  if (header.e_machine != kMachineAmdgpu) {
    return Error{ErrorCode::kUnsupported,
                 concat("ELF header: e_machine is ", header.e_machine, ", AMDGPU is 224")};
  }
  if (header.e_ident[EI_OSABI] != kOsAbiAmdgpuHsa || header.e_type != ET_DYN) {
    return Error{ErrorCode::kUnsupported,
                 concat("ELF header: not a linked HSA code object (OS ABI ",
                        header.e_ident[EI_OSABI], ", type ", header.e_type, ")")};
  }
  if (header.e_phentsize != sizeof(Elf64_Phdr) ||
      (header.e_shnum != 0 && header.e_shentsize != sizeof(Elf64_Shdr))) {
    return corrupt(concat("ELF header: e_phentsize is ", header.e_phentsize, ", e_shentsize ",
                          header.e_shentsize, "; expected 56 and 64"));
  }
  if (header.e_phnum > kMostProgramHeaders) {
    return corrupt(concat("ELF header: e_phnum is ", header.e_phnum, ", at most ",
                          kMostProgramHeaders, " are read"));
  }
  return header;
}

Result<ElfSegment> read_segment(ByteView file, const Elf64_Phdr& header) {
  ASSIGN_OR_RETURN(ByteView bytes,
                   read_range(file, "PT_LOAD segment", header.p_offset, header.p_filesz));
  if (header.p_filesz > header.p_memsz) {
    return corrupt(concat("ELF PT_LOAD segment: p_filesz ", header.p_filesz,
                          " is larger than p_memsz ", header.p_memsz));
  }
  if (header.p_memsz > ~std::uint64_t{0} - header.p_vaddr) {
    return corrupt(concat("ELF PT_LOAD segment: address ", hex(header.p_vaddr), " + ",
                          header.p_memsz, " bytes wraps"));
  }
  return ElfSegment{.address = header.p_vaddr,
                    .memory_bytes = header.p_memsz,
                    .bytes = bytes,
                    .executable = (header.p_flags & PF_X) != 0,
                    .writable = (header.p_flags & PF_W) != 0};
}

std::uint64_t align4(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

/// The description of the metadata note in a note segment; absent if there is none.
Result<std::optional<ByteView>> find_metadata(ByteView notes) {
  ByteReader reader(notes);
  while (reader.remaining() >= sizeof(Elf64_Nhdr)) {
    const auto note = reader.read<Elf64_Nhdr>();
    const ByteView name = reader.take(align4(note.n_namesz));
    const std::uint64_t at = reader.offset();
    const ByteView description = reader.take(note.n_descsz);
    if (!reader.ok()) {
      return corrupt(concat("ELF note: ", note.n_namesz, " + ", note.n_descsz,
                            " bytes do not fit a segment of ", notes.size(), " bytes at ", at));
    }
    const std::string_view owner = as_text(slice(name, 0, note.n_namesz));
    if (note.n_type == kNoteAmdgpuMetadata && owner == std::string_view("AMDGPU\0", 7)) {
      return std::optional<ByteView>(description);
    }
    // The last description need not be padded.
    reader.take(std::min(align4(note.n_descsz) - note.n_descsz, reader.remaining()));
  }
  return std::optional<ByteView>();
}

Result<void> read_program_headers(ByteView file, const Elf64_Ehdr& header, Elf& elf) {
  ASSIGN_OR_RETURN(
      const std::vector<Elf64_Phdr> table,
      read_table<Elf64_Phdr>(file, "program header table", header.e_phoff, header.e_phnum));
  for (const Elf64_Phdr& entry : table) {
    if (entry.p_type == PT_LOAD) {
      ASSIGN_OR_RETURN(ElfSegment segment, read_segment(file, entry));
      elf.segments.push_back(segment);
    } else if (entry.p_type == PT_NOTE && elf.metadata.empty()) {
      ASSIGN_OR_RETURN(const ByteView notes,
                       read_range(file, "PT_NOTE segment", entry.p_offset, entry.p_filesz));
      ASSIGN_OR_RETURN(const std::optional<ByteView> metadata, find_metadata(notes));
      if (metadata) elf.metadata = *metadata;
    }
  }
  return {};
}

/// The zero-terminated string at `offset` of a string table.
Result<std::string_view> read_name(ByteView strings, std::uint64_t offset) {
  const std::string_view all = as_text(strings);
  const std::string_view text =
      all.substr(std::min<std::uint64_t>(offset, all.size()), kMostNameBytes);
  const std::size_t end = text.find('\0');
  if (end == text.npos) {
    return corrupt(concat("ELF symbol name: offset ", offset, " has no end in a string table of ",
                          strings.size(), " bytes"));
  }
  return text.substr(0, end);
}

/// The dynamic symbol table as the file has it: relocations index it.
struct SymbolTable {
  std::vector<Elf64_Sym> symbols;
  ByteView strings;
};

Result<SymbolTable> read_symbol_table(ByteView file, const std::vector<Elf64_Shdr>& sections) {
  SymbolTable table;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= sections.size()) {
      return corrupt(concat("ELF dynamic symbol table: sh_link is ", section.sh_link, " of ",
                            sections.size(), " sections"));
    }
    const Elf64_Shdr& strings = sections[section.sh_link];
    ASSIGN_OR_RETURN(table.strings,
                     read_range(file, "dynamic string table", strings.sh_offset, strings.sh_size));
    ASSIGN_OR_RETURN(table.symbols,
                     read_table<Elf64_Sym>(file, "dynamic symbol table", section.sh_offset,
                                           section.sh_size / sizeof(Elf64_Sym)));
    break;
  }
  return table;
}

Result<void> collect_symbols(const SymbolTable& table, Elf& elf) {
  for (const Elf64_Sym& symbol : table.symbols) {
    if (symbol.st_shndx == SHN_UNDEF) continue;
    ASSIGN_OR_RETURN(const std::string_view name, read_name(table.strings, symbol.st_name));
    elf.symbols.push_back({.name = name,
                           .address = symbol.st_value,
                           .size_bytes = symbol.st_size,
                           .type = static_cast<std::uint8_t>(ELF64_ST_TYPE(symbol.st_info))});
  }
  return {};
}

Result<ElfRelocation> resolve(const Elf64_Rela& entry, const SymbolTable& table) {
  ElfRelocation relocation{.address = entry.r_offset,
                           .type = static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info)),
                           .symbol_address = 0,
                           .symbol_name = {},
                           .addend = entry.r_addend};
  const std::uint64_t index = ELF64_R_SYM(entry.r_info);
  if (index == 0) return relocation;
  if (index >= table.symbols.size()) {
    return corrupt(concat("ELF relocation at ", hex(entry.r_offset), ": symbol ", index, " of ",
                          table.symbols.size()));
  }
  const Elf64_Sym& symbol = table.symbols[index];
  ASSIGN_OR_RETURN(relocation.symbol_name, read_name(table.strings, symbol.st_name));
  relocation.symbol_address = symbol.st_value;
  relocation.undefined = symbol.st_shndx == SHN_UNDEF;
  return relocation;
}

Result<void> collect_relocations(ByteView file, const std::vector<Elf64_Shdr>& sections,
                                 const SymbolTable& table, Elf& elf) {
  for (const Elf64_Shdr& section : sections) {
    // Relocations that are not loaded are leftovers of the link.
    if (section.sh_type != SHT_RELA || (section.sh_flags & SHF_ALLOC) == 0) continue;
    ASSIGN_OR_RETURN(const std::vector<Elf64_Rela> entries,
                     read_table<Elf64_Rela>(file, "relocation table", section.sh_offset,
                                            section.sh_size / sizeof(Elf64_Rela)));
    if (entries.size() + elf.relocations.size() > file.size() / sizeof(Elf64_Rela)) {
      return corrupt("ELF relocation table: tables overlap");
    }
    for (const Elf64_Rela& entry : entries) {
      ASSIGN_OR_RETURN(ElfRelocation relocation, resolve(entry, table));
      elf.relocations.push_back(relocation);
    }
  }
  return {};
}

Result<void> read_sections(ByteView file, const Elf64_Ehdr& header, Elf& elf) {
  ASSIGN_OR_RETURN(
      const std::vector<Elf64_Shdr> sections,
      read_table<Elf64_Shdr>(file, "section header table", header.e_shoff, header.e_shnum));
  ASSIGN_OR_RETURN(const SymbolTable table, read_symbol_table(file, sections));
  if (auto result = collect_symbols(table, elf); !result) return result;
  return collect_relocations(file, sections, table, elf);
}

/// How far an image in memory goes, as it says itself. A damaged one may say anything.
class ImageEnd {
 public:
  explicit ImageEnd(const std::byte* start) : start_(start) {}

  Result<void> take(std::string_view part, std::uint64_t offset, std::uint64_t size_bytes) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
    if (offset > kMostBytes || size_bytes > kMostBytes - offset) {
      return corrupt(concat("ELF ", part, ": ", size_bytes, " bytes at ", offset,
                            ", code objects have at most ", kMostBytes));
    }
    if (!is_readable(start_ + offset, size_bytes)) {
      return corrupt(concat("ELF ", part, ": ", size_bytes, " bytes at ", offset,
                            " of the image, where no memory is"));
    }
    bytes_ = std::max(bytes_, offset + size_bytes);
    return {};
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  /// Whether a byte of each page can be read; if the system does not say, it is taken to be so.
  static bool is_readable(const std::byte* start, std::uint64_t size_bytes) {
    constexpr std::uint64_t kLeastPageBytes = 4096;
    std::array<std::byte, 256> sink;
    std::array<iovec, sink.size()> bytes;
    for (std::uint64_t at = 0; at < size_bytes;) {
      std::size_t count = 0;
      for (; count < bytes.size() && at < size_bytes; ++count) {
        bytes[count] = {const_cast<std::byte*>(start + at), 1};
        at += kLeastPageBytes - reinterpret_cast<std::uintptr_t>(start + at) % kLeastPageBytes;
      }
      const iovec to{sink.data(), count};
      const ssize_t read = ::process_vm_readv(::getpid(), &to, 1, bytes.data(), count, 0);
      if (read < 0 && errno != EFAULT) return true;
      if (read != static_cast<ssize_t>(count)) return false;
    }
    return true;
  }

  const std::byte* start_;
  std::uint64_t bytes_ = sizeof(Elf64_Ehdr);
};

}  // namespace

bool is_elf(ByteView bytes) {
  return as_text(bytes).substr(0, SELFMAG) == std::string_view(ELFMAG, SELFMAG);
}

Result<std::uint64_t> elf_size(const std::byte* start) {
  ASSIGN_OR_RETURN(const Elf64_Ehdr header, read_header({start, sizeof(Elf64_Ehdr)}));
  ImageEnd end(start);
  if (header.e_phnum != 0) {
    const std::uint64_t table_bytes = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
    if (auto ok = end.take("program headers", header.e_phoff, table_bytes); !ok) return ok.error();
    for (std::uint64_t at = header.e_phoff; at < header.e_phoff + table_bytes;
         at += sizeof(Elf64_Phdr)) {
      const auto entry = load<Elf64_Phdr>({start + at, sizeof(Elf64_Phdr)});
      if (auto ok = end.take("segment", entry.p_offset, entry.p_filesz); !ok) return ok.error();
    }
  }
  if (header.e_shnum == 0) return end.bytes();
  const std::uint64_t table_bytes = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (auto ok = end.take("section headers", header.e_shoff, table_bytes); !ok) return ok.error();
  for (std::uint64_t at = header.e_shoff; at < header.e_shoff + table_bytes;
       at += sizeof(Elf64_Shdr)) {
    const auto entry = load<Elf64_Shdr>({start + at, sizeof(Elf64_Shdr)});
    if (entry.sh_type == SHT_NOBITS) continue;
    if (auto ok = end.take("section", entry.sh_offset, entry.sh_size); !ok) return ok.error();
  }
  return end.bytes();
}

Result<Elf> read_elf(ByteView bytes) {
  ASSIGN_OR_RETURN(const Elf64_Ehdr header, read_header(bytes));
  Elf elf{.machine_flags = header.e_flags,
          .abi_version = header.e_ident[EI_ABIVERSION],
          .segments = {},
          .symbols = {},
          .relocations = {},
          .metadata = {}};
  if (auto result = read_program_headers(bytes, header, elf); !result) {
    return std::move(result).error();
  }
  if (auto result = read_sections(bytes, header, elf); !result) return std::move(result).error();
  return elf;
}

}  // namespace compass
