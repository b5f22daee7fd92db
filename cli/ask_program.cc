// SPDX-License-Identifier: MIT
#include "cli/ask_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace compass::cli {
namespace {

constexpr std::size_t kMostOutput = std::size_t{16} << 20;

std::vector<char*> pointers_of(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// In the child: between fork and exec.
[[noreturn]] void become(char* const* words, char* const* environment, int output) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  ::execve(words[0], words, environment);
  ::_exit(127);
}

/// What comes out of `output` until it ends; false where that took longer than the limit.
bool read_all(int output, std::chrono::steady_clock::time_point end, std::string& text) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd ready{output, POLLIN, 0};
    const int count = rest.count() <= 0 ? 0 : ::poll(&ready, 1, static_cast<int>(rest.count()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    const ssize_t size = ::read(output, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    if (text.size() < kMostOutput) text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

/// Waits for the process; whether it had ended before `end`. Then, or at once where `timely` is
/// false, what is left of its group is killed.
bool await(pid_t process, std::chrono::steady_clock::time_point end, bool timely, int& status) {
  pid_t ended = 0;
  while (timely && ended == 0 && std::chrono::steady_clock::now() < end) {
    ended = ::waitpid(process, &status, WNOHANG);
    if (ended == 0) ::usleep(1000);
  }
  ::kill(-process, SIGKILL);
  while (ended <= 0 && ::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return ended > 0;
}

std::string describe(int status) {
  if (WIFSIGNALED(status)) return concat("it was ended by signal ", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? "" : concat("it ended with ", code);
}

}  // namespace

std::string find_program(const Environment& environment, const std::string& name) {
  const std::string folders = environment.get("PATH").value_or("/bin:/usr/bin");
  std::string_view rest = folders;
  for (;;) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    const std::string path = concat(folder.empty() ? "." : folder, "/", name);
    std::error_code failed;
    if (std::filesystem::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0) {
      return path;
    }
    if (folder.size() == rest.size()) return {};
    rest.remove_prefix(folder.size() + 1);
  }
}

ProgramAnswer ask_program(const Environment& environment, std::vector<std::string> words,
                          int limit_seconds) {
  Environment copy = environment;
  const std::vector<char*> variables = copy.pointers();
  const std::vector<char*> arguments = pointers_of(words);
  int output[2];
  if (::pipe2(output, O_CLOEXEC) != 0) return {{}, concat("no pipe: ", std::strerror(errno))};
  const pid_t process = ::fork();
  if (process == 0) become(arguments.data(), variables.data(), output[1]);
  const int cause = errno;
  ::close(output[1]);
  if (process < 0) {
    ::close(output[0]);
    return {{}, concat("no process: ", std::strerror(cause))};
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(limit_seconds);
  ProgramAnswer answer;
  const bool read = read_all(output[0], end, answer.output);
  int status = 0;
  const bool ended = await(process, end, read, status);
  ::close(output[0]);
  answer.failure =
      ended ? describe(status) : concat("no answer within ", limit_seconds, " seconds");
  return answer;
}

}  // namespace compass::cli
