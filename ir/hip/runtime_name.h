// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace compass::hip {

/// Whether a library's file is a HIP runtime by its name: "libamdhip64.so…", or as wheels bundle it
/// "libamdhip64-0123abcd.so…".
inline bool is_runtime_file(std::string_view path) {
  constexpr std::string_view kStem = "libamdhip64";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with(kStem) || name.size() == kStem.size()) return false;
  const char next = name[kStem.size()];
  return (next == '.' || next == '-') && name.find(".so") != std::string_view::npos;
}

}  // namespace compass::hip
