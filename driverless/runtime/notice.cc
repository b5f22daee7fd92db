// SPDX-License-Identifier: MIT
#include "driverless/runtime/notice.h"

#include <unistd.h>

#include <mutex>
#include <unordered_set>

#include "ir/base/concat.h"

namespace compass {

void notice(std::string_view text) {
  const std::string line = concat("compass-capture: ", text, '\n');
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void notice_once(const std::string& text) {
  // Never destroyed: programs call HIP from their destructors.
  static auto* const mutex = new std::mutex;
  static auto* const said = new std::unordered_set<std::string>;
  const std::lock_guard lock(*mutex);
  if (said->insert(text).second) notice(text);
}

}  // namespace compass
