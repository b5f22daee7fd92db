// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "driverless/agent.h"
#include "ir/hip/abi.h"

namespace compass {

/// A code object on a device, or why it is not there. It is unloaded when the last of its users is
/// gone: functions, modules, operations that have not run.
struct LoadedCode {
  std::shared_ptr<LoadedCodeObject> code_object;
  hip::Error error = hip::kSuccess;

  bool was_tried() const { return code_object != nullptr || error != hip::kSuccess; }
};

/// Loads the code object for the agent's architecture from a fat binary, plain or compressed, or
/// an ELF file, of unknown size, that starts at `image`. What is wrong with it is said once.
/// `agent` must outlive what is loaded.
LoadedCode load_image(Agent& agent, const std::byte* image);
/// The same of exactly these bytes.
LoadedCode load_file(Agent& agent, ByteView file);

/// The kernel `name`, sharing the ownership of its code object; null if there is none.
std::shared_ptr<const LoadedKernel> find_kernel(const LoadedCode& code, std::string_view name);

}  // namespace compass
