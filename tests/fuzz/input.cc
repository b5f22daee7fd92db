// SPDX-License-Identifier: MIT
#include "tests/fuzz/input.h"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "ir/base/concat.h"

namespace compass::fuzz {

TemporaryFile::TemporaryFile(ByteView content) {
  const std::filesystem::path in_memory = "/dev/shm";
  std::error_code ignored;
  path_ = std::filesystem::is_directory(in_memory, ignored)
              ? in_memory
              : std::filesystem::temp_directory_path(ignored);
  path_ /= concat("compass_fuzz.", ::getpid());
  std::ofstream file(path_, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(content.data()),
             static_cast<std::streamsize>(content.size()));
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace compass::fuzz
