// SPDX-License-Identifier: MIT
#include "cli/unrecorded.h"

#include <cstddef>

#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::cli {

std::string names_of(const std::vector<Unrecorded>& programs) {
  constexpr std::size_t kMost = 10;
  std::string names;
  for (std::size_t i = 0; i < programs.size() && i < kMost; ++i) {
    const auto& [program, cause] = programs[i];
    names += concat(i == 0 ? "" : ", ", printable(program), " (", cause, ")");
  }
  if (programs.size() > kMost) names += concat(" and ", programs.size() - kMost, " more");
  return names;
}

std::string no_hip_call(const std::string& program, const std::vector<Unrecorded>& unrecorded) {
  const std::string seen = concat("no HIP call was seen in ", printable(program));
  if (unrecorded.empty()) return concat(seen, " or in what it started");
  return concat(seen, "; ran without the recorder: ", names_of(unrecorded));
}

std::string no_work(const std::string& program) {
  return concat("HIP was called in ", printable(program),
                " or in what it started, but nothing was ",
                "asked of a device: no launch, no copy, no memory");
}

}  // namespace compass::cli
