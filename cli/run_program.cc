// SPDX-License-Identifier: MIT
#include "cli/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "capture/exec_mark.h"
#include "capture/exec_target.h"
#include "cli/descendants.h"

namespace compass::cli {
namespace {

Error system_error(const std::string& what) {
  const int cause = errno;
  return {ErrorCode::kSystem, concat(what, ": ", std::strerror(cause))};
}

volatile sig_atomic_t running_program = 0;
volatile sig_atomic_t asked_to_end = 0;

/// What a terminal sends, it sends to the program too.
void forward_signal(int signal, siginfo_t* info, void*) {
  const int saved_errno = errno;
  if (signal == SIGINT || signal == SIGTERM || signal == SIGQUIT) asked_to_end = 1;
  if (info->si_code != SI_KERNEL) ::kill(running_program, signal);
  errno = saved_errno;
}

/// While it lives, signals that ask us to end or tell us something go to the program; it decides
/// what they mean. A broken pipe ends the program only. (A terminal stops both of us.)
class SignalForwarding {
 public:
  SignalForwarding(pid_t program, const HeldSignals& held) : held_(held) {
    running_program = program;
    for (std::size_t i = 0; i < kSignalsForProgram.size(); ++i) {
      ::sigaction(kSignalsForProgram[i], nullptr, &old_[i]);
      if (old_[i].sa_handler == SIG_IGN) continue;  // nohup, for instance
      struct sigaction action {};
      action.sa_sigaction = &forward_signal;
      action.sa_flags = SA_SIGINFO | SA_RESTART;
      ::sigaction(kSignalsForProgram[i], &action, nullptr);
    }
    ::signal(SIGPIPE, SIG_IGN);  // for good: the archive is still to be written
    held_.release();
  }
  SignalForwarding(const SignalForwarding&) = delete;
  SignalForwarding& operator=(const SignalForwarding&) = delete;
  ~SignalForwarding() {
    held_.hold();
    for (std::size_t i = 0; i < kSignalsForProgram.size(); ++i) {
      ::sigaction(kSignalsForProgram[i], &old_[i], nullptr);
    }
  }

 private:
  const HeldSignals& held_;
  struct sigaction old_[kSignalsForProgram.size()]{};
};

/// Executes a file, and marks it where the recorder cannot be loaded into it.
void execute_marked(const char* file, std::vector<char*>& command, std::vector<char*>& environment,
                    const char* journal_folder) {
  capture::ExecMark mark(file, capture::find_obstacle(file, capture::PlainText::kFails),
                         journal_folder);
  ::execve(file, command.data(), environment.data());
  mark.withdraw();
}

/// The folders that the program itself will search for others.
std::string_view folders_of(const std::vector<char*>& environment) {
  constexpr std::string_view kName = "PATH=";
  for (const char* const variable : environment) {
    if (variable != nullptr && std::string_view(variable).starts_with(kName)) {
      return variable + kName.size();
    }
  }
  return "/bin:/usr/bin";
}

/// Becomes the program if it can; why not. As execvpe(), but a file that is no program is an error,
/// where execvpe() has the shell run it: line by line, whatever it holds.
int execute(std::vector<char*>& command, std::vector<char*>& environment,
            const char* journal_folder) {
  const std::string_view name = command[0];
  if (name.find('/') != std::string_view::npos) {
    execute_marked(command[0], command, environment, journal_folder);
    return errno;
  }
  std::string_view rest = folders_of(environment);
  int cause = ENOENT;
  while (!name.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    const std::string path = folder.empty() ? std::string(name) : concat(folder, "/", name);
    execute_marked(path.c_str(), command, environment, journal_folder);
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
[[noreturn]] void become(std::vector<char*>& command, std::vector<char*>& environment,
                         const char* journal_folder, int report) {
  const int cause = execute(command, environment, journal_folder);
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

/// Waits until the process has ended, which is then still to be waited for: its number stays its.
void watch(pid_t process) {
  for (;;) {
    siginfo_t ended{};
    if (::waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT | __WALL) != 0 && errno != EINTR) return;
    if (ended.si_pid == process) return;
    if (ended.si_pid != 0) ::waitpid(ended.si_pid, nullptr, __WALL);  // an orphan
  }
}

int status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Why exec failed, where the system's word for it misleads.
std::string explain(const std::string& program, int exec_failure) {
  std::error_code ignored;
  std::string cause = std::strerror(exec_failure);
  const bool is_path = program.find('/') != std::string::npos;
  if (exec_failure == EACCES && std::filesystem::is_directory(program, ignored)) {
    return "it is a directory";
  }
  if (exec_failure == ENOENT && is_path && std::filesystem::exists(program, ignored)) {
    return concat(cause, ": the interpreter that it names is missing");
  }
  if (exec_failure == ENOENT && !is_path) return concat(cause, " in the folders of PATH");
  if (exec_failure == ENOEXEC) return concat(cause, ": a script needs a first line like #!/bin/sh");
  return cause;
}

/// Why the program could not be executed; 0 where it could, and then it has ended.
int accompany(pid_t program, int report, const HeldSignals& held) {
  const SignalForwarding forwarding(program, held);
  const int exec_failure = read_exec_failure(report);
  watch(program);
  return exec_failure;
}

}  // namespace

Result<int> run_program(std::vector<std::string> words, std::vector<char*> environment,
                        const std::filesystem::path& journal_folder, const HeldSignals& held) {
  std::vector<char*> command;
  command.reserve(words.size() + 1);
  for (std::string& word : words) command.push_back(word.data());
  command.push_back(nullptr);
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return system_error("cannot make a pipe");
  adopt_orphans();
  const pid_t program = ::fork();
  if (program == 0) {
    held.withdraw();
    become(command, environment, journal_folder.c_str(), report[1]);
  }
  if (program < 0) {
    Error error = system_error("cannot make a process");
    for (const int end : report) ::close(end);
    return error;
  }
  ::close(report[1]);
  const int exec_failure = accompany(program, report[0], held);
  ::close(report[0]);
  const int status = status_of(program);
  // A hangup may only mean that the program is to read its configuration again.
  const bool asked = asked_to_end != 0 || status == 128 + SIGHUP;
  wait_for_descendants(asked ? AskedToEnd::kYes : AskedToEnd::kNo);
  if (exec_failure == 0) return status;
  return Error{ErrorCode::kNotFound,
               concat("cannot run '", words.front(), "': ", explain(words.front(), exec_failure))};
}

}  // namespace compass::cli
