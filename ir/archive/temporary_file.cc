// SPDX-License-Identifier: MIT
#include "ir/archive/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace compass::archive {
namespace {

Error system_error(std::string_view what) {
  return {ErrorCode::kSystem, concat(what, ": ", std::strerror(errno))};
}

}  // namespace

Result<TemporaryFile> TemporaryFile::beside(const std::filesystem::path& path) {
  std::string name = concat(path.string(), ".XXXXXX");
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) return system_error("cannot be created");
  return TemporaryFile(std::move(name), descriptor);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

Result<void> TemporaryFile::rename_to(const std::filesystem::path& path) {
  if (fsync(descriptor_) != 0) return system_error("cannot be written");
  if (std::rename(name_.c_str(), path.c_str()) != 0) return system_error("cannot be renamed");
  name_.clear();
  return {};
}

}  // namespace compass::archive
