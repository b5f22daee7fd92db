// SPDX-License-Identifier: MIT
#include "ir/archive/code_table.h"

#include <utility>

#include "ir/archive/compression.h"
#include "ir/archive/sha256.h"
#include "ir/code_object/fat_binary.h"
#include "ir/code_object/metadata.h"

namespace compass::archive {

CodeTable::CodeTable(std::string architecture, Recording& recording, Contents& contents,
                     std::list<Bytes>& decompressed)
    : architecture_(std::move(architecture)),
      recording_(recording),
      contents_(contents),
      decompressed_(decompressed) {}

void CodeTable::add(const journal::FatBinary& fat_binary) {
  binary_of_handle_[fat_binary.handle] = binaries_.size();
  binaries_.emplace_back().bytes = fat_binary.bytes;
}

void CodeTable::add(const journal::Function& function) {
  const auto binary = binary_of_handle_.find(function.fat_binary);
  if (binary == binary_of_handle_.end()) return;
  functions_[function.host_function] = {binary->second, function.kernel, {}};
}

std::optional<CodeObjectId> CodeTable::remove(const journal::UnloadFatBinary& fat_binary) {
  const auto found = binary_of_handle_.find(fat_binary.handle);
  if (found == binary_of_handle_.end()) return std::nullopt;
  Binary& binary = binaries_[found->second];
  binary_of_handle_.erase(found);
  binary.removed = true;
  if (!std::exchange(binary.loaded, false)) return std::nullopt;
  if (--states_[binary.code_object.value - 1].loads != 0) return std::nullopt;
  return binary.code_object;
}

std::string CodeTable::name_of(std::uint64_t host_function) const {
  const auto found = functions_.find(host_function);
  return found == functions_.end() ? "an unregistered function" : found->second.name;
}

Result<CodeTable::Found> CodeTable::find(std::uint64_t host_function) {
  const auto registered = functions_.find(host_function);
  if (registered == functions_.end()) {
    return Error{ErrorCode::kNotFound, "nothing registered it"};
  }
  Function& function = registered->second;
  Binary& binary = binaries_[function.binary];
  if (binary.removed) return Error{ErrorCode::kInvalid, "its fat binary was unloaded"};
  if (auto ok = ensure_read(binary); !ok) return std::move(ok).error();
  if (!function.kernel) {
    ASSIGN_OR_RETURN(function.kernel, kernel_of(binary.code_object, function.name));
  }
  return Found{function.kernel, load(binary)};
}

/// The code object that this loads, if it does.
std::optional<CodeObjectId> CodeTable::load(Binary& binary) {
  if (std::exchange(binary.loaded, true)) return std::nullopt;
  if (states_[binary.code_object.value - 1].loads++ != 0) return std::nullopt;
  return binary.code_object;
}

Result<CodeTable::FoundCode> CodeTable::find_code(std::uint64_t fat_binary) {
  const auto found = binary_of_handle_.find(fat_binary);
  if (found == binary_of_handle_.end()) {
    return Error{ErrorCode::kNotFound, "its fat binary is not known"};
  }
  Binary& binary = binaries_[found->second];
  if (auto ok = ensure_read(binary); !ok) return std::move(ok).error();
  return FoundCode{binary.code_object, load(binary)};
}

Result<void> CodeTable::ensure_read(Binary& binary) {
  if (binary.code_object) return {};
  if (!binary.problem) {
    auto code_object = read(binary.bytes);
    if (code_object) {
      binary.code_object = *code_object;
      return {};
    }
    binary.problem = std::move(code_object).error();
  }
  return *binary.problem;
}

Result<CodeObjectId> CodeTable::read(ByteView fat_binary) {
  Bytes decompressed;
  ASSIGN_OR_RETURN(const std::vector<FatBinaryEntry> entries,
                   read_fat_binary(fat_binary, decompressed));
  ASSIGN_OR_RETURN(const FatBinaryEntry entry, select_entry(entries, architecture_));
  if (entry.elf.size() > kMaxContentBytes) {
    return Error{ErrorCode::kUnsupported, concat("a code object of ", entry.elf.size(),
                                                 " bytes, the most is ", kMaxContentBytes)};
  }
  std::string key = sha256(entry.elf);
  if (const auto known = code_object_of_sha256_.find(key); known != code_object_of_sha256_.end()) {
    return known->second;
  }
  ASSIGN_OR_RETURN(CodeObjectMetadata metadata, read_metadata(entry.elf));
  const CodeObjectId id{static_cast<std::uint32_t>(recording_.code_objects.size() + 1)};
  const std::string& target = entry.target.empty() ? metadata.target : entry.target;
  recording_.code_objects.push_back({id, key, target, entry.elf.size()});
  CodeObjectState state;
  for (Kernel& kernel : metadata.kernels) {
    std::string name = kernel.name;
    state.kernels.insert_or_assign(std::move(name), std::move(kernel));
  }
  states_.push_back(std::move(state));
  ByteView elf = entry.elf;
  if (!decompressed.empty()) elf = decompressed_.emplace_back(elf.begin(), elf.end());
  contents_.insert_or_assign(key, elf);
  code_object_of_sha256_.emplace(std::move(key), id);
  return id;
}

Result<KernelId> CodeTable::kernel_of(CodeObjectId code_object, const std::string& name) {
  auto& kernels = states_[code_object.value - 1].kernels;
  const auto found = kernels.find(name);
  if (found == kernels.end()) {
    return Error{ErrorCode::kNotFound, "its code object has no such kernel"};
  }
  Kernel& kernel = found->second;
  if (kernel.wavefront_size != 32 && kernel.wavefront_size != 64) {
    return Error{ErrorCode::kCorrupt,
                 concat("its metadata says wavefronts of ", kernel.wavefront_size, " lanes")};
  }
  if (!kernel.id) {
    kernel.id = {static_cast<std::uint32_t>(recording_.kernels.size() + 1)};
    kernel.code_object = code_object;
    recording_.kernels.push_back(kernel);
  }
  return kernel.id;
}

}  // namespace compass::archive
