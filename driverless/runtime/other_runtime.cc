// SPDX-License-Identifier: MIT
#include "driverless/runtime/other_runtime.h"

#include <dlfcn.h>
#include <link.h>

#include "ir/hip/runtime_name.h"

namespace compass {
namespace {

int keep_other(dl_phdr_info* library, std::size_t, void* runtimes) {
  auto& found = *static_cast<TwoRuntimes*>(runtimes);
  if (!hip::is_runtime_file(library->dlpi_name) || found.self == library->dlpi_name) return 0;
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
