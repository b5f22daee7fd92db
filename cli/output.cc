// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace compass::cli {

int print_error(const Error& error) {
  std::fprintf(stderr, "compass-capture: error: %s\n", error.message.c_str());
  return kExitError;
}

int print_text(std::string_view text) {
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return 0;
  return print_error(
      {ErrorCode::kSystem, concat("standard output cannot be written: ", std::strerror(errno))});
}

}  // namespace compass::cli
