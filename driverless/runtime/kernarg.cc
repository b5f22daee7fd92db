// SPDX-License-Identifier: MIT
#include "driverless/runtime/kernarg.h"

#include <cstring>

namespace compass {
namespace {

bool is_hidden(const KernelArgument& argument) { return argument.kind == ArgumentKind::kHidden; }

}  // namespace

Result<Bytes> pack_kernarg(const Kernel& kernel, const void* const* values) {
  Bytes kernarg;
  std::size_t index = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (is_hidden(argument)) continue;
    if (argument.kind == ArgumentKind::kOther) {
      return Error{ErrorCode::kUnsupported, concat("kernel ", kernel.name, ": argument ", index,
                                                   " is of kind ", argument.value_kind)};
    }
    if (values == nullptr || values[index] == nullptr) {
      return Error{ErrorCode::kInvalid,
                   concat("kernel ", kernel.name, ": argument ", index, " has no value")};
    }
    kernarg.resize(argument.offset_bytes + std::size_t{argument.size_bytes});
    std::memcpy(kernarg.data() + argument.offset_bytes, values[index], argument.size_bytes);
    ++index;
  }
  return kernarg;
}

Result<Bytes> take_kernarg(const Kernel& kernel, ByteView packed) {
  std::size_t needed = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (is_hidden(argument)) continue;
    if (argument.kind == ArgumentKind::kOther) {
      return Error{
          ErrorCode::kUnsupported,
          concat("kernel ", kernel.name, " has an argument of kind ", argument.value_kind)};
    }
    needed = argument.offset_bytes + std::size_t{argument.size_bytes};
  }
  if (packed.size() < needed) {
    return Error{ErrorCode::kInvalid,
                 concat("kernel ", kernel.name, ": the buffer of arguments has ", packed.size(),
                        " bytes, the arguments need ", needed)};
  }
  return Bytes(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(needed));
}

}  // namespace compass
