// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/base/bytes.h"
#include "ir/ids.h"

namespace compass {

/// What the loader must put at a place of the kernarg segment; the metadata's `.value_kind`.
enum class ArgumentKind : std::uint8_t {
  kByValue,
  kGlobalBuffer,
  kDynamicSharedPointer,
  kHidden,  ///< filled by the runtime; KernelArgument::name says which
  kOther,   ///< images, samplers, pipes, queues: nothing here can pass them
};

struct KernelArgument {
  std::string name;        ///< the source's name where the compiler kept it; hidden: the value kind
  std::string value_kind;  ///< as written in the metadata, for instance "hidden_block_count_x"
  ArgumentKind kind = ArgumentKind::kByValue;
  std::uint32_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
};

/// An entry point, as its code object's metadata describes it.
struct Kernel {
  KernelId id;
  CodeObjectId code_object;
  std::string name;       ///< as written: the symbol without ".kd"
  std::string demangled;  ///< equal to `name` where that is not mangled
  std::string canonical;  ///< demangled, without ".intern.*", ".static.*" and lambda ordinals
  std::uint32_t kernarg_size_bytes = 0;
  std::uint32_t lds_size_bytes = 0;      ///< static LDS; the metadata's group segment
  std::uint32_t scratch_size_bytes = 0;  ///< per work-item; the private segment
  std::uint32_t wavefront_size = 64;
  std::uint32_t vgpr_count = 0;
  std::uint32_t agpr_count = 0;
  std::uint32_t sgpr_count = 0;
  std::uint32_t max_workgroup_workitems = 1024;
  std::vector<KernelArgument> arguments;  ///< by offset
};

/// The ELF that the loader gives an agent.
struct CodeObject {
  CodeObjectId id;
  std::string sha256;  ///< of the ELF, lower-case hex; the key of its bytes in an archive
  std::string target;  ///< for instance "gfx950"; feature flags follow, as in "gfx942:xnack-"
  std::uint64_t size_bytes = 0;
};

/// `name` demangled by the C++ ABI's rules, or `name` itself where it is not mangled or would
/// become longer than any real name: 200 bytes can stand for gigabytes.
std::string demangle(const std::string& name);

/// What the same kernel is called after a rebuild: see Kernel::canonical.
std::string canonical_kernel_name(const std::string& name);

}  // namespace compass
