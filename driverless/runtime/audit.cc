// SPDX-License-Identifier: MIT

// libcompass_audit.so: sends every search for AMD's HIP runtime to the driverless one. The dynamic
// linker loads it with LD_AUDIT into a namespace of its own, before the program's libraries:
// nothing here may need more than libc.

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

constexpr char kPlainName[] = "libamdhip64.so";
constexpr char kVersionedName[] = "libamdhip64.so.7";
// Files with another interface, which the folder may or may not have.
constexpr const char* kOlderNames[] = {"libamdhip64.so.5", "libamdhip64.so.6"};

char runtime_path[PATH_MAX];
char older_path[PATH_MAX];

const char* base_name(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

/// The folder of `path` with its slash, followed by `name`. False if that does not fit.
bool put_beside(char (&out)[PATH_MAX], const char* path, const char* name) {
  const size_t folder = static_cast<size_t>(base_name(path) - path);
  const size_t length = strlen(name);
  if (folder + length >= PATH_MAX) return false;
  memcpy(out, path, folder);
  memcpy(out + folder, name, length + 1);
  return true;
}

/// The runtime that COMPASS_RUNTIME names, or the one beside this library. Null if there is none.
const char* find_runtime() {
  const char* const named = getenv("COMPASS_RUNTIME");
  if (named != nullptr && *named != '\0') return named;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_runtime), &info) == 0 ||
      info.dli_fname == nullptr || !put_beside(runtime_path, info.dli_fname, kVersionedName) ||
      access(runtime_path, R_OK) != 0) {
    return nullptr;
  }
  return runtime_path;
}

void say(const char* first, const char* second, const char* third) {
  char line[PATH_MAX];
  size_t length = 0;
  const char* const parts[] = {"compass-capture: ", first, second, third, "\n"};
  for (const char* const part : parts) {
    const size_t size = strnlen(part, sizeof line - length);
    memcpy(line + length, part, size);
    length += size;
  }
  if (write(STDERR_FILENO, line, length) < 0) return;
}

/// Leaves an empty file called `name` in the folder of the journals, if there is one: so `record`
/// knows that the user was told why the program could not start.
void mark(const char* name) {
  const char* const folder = getenv("COMPASS_JOURNAL_DIR");
  if (folder == nullptr || *folder == '\0') return;
  const size_t length = strlen(folder);
  char path[PATH_MAX];
  if (length + 1 + strlen(name) >= PATH_MAX) return;
  memcpy(path, folder, length);
  path[length] = '/';
  memcpy(path + length + 1, name, strlen(name) + 1);
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
}

/// Where a search for an older interface goes: to our library for it, or on.
const char* redirect_older(const char* name) {
  const char* const base = base_name(name);
  for (const char* const older : kOlderNames) {
    if (strcmp(base, older) != 0) continue;
    const char* const runtime = find_runtime();
    if (runtime != nullptr && put_beside(older_path, runtime, older) &&
        access(older_path, R_OK) == 0) {
      return older_path;
    }
    static bool said = false;
    if (!said) say("the program asks for ", base, "; only HIP 7's interface is offered");
    if (!said) mark("asked-for-older-runtime");
    said = true;
  }
  return name;
}

bool is_our_name(const char* name) {
  const char* const base = base_name(name);
  return strcmp(base, kPlainName) == 0 || strcmp(base, kVersionedName) == 0;
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

unsigned int la_version(unsigned int version) {
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/// Only the name as the program wrote it is of interest: what we answer has a slash, and the paths
/// that the linker tries for other names are not ours to change.
char* la_objsearch(const char* name, uintptr_t*, unsigned int flag) {
  if (flag != LA_SER_ORIG) return const_cast<char*>(name);
  if (!is_our_name(name)) return const_cast<char*>(redirect_older(name));
  const char* const runtime = find_runtime();
  if (runtime == nullptr) say("there is no ", kVersionedName, " beside libcompass_audit.so");
  return const_cast<char*>(runtime == nullptr ? name : runtime);
}

#pragma GCC visibility pop
}
