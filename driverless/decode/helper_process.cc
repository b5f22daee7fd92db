// SPDX-License-Identifier: MIT
#include "driverless/decode/helper_process.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace compass::decode {
namespace {

std::vector<char*> clean_environment() {
  std::vector<char*> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("LD_PRELOAD=") && !text.starts_with("LD_AUDIT=")) {
      result.push_back(*entry);
    }
  }
  result.push_back(nullptr);
  return result;
}

// In the child: only what is safe between fork and exec of a program with threads.
[[noreturn]] void become(int socket, const char* path, char* const* arguments,
                         char* const* environment) {
  if (::fork() != 0) ::_exit(0);  // init becomes the helper's parent
  // Where the program has closed its own, the socket may be one of the two.
  if (socket <= STDOUT_FILENO) socket = ::fcntl(socket, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::dup2(socket, STDIN_FILENO);
  ::dup2(socket, STDOUT_FILENO);
  ::execve(path, arguments, environment);
  ::_exit(127);
}

}  // namespace

Result<void> HelperProcess::start(const std::string& path, const std::string& argument) {
  stop();
  if (::access(path.c_str(), X_OK) != 0) {
    return Error{ErrorCode::kSystem,
                 concat("cannot run the decoder '", path, "': ", std::strerror(errno))};
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{ErrorCode::kSystem, concat("cannot make a socket: ", std::strerror(errno))};
  }
  const std::vector<char*> environment = clean_environment();
  char* arguments[] = {const_cast<char*>(path.c_str()), const_cast<char*>(argument.c_str()),
                       nullptr};
  const pid_t child = ::fork();
  if (child == 0) become(ends[1], path.c_str(), arguments, environment.data());
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return Error{ErrorCode::kSystem, concat("cannot start the decoder: ", std::strerror(errno))};
  }
  // The program may have reaped it already, by waiting for any child.
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  socket_ = ends[0];
  return {};
}

void HelperProcess::stop() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

bool HelperProcess::send(const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::send(socket_, at, size, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

bool HelperProcess::receive(void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::recv(socket_, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace compass::decode
