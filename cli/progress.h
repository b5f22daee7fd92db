// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace compass::cli {

/// How far a long work is, as a line on a terminal that goes again; elsewhere nothing.
class Progress {
 public:
  /// `doing` must outlive this.
  Progress(const char* doing, std::uint64_t total) : doing_(doing), total_(total) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_ != kNothing) std::fputs("\r\033[K", stderr);
  }

  void at(std::uint64_t done) {
    const std::uint64_t percent = done * 100 / total_;
    if (!is_terminal_ || percent == shown_) return;
    shown_ = percent;
    std::fprintf(stderr, "\r%s: %3u %%", doing_, static_cast<unsigned>(percent));
  }

 private:
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
  const char* doing_;
  std::uint64_t total_;
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::uint64_t shown_ = kNothing;
};

}  // namespace compass::cli
