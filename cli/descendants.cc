// SPDX-License-Identifier: MIT
#include "cli/descendants.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "cli/signals.h"
#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass::cli {
namespace {

constexpr int kPatienceSeconds = 2;

struct Process {
  pid_t id = 0;
  pid_t parent = 0;
  std::string name;
};

/// From "ID (NAME) STATE PARENT …", where the name may hold anything.
Process parse_process(pid_t id, const std::string& status) {
  const std::size_t open = status.find('(');
  const std::size_t close = status.rfind(')');
  constexpr std::size_t kToParent = 4;  // ") S "
  if (open == std::string::npos || close == std::string::npos || close + kToParent > status.size())
    return {};
  Process process{id, 0, status.substr(open + 1, close - open - 1)};
  const char* const begin = status.data() + close + kToParent;
  std::from_chars(begin, status.data() + status.size(), process.parent);
  return process;
}

std::vector<Process> all_processes() {
  std::vector<Process> processes;
  std::error_code failed;
  for (std::filesystem::directory_iterator file("/proc", failed), end; !failed && file != end;
       file.increment(failed)) {
    const std::string name = file->path().filename().string();
    pid_t id = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), id);
    if (parsed.ec != std::errc() || *parsed.ptr != '\0') continue;
    std::ifstream status(file->path() / "stat");
    const std::string text{std::istreambuf_iterator<char>(status), {}};
    processes.push_back(parse_process(id, text));
  }
  return processes;
}

/// Ours, theirs, and so on.
std::vector<Process> descendants() {
  const std::vector<Process> all = all_processes();
  std::vector<Process> found{{::getpid(), 0, {}}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [parent = found[i].id](const Process& each) { return each.parent == parent; });
  }
  found.erase(found.begin());
  return found;
}

void say_whom_we_wait_for() {
  constexpr std::size_t kMost = 10;
  std::string names;
  std::size_t count = 0;
  for (const Process& process : descendants()) {
    if (process.name == "compass-decode") continue;  // a part of the runtime, ends with its process
    if (++count > kMost) continue;
    names +=
        concat(names.empty() ? "" : ", ", printable(process.name), " (process ", process.id, ")");
  }
  if (count == 0) return;
  if (count > kMost) names += concat(" and ", count - kMost, " more");
  std::fprintf(stderr,
               "compass-capture: the program has ended, waiting for what it left: %s; interrupt to "
               "end them\n",
               names.c_str());
}

void send_to_descendants(int signal) {
  for (const Process& process : descendants()) ::kill(process.id, signal);
}

/// The next held signal; 0 after some time without one.
int next_signal(int seconds) {
  sigset_t held;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &held);
  const timespec time{seconds, 0};
  return std::max(0, ::sigtimedwait(&held, nullptr, &time));
}

bool asks_to_end(int signal) {
  return std::find(kEndingSignals.begin(), kEndingSignals.end(), signal) != kEndingSignals.end();
}

}  // namespace

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void wait_for_descendants(AskedToEnd asked) {
  int sent = 0;
  if (asked == AskedToEnd::kYes) send_to_descendants(sent = SIGTERM);
  for (bool said = false;;) {
    pid_t ended = 0;
    do {
      ended = ::waitpid(-1, nullptr, WNOHANG | __WALL);
    } while (ended > 0 || (ended < 0 && errno == EINTR));
    if (ended < 0) return;
    const int signal = next_signal(kPatienceSeconds);
    if (signal == 0 && !said) say_whom_we_wait_for();
    said |= signal == 0;
    if (asks_to_end(signal)) send_to_descendants(sent = sent == 0 ? SIGTERM : SIGKILL);
  }
}

}  // namespace compass::cli
