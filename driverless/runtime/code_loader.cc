// SPDX-License-Identifier: MIT
#include "driverless/runtime/code_loader.h"

#include <vector>

#include "driverless/runtime/notice.h"
#include "ir/base/concat.h"
#include "ir/code_object/fat_binary.h"

namespace compass {
namespace {

/// The code object for `architecture` in a fat binary. A view into that or, where it is compressed,
/// into `decompressed`.
Result<FatBinaryEntry> find_entry(ByteView fat_binary, std::string_view architecture,
                                  Bytes& decompressed) {
  ASSIGN_OR_RETURN(const std::vector<FatBinaryEntry> entries,
                   read_fat_binary(fat_binary, decompressed));
  return select_entry(entries, architecture);
}

hip::Error error_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
      return hip::kErrorNoBinaryForGpu;
    case ErrorCode::kUnsupported:
      return hip::kErrorNotSupported;
    case ErrorCode::kCorrupt:
      return hip::kErrorInvalidImage;
    case ErrorCode::kSystem:
      return hip::kErrorUnknown;
  }
  return hip::kErrorUnknown;
}

}  // namespace

LoadedCode load_image(Agent& agent, const std::byte* image) {
  const Result<std::uint64_t> size_bytes = fat_binary_size(image);
  if (size_bytes) return load_file(agent, {image, *size_bytes});
  notice_once(size_bytes.error().message);
  return {.code_object = nullptr, .error = error_of(size_bytes.error().code)};
}

LoadedCode load_file(Agent& agent, ByteView file) {
  Bytes decompressed;
  const auto entry = find_entry(file, agent.architecture().gcn_arch_name, decompressed);
  if (!entry) {
    notice_once(entry.error().message);
    return {.code_object = nullptr, .error = error_of(entry.error().code)};
  }
  const Result<LoadedCodeObject*> loaded = agent.load(entry->elf);
  if (!loaded) {
    notice_once(concat("a code object cannot be loaded: ", loaded.error().message));
    return {.code_object = nullptr, .error = error_of(loaded.error().code)};
  }
  const auto unload = [&agent](LoadedCodeObject* code_object) { agent.unload(code_object); };
  return {.code_object = std::shared_ptr<LoadedCodeObject>(*loaded, unload)};
}

std::shared_ptr<const LoadedKernel> find_kernel(const LoadedCode& code, std::string_view name) {
  const LoadedKernel* const kernel = Agent::find_kernel(*code.code_object, name);
  if (kernel == nullptr) return nullptr;
  return {code.code_object, kernel};
}

}  // namespace compass
