// SPDX-License-Identifier: MIT

// libcompass_audit.so: sends every search for AMD's HIP runtime, hiprtc and roctx to the driverless
// ones. The dynamic linker loads it with LD_AUDIT into a namespace of its own, before the program's
// libraries: nothing here may need more than libc.

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

constexpr char kRuntimeStem[] = "libamdhip64";

/// Another library of AMD's: what its file names start with, and our file that takes its place.
struct Library {
  const char* stem;
  const char* ours;
};

constexpr Library kLibraries[] = {
    {"libhiprtc", "libhiprtc.so"},
    {"libroctx64", "libroctx64.so.4"},
    {"librocprofiler-sdk-roctx", "libroctx64.so.4"},
};

constexpr int kOldestMajor = 5;
constexpr int kNewestMajor = 7;

/// The last runtime that was given out: what a name without a version means, if it is not the
/// first.
int given_major = kNewestMajor;

/// What la_objsearch answered last. The linker copies it before it searches on.
char answer[PATH_MAX];

const char* base_name(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

bool is_version(const char* text) {
  const size_t length = strspn(text, "0123456789.");
  return *text == '.' && text[length] == '\0' && text[length - 1] != '.';
}

/// Whether `name` is a file name of the library with this stem: "libx.so", "libx.so.6.4.43483", and
/// as wheels bundle it "libx-0123abcd.so.6". What follows ".so" goes to `version`.
bool is_named(const char* name, const char* stem, const char** version) {
  const size_t length = strlen(stem);
  if (strncmp(name, stem, length) != 0) return false;
  const char* rest = name + length;
  if (*rest == '-') rest += 1 + strspn(rest + 1, "0123456789abcdef");
  if (strncmp(rest, ".so", 3) != 0) return false;
  *version = rest + 3;
  return **version == '\0' || is_version(*version);
}

/// The file `name` in the folder of this library, or null where there is none.
const char* find_beside(const char* name) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&find_beside), &self) == 0) return nullptr;
  const auto folder = static_cast<int>(base_name(self.dli_fname) - self.dli_fname);
  const int length = snprintf(answer, sizeof answer, "%.*s%s", folder, self.dli_fname, name);
  const bool fits = length > 0 && static_cast<size_t>(length) < sizeof answer;
  return fits && access(answer, R_OK) == 0 ? answer : nullptr;
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
  char path[PATH_MAX];
  const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || static_cast<size_t>(length) >= sizeof path) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
}

/// Our file `file` for the one called `wanted`. Null, and said, where it is missing: AMD's library
/// in its place would find no driver, and say less.
const char* answer_with(const char* file, const char* wanted) {
  const char* const path = find_beside(file);
  if (path == nullptr) say(file, " is missing beside libcompass_audit.so; it was to be ", wanted);
  return path;
}

/// Our runtime for a name of AMD's with this version. Null, and said once, for one that we do not
/// have.
const char* find_runtime(const char* wanted, const char* version) {
  const int major = *version == '\0' ? given_major : atoi(version + 1);
  if (major < kOldestMajor || major > kNewestMajor) {
    static bool said = false;
    if (!said) {
      say("the program asks for ", wanted,
          "; the driverless runtime has the interfaces of HIP 5, 6 and 7");
      mark("asked-for-unknown-runtime");
    }
    said = true;
    return nullptr;
  }
  given_major = major;
  char file[] = "libamdhip64.so.N";
  file[sizeof file - 2] = static_cast<char>('0' + major);
  return answer_with(file, wanted);
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

unsigned int la_version(unsigned int version) {
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/// Only the name as the program wrote it is of interest: what we answer has a slash, and the paths
/// that the linker tries for other names are not ours to change. Null ends the search.
char* la_objsearch(const char* name, uintptr_t*, unsigned int flag) {
  if (flag != LA_SER_ORIG) return const_cast<char*>(name);
  const char* const wanted = base_name(name);
  const char* version = nullptr;
  if (is_named(wanted, kRuntimeStem, &version)) {
    return const_cast<char*>(find_runtime(wanted, version));
  }
  for (const Library& library : kLibraries) {
    if (is_named(wanted, library.stem, &version)) {
      return const_cast<char*>(answer_with(library.ours, wanted));
    }
  }
  return const_cast<char*>(name);
}

#pragma GCC visibility pop
}
