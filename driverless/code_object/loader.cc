// SPDX-License-Identifier: MIT
#include "driverless/code_object/loader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "driverless/code_object/relocation.h"
#include "ir/code_object/elf.h"
#include "ir/code_object/fat_binary.h"
#include "ir/code_object/metadata.h"

namespace compass {
namespace {

constexpr std::uint64_t kMostImageBytes = std::uint64_t{1} << 28;
constexpr std::uint64_t kEntryAlignment = 256;

Error corrupt(std::string message) { return {ErrorCode::kCorrupt, std::move(message)}; }

Result<void> check_target(const Elf& file, const arch::Architecture& architecture) {
  const std::string target = target_of_machine_flags(file.machine_flags);
  if (!select_entry({{target, {}}}, architecture.gcn_arch_name)) {
    return Error{ErrorCode::kInvalid,
                 concat("the code object is for ", target, ", the declared architecture is ",
                        architecture.gcn_arch_name)};
  }
  if (file.abi_version < 2 || file.abi_version > 4) {
    return Error{ErrorCode::kUnsupported,
                 concat("the code object has ABI version ", file.abi_version,
                        "; 2 to 4 (code object versions 4 to 6) are supported")};
  }
  return {};
}

/// The addresses that an ELF's segments take, before relocation.
struct Extent {
  std::uint64_t lowest = 0;
  std::uint64_t size_bytes = 0;
};

Result<Extent> measure(const Elf& file) {
  if (file.segments.empty()) return corrupt("the code object has no PT_LOAD segment");
  std::uint64_t lowest = ~std::uint64_t{0};
  std::uint64_t end = 0;
  for (const ElfSegment& segment : file.segments) {
    lowest = std::min(lowest, segment.address);
    end = std::max(end, segment.address + segment.memory_bytes);
  }
  if (end - lowest > kMostImageBytes) {
    return Error{ErrorCode::kUnsupported,
                 concat("the code object takes ", end - lowest, " bytes of memory, at most ",
                        kMostImageBytes, " are supported")};
  }
  return Extent{lowest, end - lowest};
}

void place_segments(const Elf& file, const Extent& extent, LoadedImage& loaded) {
  loaded.image.resize(extent.size_bytes);
  for (const ElfSegment& segment : file.segments) {
    const std::uint64_t offset = segment.address - extent.lowest;
    std::copy(segment.bytes.begin(), segment.bytes.end(),
              loaded.image.begin() + static_cast<std::ptrdiff_t>(offset));
    loaded.ranges.push_back({.offset = offset,
                             .size_bytes = segment.memory_bytes,
                             .writable = segment.writable,
                             .executable = segment.executable});
  }
}

bool is_executable(const LoadedImage& loaded, std::uint64_t offset) {
  return std::any_of(loaded.ranges.begin(), loaded.ranges.end(),
                     [offset](const LoadedImageRange& range) {
                       return range.executable && offset - range.offset < range.size_bytes;
                     });
}

const ElfSymbol* find_symbol(const Elf& file, std::string_view name) {
  const auto at = std::find_if(file.symbols.begin(), file.symbols.end(),
                               [name](const ElfSymbol& symbol) { return symbol.name == name; });
  return at == file.symbols.end() ? nullptr : &*at;
}

Result<LoadedImageKernel> place_kernel(Kernel metadata, const Elf& file, const Extent& extent,
                                       const LoadedImage& loaded) {
  const ElfSymbol* symbol = find_symbol(file, metadata.name + ".kd");
  if (symbol == nullptr) {
    return corrupt(concat("the code object has no symbol ", metadata.name, ".kd"));
  }
  LoadedImageKernel kernel;
  kernel.descriptor_offset = symbol->address - extent.lowest;
  ASSIGN_OR_RETURN(kernel.descriptor,
                   read_kernel_descriptor(slice(loaded.image, kernel.descriptor_offset,
                                                KernelDescriptor::kSizeBytes)));
  kernel.entry_offset =
      kernel.descriptor_offset + static_cast<std::uint64_t>(kernel.descriptor.code_entry_offset);
  if (!is_executable(loaded, kernel.entry_offset)) {
    return corrupt(concat("the first instruction, at image byte ", hex(kernel.entry_offset),
                          ", is in no executable segment"));
  }
  if ((kernel.entry_offset + extent.lowest) % kEntryAlignment != 0) {
    return corrupt(concat("the first instruction, at image byte ", hex(kernel.entry_offset),
                          ", is not aligned to 256 bytes"));
  }
  kernel.metadata = std::move(metadata);
  return kernel;
}

/// Every exported object that lies in the image, except kernels' descriptors.
void place_variables(const Elf& file, const Extent& extent, LoadedImage& loaded) {
  constexpr std::uint8_t kObject = 1;  // STT_OBJECT
  for (const ElfSymbol& symbol : file.symbols) {
    const std::uint64_t offset = symbol.address - extent.lowest;
    const bool is_inside =
        offset <= loaded.image.size() && symbol.size_bytes <= loaded.image.size() - offset;
    if (symbol.type != kObject || symbol.name.ends_with(".kd") || !is_inside) continue;
    loaded.variables.push_back({std::string(symbol.name), offset, symbol.size_bytes});
  }
}

}  // namespace

Result<LoadedImage> load_image(ByteView elf, DeviceAddress base,
                               const arch::Architecture& architecture) {
  CHECK(base.value % 4096 == 0);
  ASSIGN_OR_RETURN(const Elf file, read_elf(elf));
  if (auto result = check_target(file, architecture); !result) return std::move(result).error();
  ASSIGN_OR_RETURN(CodeObjectMetadata metadata, read_metadata(elf));
  ASSIGN_OR_RETURN(const Extent extent, measure(file));
  LoadedImage loaded;
  place_segments(file, extent, loaded);
  for (const ElfRelocation& relocation : file.relocations) {
    auto result = relocate(relocation, extent.lowest, base, loaded.image);
    if (!result) return std::move(result).error();
  }
  for (Kernel& kernel : metadata.kernels) {
    const std::string name = kernel.name;
    auto placed = place_kernel(std::move(kernel), file, extent, loaded);
    if (!placed) return std::move(placed).error().with(concat("kernel ", name));
    loaded.kernels.push_back(*std::move(placed));
  }
  place_variables(file, extent, loaded);
  return loaded;
}

}  // namespace compass
