// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace compass {

/// Which bytes of buffers a recording keeps, each mode more than the one before. docs/ir.md,
/// "Contents".
enum class ContentsMode : std::uint8_t { kNone, kIndex, kInputs, kAll };

inline constexpr std::array<std::string_view, 4> kContentsModes = {"none", "index", "inputs",
                                                                   "all"};
/// The environment variable in which the recorder finds one of these names.
inline constexpr const char* kContentsVariable = "COMPASS_CONTENTS";

inline std::string_view name_of(ContentsMode mode) {
  return kContentsModes[static_cast<std::size_t>(mode)];
}

inline std::optional<ContentsMode> contents_mode_of(std::string_view name) {
  for (std::size_t i = 0; i < kContentsModes.size(); ++i) {
    if (kContentsModes[i] == name) return static_cast<ContentsMode>(i);
  }
  return std::nullopt;
}

/// Contents that were to be kept and are not, since the disk was slower than the program. They are
/// unknown, as others that are not kept; the recording is no less complete.
struct GivenUpContents {
  std::uint64_t count = 0;
  std::uint64_t size_bytes = 0;
};

/// The largest content that a recording in the mode index keeps of one copy, and in any.
inline constexpr std::uint64_t kMostIndexBytes = 1 << 20;
inline constexpr std::uint64_t kMostContentBytes = 512 << 20;

/// The largest in this mode; 0: none.
inline std::uint64_t most_content_bytes(ContentsMode mode) {
  if (mode == ContentsMode::kNone) return 0;
  return mode == ContentsMode::kIndex ? kMostIndexBytes : kMostContentBytes;
}

/// The same of what copies brought to the host, and of a second look at their sources.
inline std::uint64_t most_result_bytes(ContentsMode mode) {
  if (mode == ContentsMode::kNone) return 0;
  return mode == ContentsMode::kAll ? kMostContentBytes : kMostIndexBytes;
}

}  // namespace compass
