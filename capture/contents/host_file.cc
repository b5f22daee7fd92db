// SPDX-License-Identifier: MIT
#include "capture/contents/host_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace compass::capture {
namespace {

bool read_all(int file, Bytes& out) {
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  out.resize(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::read(file, out.data() + done, out.size() - done);
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

bool read_file(const char* path, Bytes& out) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool read = read_all(file, out);
  ::close(file);
  return read;
}

}  // namespace compass::capture
