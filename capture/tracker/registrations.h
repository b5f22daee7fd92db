// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/contents/kernarg.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"

namespace compass::capture {

/// The fat binaries that the program's libraries registered, and which kernel each host function
/// names. Bytes stay where the library keeps them, until it unregisters. Threads: callers take a
/// lock.
class Registrations {
 public:
  struct Function {
    std::uint64_t fat_binary = 0;
    std::uint64_t host_function = 0;
    std::string kernel;
  };
  struct FatBinary {
    std::uint64_t handle = 0;
    ByteView bytes;
    std::vector<Function> functions;
    /// By kernel, once a launch asked for one.
    std::optional<std::map<std::string, Result<KernargLayout>, std::less<>>> layouts;
  };

  /// `start` is what the compiler's wrapper points to.
  Result<const FatBinary*> add(std::uint64_t handle, const std::byte* start);
  /// False where the fat binary is not known.
  bool add_function(Function function);
  bool remove(std::uint64_t handle);

  /// In the order of their registration.
  const std::vector<FatBinary>& fat_binaries() const { return fat_binaries_; }

  /// Where the arguments of a launch of `host_function` belong. `architecture` is what the runtime
  /// calls the device; empty if it did not say. Read once a fat binary.
  Result<const KernargLayout*> layout(std::uint64_t host_function, std::string_view architecture);

 private:
  struct Target {
    std::uint64_t fat_binary = 0;
    std::string kernel;
    const KernargLayout* layout = nullptr;  ///< once a launch asked for it
  };
  Result<const KernargLayout*> find_layout(const Target& target, std::string_view architecture);
  FatBinary* find(std::uint64_t handle);

  std::vector<FatBinary> fat_binaries_;
  std::unordered_map<std::uint64_t, Target> targets_;  ///< by host function
};

}  // namespace compass::capture
