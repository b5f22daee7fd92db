// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "ir/base/bytes.h"

/// What the fuzz targets share. Each one defines LLVMFuzzerTestOneInput and nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace compass::fuzz {

inline ByteView view_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(data), size};
}

/// A file of this process alone, in memory where the system allows; gone at the end of its life.
class TemporaryFile {
 public:
  explicit TemporaryFile(ByteView content);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace compass::fuzz
