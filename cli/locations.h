// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ir/base/result.h"

namespace compass::cli {

/// What compass-capture consists of besides its own executable.
enum class Part : std::uint8_t {
  kRecorder,  ///< the library that is preloaded into recorded programs
  kRuntime,   ///< the HIP runtime for programs that run without a GPU
  kAudit,     ///< the audit library that sends openings of a HIP runtime to ours
  kDecoder,   ///< the helper program that decodes machine code
  kProbes,    ///< `rocminfo`, one of the programs that engines ask what the device is
  kAsker,     ///< the helper program that asks a HIP runtime what its devices are
};

/// Where `part` is, relative to the running executable: in the build tree that it stands in, else
/// where it was installed. An error names every place that was searched.
Result<std::filesystem::path> locate(Part part);

/// Where the decoder is, or its bare name: then whoever starts it finds out that it is missing.
std::string decoder_path();

}  // namespace compass::cli
