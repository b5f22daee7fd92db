// SPDX-License-Identifier: MIT
#include "cli/unrecorded.h"

#include <cstddef>
#include <nlohmann/json.hpp>

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

std::string text_of(const std::vector<Unrecorded>& programs) {
  if (programs.empty()) return {};
  std::string text = "ran without the recorder, their launches are not checked:\n";
  for (const auto& [program, cause] : programs) {
    text += concat("    ", printable(program), ": ", cause, "\n");
  }
  return text;
}

std::string json_of(const std::vector<Unrecorded>& programs) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [program, cause] : programs) {
    json.push_back({{"program", program}, {"cause", cause}});
  }
  // Names of files need not be UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
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
