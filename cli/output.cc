// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace compass::cli {

int print_error(const Error& error) {
  std::string message = error.message;
  // Names come from files and archives: they must not drive the terminal.
  std::replace_if(
      message.begin(), message.end(),
      [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }, '?');
  std::fprintf(stderr, "compass-capture: error: %s\n", message.c_str());
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
