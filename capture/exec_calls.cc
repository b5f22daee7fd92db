// SPDX-License-Identifier: MIT
#include "capture/exec_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/exec_mark.h"
#include "capture/exec_target.h"
#include "capture/hooks/runtime.h"

/// The C library's calls that start programs. They pass through unchanged; one that starts a
/// program without the recorder leaves a mark first. Callers may be children of vfork(), which
/// share their parent's memory: nothing here takes memory or a lock once the library is loaded.

namespace compass::capture {
namespace {

#define EXEC_CALLS(X) \
  X(execve)           \
  X(execv)            \
  X(execvp) X(execvpe) X(execveat) X(fexecve) X(posix_spawn) X(posix_spawnp) X(system) X(popen)

/// The functions behind ours.
struct RealCalls {
#define MEMBER(name) decltype(&::name) name = nullptr;
  EXEC_CALLS(MEMBER)
#undef MEMBER
};

template <class Function>
void find(const char* name, Function& function) {
  function = reinterpret_cast<Function>(real_dlsym(RTLD_NEXT, name));
}

RealCalls find_real_calls() {
  RealCalls calls;
#define FIND(name) find(#name, calls.name);
  EXEC_CALLS(FIND)
#undef FIND
  return calls;
}

const RealCalls& real_calls() {
  static const RealCalls calls = find_real_calls();
  return calls;
}

/// How children find the recorder: what was so when this process began.
struct Inheritance {
  char library[PATH_MAX] = "";
  char journal_folder[PATH_MAX] = "";

  Inheritance() {
    Dl_info self{};
    if (::dladdr(reinterpret_cast<const void*>(&real_calls), &self) == 0) return;
    const char* const folder = ::getenv("COMPASS_JOURNAL_DIR");
    if (folder == nullptr) return;
    std::snprintf(library, sizeof library, "%s", self.dli_fname);
    std::snprintf(journal_folder, sizeof journal_folder, "%s", folder);
  }
  bool is_known() const { return *library != '\0' && *journal_folder != '\0'; }
};

const Inheritance& inheritance() {
  static const Inheritance inherited;
  return inherited;
}

Obstacle obstacle_in(char* const* environment) {
  const Inheritance& inherited = inheritance();
  const RecorderNames names{inherited.library, inherited.journal_folder};
  return names_recorder(environment, names) ? Obstacle::kNone : Obstacle::kEnvironment;
}

/// What would keep the recorder out of `file`, started with that environment.
Obstacle obstacle_of(const char* file, char* const* environment, PlainText plain_text) {
  // What cannot be started leaves no mark: callers that search try many names, also none at all.
  if (!inheritance().is_known() || ::access(file, X_OK) != 0) return Obstacle::kNone;
  const Obstacle obstacle = find_obstacle(file, plain_text);
  return obstacle == Obstacle::kNone ? obstacle_in(environment) : obstacle;
}

/// `work()` with errno as before.
template <class Work>
auto keeping_errno(Work work) {
  const int saved_errno = errno;
  const auto result = work();
  errno = saved_errno;
  return result;
}

/// Calls `start`, which gives 0 where exec or spawn succeed, and marks the program before if that
/// is needed. `program` is what the user knows the file by.
template <class Start>
int start_marked(const char* program, const char* file, char* const* environment,
                 PlainText plain_text, Start start) {
  const Obstacle obstacle =
      keeping_errno([=] { return obstacle_of(file, environment, plain_text); });
  ExecMark mark(program, obstacle, inheritance().journal_folder);
  const int result = start();
  if (result != 0) mark.withdraw();
  return result;
}

/// The same for a program that is looked for in PATH.
template <class Start>
int start_found(const char* name, char* const* environment, PlainText plain_text, Start start) {
  char file[PATH_MAX];
  if (!keeping_errno([&] { return find_in_path(name, file, sizeof file); })) return start();
  return start_marked(file, file, environment, plain_text, start);
}

/// The same for an open file, which is executed whatever it is called now.
template <class Start>
int start_open(int descriptor, char* const* environment, Start start) {
  char file[32];
  std::snprintf(file, sizeof file, "/proc/self/fd/%d", descriptor);  // integers take no memory
  char program[PATH_MAX];
  const ssize_t size = keeping_errno([&] { return ::readlink(file, program, sizeof program - 1); });
  if (size < 0) return start();
  program[size] = '\0';
  return start_marked(program, file, environment, PlainText::kFails, start);
}

/// The environment of a shell that the C library starts for the program.
void mark_shell() {
  if (!inheritance().is_known()) return;
  const ExecMark mark("/bin/sh", obstacle_in(environ), inheritance().journal_folder);
}

/// How many arguments there are up to the null at their end; `list` is behind the first.
std::size_t count_arguments(const char* first, va_list list) {
  if (first == nullptr) return 0;
  std::size_t count = 1;
  while (va_arg(list, char*) != nullptr) ++count;
  return count;
}

/// Stores them with the null.
void take_arguments(char** arguments, std::size_t count, const char* first, va_list* list) {
  arguments[0] = const_cast<char*>(first);
  for (std::size_t i = 1; i <= count; ++i) arguments[i] = va_arg(*list, char*);
}

int not_there() {
  errno = ENOSYS;
  return -1;
}

}  // namespace

void prepare_exec_calls() {
  real_calls();
  inheritance();
}

}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: what follows are the C library's names

#define EXPORTED [[gnu::visibility("default")]]

extern "C" {

EXPORTED int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  return start_marked(path, path, environment, PlainText::kFails,
                      [=] { return real_calls().execve(path, arguments, environment); });
}

EXPORTED int execv(const char* path, char* const* arguments) noexcept {
  return start_marked(path, path, environ, PlainText::kFails,
                      [=] { return real_calls().execv(path, arguments); });
}

EXPORTED int execvp(const char* name, char* const* arguments) noexcept {
  return start_found(name, environ, PlainText::kIsShellScript,
                     [=] { return real_calls().execvp(name, arguments); });
}

EXPORTED int execvpe(const char* name, char* const* arguments, char* const* environment) noexcept {
  return start_found(name, environment, PlainText::kIsShellScript,
                     [=] { return real_calls().execvpe(name, arguments, environment); });
}

EXPORTED int fexecve(int descriptor, char* const* arguments, char* const* environment) noexcept {
  return start_open(descriptor, environment,
                    [=] { return real_calls().fexecve(descriptor, arguments, environment); });
}

EXPORTED int execveat(int folder, const char* path, char* const* arguments,
                      char* const* environment, int flags) noexcept {
  const auto start = [=] {
    const auto real = real_calls().execveat;
    return real == nullptr ? not_there() : real(folder, path, arguments, environment, flags);
  };
  if (path[0] == '\0') return start_open(folder, environment, start);
  if (path[0] == '/' || folder == AT_FDCWD) {
    return start_marked(path, path, environment, PlainText::kFails, start);
  }
  char file[PATH_MAX];
  std::snprintf(file, sizeof file, "/proc/self/fd/%d/", folder);
  std::strncat(file, path, sizeof file - std::strlen(file) - 1);
  return start_marked(path, file, environment, PlainText::kFails, start);
}

EXPORTED int execl(const char* path, const char* argument, ...) noexcept {
  va_list list;
  va_start(list, argument);
  const std::size_t count = count_arguments(argument, list);
  va_end(list);
  auto** const arguments = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
  va_start(list, argument);
  take_arguments(arguments, count, argument, &list);
  va_end(list);
  return execv(path, arguments);
}

EXPORTED int execlp(const char* name, const char* argument, ...) noexcept {
  va_list list;
  va_start(list, argument);
  const std::size_t count = count_arguments(argument, list);
  va_end(list);
  auto** const arguments = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
  va_start(list, argument);
  take_arguments(arguments, count, argument, &list);
  va_end(list);
  return execvp(name, arguments);
}

EXPORTED int execle(const char* path, const char* argument, ...) noexcept {
  va_list list;
  va_start(list, argument);
  const std::size_t count = count_arguments(argument, list);
  va_end(list);
  auto** const arguments = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
  va_start(list, argument);
  take_arguments(arguments, count, argument, &list);
  char** const environment = va_arg(list, char**);
  va_end(list);
  return execve(path, arguments, environment);
}

EXPORTED int posix_spawn(pid_t* process, const char* path,
                         const posix_spawn_file_actions_t* actions,
                         const posix_spawnattr_t* attributes, char* const* arguments,
                         char* const* environment) {
  return start_marked(path, path, environment, PlainText::kFails, [=] {
    return real_calls().posix_spawn(process, path, actions, attributes, arguments, environment);
  });
}

EXPORTED int posix_spawnp(pid_t* process, const char* name,
                          const posix_spawn_file_actions_t* actions,
                          const posix_spawnattr_t* attributes, char* const* arguments,
                          char* const* environment) {
  return start_found(name, environment, PlainText::kFails, [=] {
    return real_calls().posix_spawnp(process, name, actions, attributes, arguments, environment);
  });
}

EXPORTED int system(const char* command) {
  if (command != nullptr) mark_shell();
  return real_calls().system(command);
}

EXPORTED FILE* popen(const char* command, const char* mode) {
  mark_shell();
  return real_calls().popen(command, mode);
}

}  // extern "C"
