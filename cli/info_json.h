// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/archive/reader.h"

namespace compass::cli {

/// What `info` tells of an archive.
struct ArchiveInfo {
  std::string file;
  std::uint32_t version = 0;
  std::string recorder;  ///< empty: not known
  archive::Sizes sizes;
  std::vector<archive::Outline> processes;  ///< that were asked for
};

/// As an object of JSON, with its own format and version: fields are only added within one.
std::string to_json(const ArchiveInfo& info);

}  // namespace compass::cli
