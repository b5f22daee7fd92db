// SPDX-License-Identifier: MIT
#include "driverless/runtime/other_runtime.h"

#include <dlfcn.h>
#include <link.h>

#include <string_view>

namespace compass {
namespace {

/// Whether the file is called "libamdhip64.so…", or as wheels bundle it "libamdhip64-0123abcd.so…".
bool is_runtime(std::string_view path) {
  constexpr std::string_view kStem = "libamdhip64";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with(kStem) || name.size() == kStem.size()) return false;
  const char next = name[kStem.size()];
  return (next == '.' || next == '-') && name.find(".so") != std::string_view::npos;
}

int keep_other(dl_phdr_info* library, std::size_t, void* runtimes) {
  auto& found = *static_cast<TwoRuntimes*>(runtimes);
  if (!is_runtime(library->dlpi_name) || found.self == library->dlpi_name) return 0;
  found.other = library->dlpi_name;
  return 1;
}

}  // namespace

TwoRuntimes find_other_runtime() {
  TwoRuntimes found;
  Dl_info self{};
  if (::dladdr(reinterpret_cast<const void*>(&find_other_runtime), &self) != 0) {
    found.self = self.dli_fname;
  }
  ::dl_iterate_phdr(&keep_other, &found);
  return found;
}

}  // namespace compass
