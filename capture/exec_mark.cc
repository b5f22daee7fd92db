// SPDX-License-Identifier: MIT
#include "capture/exec_mark.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace compass::capture {
namespace {

/// Text in a buffer, as much of it as fits: snprintf() may take memory.
class Text {
 public:
  Text(char* begin, std::size_t size_bytes) : begin_(begin), end_(begin + size_bytes - 1) {
    *begin = '\0';
  }
  Text& operator<<(const char* text) {
    for (; *text != '\0' && begin_ != end_; ++text) *begin_++ = *text;
    *begin_ = '\0';
    return *this;
  }
  Text& operator<<(std::uint64_t number) {
    char digits[17] = {};
    for (int i = 15; i >= 0; --i, number >>= 4) digits[i] = "0123456789abcdef"[number & 15];
    return *this << digits;
  }

 private:
  char* begin_;
  char* const end_;
};

/// FNV-1a, which needs no table: programs and obstacles are few.
std::uint64_t hash(const char* text) {
  std::uint64_t value = 0xcbf2'9ce4'8422'2325;
  for (; *text != '\0'; ++text) {
    value = (value ^ static_cast<unsigned char>(*text)) * 0x100'0000'01b3;
  }
  return value;
}

const char* word_of(Obstacle obstacle) {
  for (const ObstacleName& name : kObstacleNames) {
    if (name.obstacle == obstacle) return name.word;
  }
  return "unknown";
}

}  // namespace

ExecMark::ExecMark(const char* program, Obstacle obstacle, const char* folder) {
  if (obstacle == Obstacle::kNone) return;
  const int saved_errno = errno;
  char target[1024];  // some file systems take no longer one
  Text(target, sizeof target) << word_of(obstacle) << " " << program;
  Text(path_, sizeof path_) << folder << "/" << hash(target) << kExecMarkSuffix;
  made_ = ::symlink(target, path_) == 0;
  errno = saved_errno;
}

void ExecMark::withdraw() {
  if (!made_) return;
  const int saved_errno = errno;
  ::unlink(path_);
  errno = saved_errno;
}

}  // namespace compass::capture
