// SPDX-License-Identifier: MIT
#include "ir/code_object/metadata.h"

#include <algorithm>
#include <string_view>

#include "ir/code_object/elf.h"
#include "ir/code_object/message_pack.h"

namespace compass {
namespace {

ArgumentKind kind_of(std::string_view value_kind) {
  if (value_kind == "by_value") return ArgumentKind::kByValue;
  if (value_kind == "global_buffer") return ArgumentKind::kGlobalBuffer;
  if (value_kind == "dynamic_shared_pointer") return ArgumentKind::kDynamicSharedPointer;
  if (value_kind.starts_with("hidden_")) return ArgumentKind::kHidden;
  return ArgumentKind::kOther;
}

Error corrupt(std::string message) { return {ErrorCode::kCorrupt, std::move(message)}; }

Result<KernelArgument> read_argument(MessagePackReader& reader) {
  KernelArgument argument;
  bool has_offset = false;
  bool has_size = false;
  for (std::uint64_t pairs = reader.read_map(); pairs != 0 && reader.ok(); --pairs) {
    const std::string_view key = reader.read_text();
    if (key == ".name") {
      argument.name = reader.read_text();
    } else if (key == ".value_kind") {
      argument.value_kind = reader.read_text();
    } else if (key == ".offset") {
      argument.offset_bytes = reader.read_unsigned32();
      has_offset = true;
    } else if (key == ".size") {
      argument.size_bytes = reader.read_unsigned32();
      has_size = true;
    } else {
      reader.skip();
    }
  }
  if (!reader.ok()) return corrupt(reader.problem());
  if (!has_offset || !has_size || argument.value_kind.empty()) {
    return corrupt("an argument lacks .offset, .size or .value_kind");
  }
  argument.kind = kind_of(argument.value_kind);
  if (argument.kind == ArgumentKind::kHidden) argument.name = argument.value_kind;
  return argument;
}

Result<std::vector<KernelArgument>> read_arguments(MessagePackReader& reader) {
  std::vector<KernelArgument> arguments;
  for (std::uint64_t count = reader.read_array(); count != 0 && reader.ok(); --count) {
    ASSIGN_OR_RETURN(KernelArgument argument, read_argument(reader));
    arguments.push_back(std::move(argument));
  }
  std::stable_sort(arguments.begin(), arguments.end(),
                   [](const KernelArgument& a, const KernelArgument& b) {
                     return a.offset_bytes < b.offset_bytes;
                   });
  return arguments;
}

/// Where a kernel's numeric entry called `key` is kept, or null.
std::uint32_t* field_of(Kernel& kernel, std::string_view key) {
  if (key == ".kernarg_segment_size") return &kernel.kernarg_size_bytes;
  if (key == ".group_segment_fixed_size") return &kernel.lds_size_bytes;
  if (key == ".private_segment_fixed_size") return &kernel.scratch_size_bytes;
  if (key == ".wavefront_size") return &kernel.wavefront_size;
  if (key == ".vgpr_count") return &kernel.vgpr_count;
  if (key == ".agpr_count") return &kernel.agpr_count;
  if (key == ".sgpr_count") return &kernel.sgpr_count;
  if (key == ".max_flat_workgroup_size") return &kernel.max_workgroup_workitems;
  return nullptr;
}

Result<void> check_layout(const Kernel& kernel) {
  std::uint64_t end = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.offset_bytes < end) {
      return corrupt(concat("the argument at kernarg byte ", argument.offset_bytes,
                            " overlaps the one before it, which ends at ", end));
    }
    end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
  }
  if (end > kernel.kernarg_size_bytes) {
    return corrupt(concat("the arguments end at byte ", end, ", the kernarg segment has ",
                          kernel.kernarg_size_bytes, " bytes"));
  }
  return {};
}

Result<void> finish(Kernel& kernel, std::string_view name, std::string_view symbol) {
  if (symbol.ends_with(".kd")) symbol.remove_suffix(3);
  kernel.name = symbol.empty() ? name : symbol;
  if (kernel.name.empty()) return corrupt("a kernel has neither .symbol nor .name");
  kernel.demangled = demangle(kernel.name);
  kernel.canonical = canonical_kernel_name(kernel.name);
  if (auto result = check_layout(kernel); !result) {
    return std::move(result).error().with(concat("kernel ", kernel.name));
  }
  return {};
}

Result<Kernel> read_kernel(MessagePackReader& reader) {
  Kernel kernel;
  std::string_view name;
  std::string_view symbol;
  for (std::uint64_t pairs = reader.read_map(); pairs != 0 && reader.ok(); --pairs) {
    const std::string_view key = reader.read_text();
    if (key == ".name") {
      name = reader.read_text();
    } else if (key == ".symbol") {
      symbol = reader.read_text();
    } else if (key == ".args") {
      ASSIGN_OR_RETURN(kernel.arguments, read_arguments(reader));
    } else if (std::uint32_t* field = field_of(kernel, key)) {
      *field = reader.read_unsigned32();
    } else {
      reader.skip();
    }
  }
  if (!reader.ok()) return corrupt(reader.problem());
  if (auto result = finish(kernel, name, symbol); !result) return std::move(result).error();
  return kernel;
}

Result<CodeObjectMetadata> read_document(MessagePackReader& reader) {
  CodeObjectMetadata metadata;
  for (std::uint64_t pairs = reader.read_map(); pairs != 0 && reader.ok(); --pairs) {
    const std::string_view key = reader.read_text();
    if (key == "amdhsa.target") {
      metadata.target = processor_of_target_id(reader.read_text());
    } else if (key == "amdhsa.kernels") {
      for (std::uint64_t count = reader.read_array(); count != 0 && reader.ok(); --count) {
        ASSIGN_OR_RETURN(Kernel kernel, read_kernel(reader));
        metadata.kernels.push_back(std::move(kernel));
      }
    } else {
      reader.skip();
    }
  }
  if (!reader.ok()) return corrupt(reader.problem());
  return metadata;
}

}  // namespace

Result<CodeObjectMetadata> read_metadata(ByteView elf) {
  ASSIGN_OR_RETURN(const Elf file, read_elf(elf));
  if (file.metadata.empty()) {
    return Error{ErrorCode::kNotFound, "the code object has no metadata note"};
  }
  MessagePackReader reader(file.metadata);
  Result<CodeObjectMetadata> metadata = read_document(reader);
  if (!metadata) return std::move(metadata).error().with("code object metadata");
  return metadata;
}

}  // namespace compass
