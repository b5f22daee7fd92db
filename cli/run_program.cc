// SPDX-License-Identifier: MIT
#include "cli/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

namespace compass::cli {
namespace {

Error system_error(const std::string& what) {
  const int cause = errno;
  return {ErrorCode::kSystem, concat(what, ": ", std::strerror(cause))};
}

volatile sig_atomic_t running_program = 0;

/// What a terminal sends, it sends to the program too.
void forward_signal(int signal, siginfo_t* info, void*) {
  const int saved_errno = errno;
  if (info->si_code != SI_KERNEL) ::kill(running_program, signal);
  errno = saved_errno;
}

/// While it lives, signals that ask us to end or tell us something go to the program; it decides
/// what they mean. A broken pipe ends the program only. (A terminal stops both of us.)
class SignalForwarding {
 public:
  SignalForwarding() {
    sigset_t forwarded;
    ::sigemptyset(&forwarded);
    for (const int signal : kSignals) ::sigaddset(&forwarded, signal);
    ::sigprocmask(SIG_BLOCK, &forwarded, &mask_);
  }
  SignalForwarding(const SignalForwarding&) = delete;
  SignalForwarding& operator=(const SignalForwarding&) = delete;

  /// In the child: as if we were not there.
  void withdraw() const { ::sigprocmask(SIG_SETMASK, &mask_, nullptr); }

  void start(pid_t program) {
    running_program = program;
    for (std::size_t i = 0; i < kSignalCount; ++i) {
      ::sigaction(kSignals[i], nullptr, &old_[i]);
      if (old_[i].sa_handler == SIG_IGN) continue;  // nohup, for instance
      struct sigaction action {};
      action.sa_sigaction = &forward_signal;
      action.sa_flags = SA_SIGINFO | SA_RESTART;
      ::sigaction(kSignals[i], &action, nullptr);
    }
    ::signal(SIGPIPE, SIG_IGN);  // for good: the archive is still to be written
    ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
    started_ = true;
  }
  ~SignalForwarding() {
    for (std::size_t i = 0; started_ && i < kSignalCount; ++i) {
      ::sigaction(kSignals[i], &old_[i], nullptr);
    }
    ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};
  static constexpr std::size_t kSignalCount = std::size(kSignals);
  sigset_t mask_{};
  struct sigaction old_[kSignalCount] {};
  bool started_ = false;
};

/// Becomes the program if it can; why not. As execvpe(), but a file that is no program is an error,
/// where execvpe() has the shell run it: line by line, whatever it holds.
int execute(std::vector<char*>& command, std::vector<char*>& environment) {
  const std::string_view name = command[0];
  if (name.find('/') != std::string_view::npos) {
    ::execve(command[0], command.data(), environment.data());
    return errno;
  }
  const char* folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "/bin:/usr/bin" : folders;
  int cause = ENOENT;
  while (!name.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    const std::string path = folder.empty() ? std::string(name) : concat(folder, "/", name);
    ::execve(path.c_str(), command.data(), environment.data());
    if (errno == EACCES) {
      cause = EACCES;  // another folder may have one that can be run
    } else if (errno != ENOENT && errno != ENOTDIR) {
      return errno;
    }
    if (folder.size() == rest.size()) break;
    rest.remove_prefix(folder.size() + 1);
  }
  return cause;
}

/// Ends as `command`, or tells the parent why not.
[[noreturn]] void become(std::vector<char*>& command, std::vector<char*>& environment, int report) {
  const int cause = execute(command, environment);
  [[maybe_unused]] const ssize_t told = ::write(report, &cause, sizeof cause);
  ::_exit(127);
}

/// Why exec failed, once the child knows; 0 where it succeeded.
int read_exec_failure(int report) {
  int cause = 0;
  ssize_t size = 0;
  do {
    size = ::read(report, &cause, sizeof cause);
  } while (size < 0 && errno == EINTR);
  return size == sizeof cause ? cause : 0;
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<int> run_program(std::vector<std::string> words, std::vector<char*> environment) {
  std::vector<char*> command;
  command.reserve(words.size() + 1);
  for (std::string& word : words) command.push_back(word.data());
  command.push_back(nullptr);
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return system_error("cannot make a pipe");
  SignalForwarding forwarding;
  const pid_t program = ::fork();
  if (program == 0) {
    forwarding.withdraw();
    become(command, environment, report[1]);
  }
  if (program < 0) {
    Error error = system_error("cannot make a process");
    for (const int end : report) ::close(end);
    return error;
  }
  ::close(report[1]);
  forwarding.start(program);
  const int exec_failure = read_exec_failure(report[0]);
  ::close(report[0]);
  const int status = wait_for(program);
  if (exec_failure == 0) return status;
  return Error{ErrorCode::kNotFound,
               concat("cannot run '", words.front(), "': ", std::strerror(exec_failure))};
}

}  // namespace compass::cli
