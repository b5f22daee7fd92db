// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

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

void remove_unfinished(const std::filesystem::path& output) {
  constexpr std::size_t kRandom = 7;  // ".XXXXXX"
  const std::string stem = output.stem().string();
  const std::string extension = output.extension().string();
  std::error_code failed;
  for (const auto& descriptor : std::filesystem::directory_iterator("/proc/self/fd", failed)) {
    const std::filesystem::path file = std::filesystem::read_symlink(descriptor.path(), failed);
    std::string name = file.filename().string();
    if (name.size() < kRandom || name[name.size() - kRandom] != '.') continue;
    name.resize(name.size() - kRandom);
    const bool is_ours = name.starts_with(stem) && name.ends_with(extension) &&
                         std::filesystem::is_regular_file(file, failed);
    if (is_ours) std::filesystem::remove(file, failed);
  }
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
