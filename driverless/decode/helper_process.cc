// SPDX-License-Identifier: MIT
#include "driverless/decode/helper_process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
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

/// Out of the way of programs that close or reuse low descriptors.
constexpr int kLowestDescriptor = 700;

/// The same open file under a high descriptor, closed on exec; `descriptor` itself where none is
/// free.
int move_up(int descriptor) {
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kLowestDescriptor);
  if (moved < 0) return descriptor;
  ::close(descriptor);
  return moved;
}

// A fork whose end raises no signal and that no ordinary wait sees, as long as it does not exec.
pid_t fork_unseen() {
  return static_cast<pid_t>(::syscall(SYS_clone, 0, nullptr, nullptr, nullptr, 0));
}

// Not by the C library's name for it, which the recorder and sanitizers watch: of their locks some
// may be held for ever in the child of a program with threads.
[[noreturn]] void leave(int status) {
  while (true) ::syscall(SYS_exit_group, status);
}

// In the child: only what is safe between fork and exec of a program with threads. Of the program's
// files none stays open: a pipe must end when the program closes it.
[[noreturn]] void become(int socket, const char* path, char* const* arguments,
                         char* const* environment) {
  if (fork_unseen() != 0) leave(0);  // init becomes the helper's parent
  // Where the program has closed its own, the socket may be one of the two.
  if (socket <= STDERR_FILENO) socket = ::fcntl(socket, F_DUPFD, STDERR_FILENO + 1);
  ::dup2(socket, STDIN_FILENO);
  ::dup2(socket, STDOUT_FILENO);
  const int null = ::open("/dev/null", O_WRONLY);
  if (null >= 0) ::dup2(null, STDERR_FILENO);
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
  // Nor by that name: this is no child of the program.
  ::syscall(SYS_execve, path, arguments, environment);
  leave(127);
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
  ends[0] = move_up(ends[0]);
  const pid_t child = fork_unseen();
  if (child == 0) become(ends[1], path.c_str(), arguments, environment.data());
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return Error{ErrorCode::kSystem, concat("cannot start the decoder: ", std::strerror(errno))};
  }
  while (::waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
  }
  struct stat opened {};
  if (::fstat(ends[0], &opened) != 0) opened.st_ino = 0;
  socket_ = ends[0];
  socket_inode_ = opened.st_ino;
  owner_ = ::getpid();
  return {};
}

bool HelperProcess::is_ours() const {
  struct stat now {};
  return ::fstat(socket_, &now) == 0 && S_ISSOCK(now.st_mode) && now.st_ino == socket_inode_;
}

bool HelperProcess::running() {
  if (socket_ < 0) return false;
  if (is_ours() && owner_ == ::getpid()) return true;
  stop();
  return false;
}

void HelperProcess::stop() {
  if (socket_ < 0) return;
  if (is_ours()) ::close(socket_);
  socket_ = -1;
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
