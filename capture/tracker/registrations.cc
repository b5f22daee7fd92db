// SPDX-License-Identifier: MIT
#include "capture/tracker/registrations.h"

#include <algorithm>
#include <utility>

#include "ir/code_object/fat_binary.h"
#include "ir/code_object/metadata.h"

namespace compass::capture {
namespace {

using Layouts = std::map<std::string, Result<KernargLayout>, std::less<>>;

/// The code object of the device; of any device where that is not known: the arguments of a kernel
/// lie the same for all.
Result<ByteView> select_code_object(ByteView fat_binary, std::string_view architecture,
                                    Bytes& decompressed) {
  ASSIGN_OR_RETURN(const std::vector<FatBinaryEntry> entries,
                   read_fat_binary(fat_binary, decompressed));
  if (!architecture.empty()) {
    ASSIGN_OR_RETURN(const FatBinaryEntry entry, select_entry(entries, architecture));
    return entry.elf;
  }
  for (const FatBinaryEntry& entry : entries) {
    if (!entry.target.empty()) return entry.elf;
  }
  return Error{ErrorCode::kNotFound, "the fat binary holds no code object"};
}

Result<Layouts> read_layouts(ByteView fat_binary, std::string_view architecture) {
  Bytes decompressed;
  ASSIGN_OR_RETURN(const ByteView elf, select_code_object(fat_binary, architecture, decompressed));
  ASSIGN_OR_RETURN(const CodeObjectMetadata metadata, read_metadata(elf));
  Layouts layouts;
  for (const Kernel& kernel : metadata.kernels) {
    layouts.emplace(kernel.name, kernarg_layout(kernel));
  }
  return layouts;
}

}  // namespace

Result<const Registrations::FatBinary*> Registrations::add(std::uint64_t handle,
                                                           const std::byte* start) {
  ASSIGN_OR_RETURN(const std::uint64_t size_bytes, fat_binary_size(start));
  remove(handle);
  fat_binaries_.push_back({handle, {}, ByteView(start, size_bytes), {}, std::nullopt});
  return static_cast<const FatBinary*>(&fat_binaries_.back());
}

const Registrations::FatBinary& Registrations::add_owned(std::uint64_t handle, Bytes bytes) {
  remove(handle);
  FatBinary& added = fat_binaries_.emplace_back();
  added.handle = handle;
  added.owned = std::move(bytes);
  added.bytes = added.owned;
  return added;
}

bool Registrations::add_function(Function function) {
  FatBinary* fat_binary = find(function.fat_binary);
  if (fat_binary == nullptr) return false;
  Target& target = targets_[function.host_function];
  if (target.fat_binary == function.fat_binary && target.kernel == function.kernel) return false;
  target = {function.fat_binary, function.kernel, nullptr};
  fat_binary->functions.push_back(std::move(function));
  return true;
}

std::optional<Registrations::Function> Registrations::find_function(
    std::uint64_t host_function) const {
  const auto target = targets_.find(host_function);
  if (target == targets_.end()) return std::nullopt;
  return Function{target->second.fat_binary, host_function, target->second.kernel};
}

void Registrations::add_variable(Variable variable) {
  const std::uint64_t key = variable.host_variable;
  variables_.insert_or_assign(key, std::move(variable));
}

std::optional<Registrations::Variable> Registrations::find_variable(
    std::uint64_t host_variable) const {
  const auto found = variables_.find(host_variable);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::optional<Registrations::FatBinary> Registrations::remove(std::uint64_t handle) {
  FatBinary* const fat_binary = find(handle);
  if (fat_binary == nullptr) return std::nullopt;
  for (const Function& function : fat_binary->functions) {
    const auto target = targets_.find(function.host_function);
    if (target != targets_.end() && target->second.fat_binary == handle) targets_.erase(target);
  }
  std::erase_if(variables_,
                [handle](const auto& each) { return each.second.fat_binary == handle; });
  FatBinary removed = std::move(*fat_binary);
  fat_binaries_.erase(fat_binaries_.begin() + (fat_binary - fat_binaries_.data()));
  return removed;
}

void Registrations::put_back(FatBinary fat_binary) {
  for (const Function& function : fat_binary.functions) {
    targets_[function.host_function] = {function.fat_binary, function.kernel, nullptr};
  }
  fat_binaries_.push_back(std::move(fat_binary));
}

Result<const KernargLayout*> Registrations::layout(std::uint64_t host_function,
                                                   std::string_view architecture) {
  const auto target = targets_.find(host_function);
  if (target == targets_.end()) {
    return Error{ErrorCode::kNotFound, "a function that no fat binary registered was launched"};
  }
  if (target->second.layout == nullptr) {
    ASSIGN_OR_RETURN(target->second.layout, find_layout(target->second, architecture));
  }
  return target->second.layout;
}

Result<const KernargLayout*> Registrations::find_layout(const Target& target,
                                                        std::string_view architecture) {
  const std::string& kernel = target.kernel;
  FatBinary* fat_binary = find(target.fat_binary);
  if (fat_binary == nullptr) return Error{ErrorCode::kNotFound, concat("no code for ", kernel)};
  if (!fat_binary->layouts) {
    ASSIGN_OR_RETURN(fat_binary->layouts, read_layouts(fat_binary->bytes, architecture));
  }
  const auto found = fat_binary->layouts->find(kernel);
  if (found == fat_binary->layouts->end()) {
    return Error{ErrorCode::kNotFound, concat("the code object has no kernel ", kernel)};
  }
  if (!found->second) return found->second.error();
  return &*std::as_const(found->second);
}

Registrations::FatBinary* Registrations::find(std::uint64_t handle) {
  // A library registers its functions right after its fat binary: look from the end.
  const auto found =
      std::find_if(fat_binaries_.rbegin(), fat_binaries_.rend(),
                   [handle](const FatBinary& each) { return each.handle == handle; });
  return found == fat_binaries_.rend() ? nullptr : &*found;
}

}  // namespace compass::capture
