// SPDX-License-Identifier: MIT
#include "replay/processors.h"

#include <set>

namespace compass::replay {

Result<void> check_processor(const Recording& recording, std::string_view processor) {
  std::set<std::string_view> all;
  for (const CodeObject& code_object : recording.code_objects) {
    const std::string_view target = code_object.target;
    all.insert(target.substr(0, target.find(':')));
  }
  all.erase(processor);
  if (all.empty()) return {};
  std::string others;
  for (const std::string_view other : all) others += concat(others.empty() ? "" : ", ", other);
  return Error{ErrorCode::kNotFound,
               concat("no code objects for ", processor, " were recorded, but for ", others)};
}

}  // namespace compass::replay
