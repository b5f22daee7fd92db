// SPDX-License-Identifier: MIT
#include "capture/testing/code_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

const void* map_code() {
  const char* path = std::getenv("COMPASS_TEST_CODE_OBJECT");
  const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0) return nullptr;
  const void* code =
      ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  return code;
}

void** register_code(const Hip& hip, const void* function) {
  const void* const code = map_code();
  if (code == nullptr) return nullptr;
  static compass::hip::FatBinaryWrapper wrapper{};
  wrapper = {compass::hip::kFatBinaryMagic, 1, code, nullptr};
  void** handle = hip.__hipRegisterFatBinary(&wrapper);
  char name[] = "scale";
  hip.__hipRegisterFunction(handle, function, name, name, ~0u, nullptr, nullptr, nullptr, nullptr,
                            nullptr);
  return handle;
}
