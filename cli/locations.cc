// SPDX-License-Identifier: MIT
#include "cli/locations.h"

#include <system_error>

namespace compass::cli {
namespace {

struct Place {
  const char* in_build_tree;  ///< from the build tree's root
  const char* name;           ///< in ../lib/compass-capture
};

Place place_of(Part part) {
  switch (part) {
    case Part::kRecorder:
      return {"capture", "libcompass_capture.so"};
    case Part::kRuntime:
      return {"driverless/runtime", "libamdhip64.so.7"};
    case Part::kAudit:
      return {"driverless/runtime", "libcompass_audit.so"};
    case Part::kDecoder:
      return {"driverless/decode", "compass-decode"};
    case Part::kProbes:
      return {"driverless/runtime", "probes/rocminfo"};
    case Part::kAsker:
      return {"driverless/runtime", "compass-ask-device"};
  }
  return {"", ""};
}

}  // namespace

Result<std::filesystem::path> locate(Part part) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) {
    return Error{ErrorCode::kSystem, concat("cannot read /proc/self/exe: ", failed.message())};
  }
  const Place place = place_of(part);
  const std::filesystem::path above = self.parent_path().parent_path();
  const std::filesystem::path built = above / place.in_build_tree / place.name;
  const std::filesystem::path installed = above / "lib" / "compass-capture" / place.name;
  for (const std::filesystem::path& path : {built, installed}) {
    if (std::filesystem::is_regular_file(path, failed)) return path;
  }
  return Error{ErrorCode::kNotFound, concat(place.name, " is missing: neither ", built.native(),
                                            " nor ", installed.native(), " exists")};
}

std::string decoder_path() {
  const auto path = locate(Part::kDecoder);
  return path ? path->native() : place_of(Part::kDecoder).name;
}

}  // namespace compass::cli
