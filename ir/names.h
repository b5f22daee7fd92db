// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/recording.h"

namespace compass {

/// What text and reports call the kernels and buffers of a recording: names that two recordings of
/// the same program share, whatever the addresses. No two kernels and no two buffers share one; the
/// second that would is called "name#2".
class Names {
 public:
  explicit Names(const Recording& recording);

  /// The canonical name less return type and parameters; with them where kernels overload the name.
  const std::string& kernel(KernelId id) const { return kernels_.at(id.value - 1); }
  /// As annotated; else "kernel.argument" of the first launch that used it; else its ordinal among
  /// the rest of its kind, as in "pinned.1", or of the blocks, as in "block.1".
  const std::string& buffer(AllocationId id) const { return buffers_.at(id.value - 1); }
  /// The buffer and its id, as in "kv (allocation 7)": for reports about one recording.
  std::string label(AllocationId id) const;
  /// The buffer with its offset, as in "kv[+4096]"; `nowhere` where it is in none, null is "null".
  std::string place(const MemoryRef& memory, std::string_view nowhere) const;

 private:
  void name_kernels(const Recording& recording);
  void name_buffers(const Recording& recording);

  std::vector<std::string> kernels_;
  std::vector<std::string> buffers_;
};

/// `text` on one line: control characters become "?".
std::string printable(std::string_view text);

/// A kernel's canonical name without return type and parameter list: "gemm<128>" of
/// "void gemm<128>(float*, int)".
std::string short_kernel_name(const std::string& canonical);

/// What text and reports call the argument at that offset of the kernarg segment: its name in the
/// source, "params[+8]" inside one, "arg2" where the compiler kept no name.
std::string argument_name(const Kernel& kernel, std::uint32_t offset_bytes);

/// A scalar, by its size: one byte as a decimal number; two as hex, since they are mostly floats;
/// four and eight as a signed decimal number up to 2^24, which no usual float's bits are, else as
/// hex. Any other size is "opaque N bytes".
std::string scalar_text(ByteView bytes);

}  // namespace compass
