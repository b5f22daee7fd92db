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

/// The fat binaries that the program's libraries registered or that it loaded as modules, and which
/// kernel each function names. Bytes that were registered stay where the library keeps them, until
/// it unregisters. Threads: callers take a lock.
class Registrations {
 public:
  struct Function {
    std::uint64_t fat_binary = 0;
    std::uint64_t host_function = 0;
    std::string kernel;
  };
  struct Variable {
    std::uint64_t fat_binary = 0;
    std::uint64_t host_variable = 0;
    std::string name;
  };
  struct FatBinary {
    std::uint64_t handle = 0;
    Bytes owned;  ///< empty where the library keeps the bytes
    ByteView bytes;
    std::vector<Function> functions;
    /// By kernel, once a launch asked for one.
    std::optional<std::map<std::string, Result<KernargLayout>, std::less<>>> layouts;
  };

  /// `start` is what the compiler's wrapper points to.
  Result<const FatBinary*> add(std::uint64_t handle, const std::byte* start);
  /// The same of bytes that are nobody else's.
  const FatBinary& add_owned(std::uint64_t handle, Bytes bytes);
  /// False where the fat binary is not known, or the function is the same already.
  bool add_function(Function function);
  std::optional<Function> find_function(std::uint64_t host_function) const;
  /// The same for variables, which the host code names by one of its own.
  void add_variable(Variable variable);
  std::optional<Variable> find_variable(std::uint64_t host_variable) const;
  /// What was removed, if it was there.
  std::optional<FatBinary> remove(std::uint64_t handle);
  void put_back(FatBinary fat_binary);

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
  std::unordered_map<std::uint64_t, Target> targets_;      ///< by host function
  std::unordered_map<std::uint64_t, Variable> variables_;  ///< by host variable
};

}  // namespace compass::capture
