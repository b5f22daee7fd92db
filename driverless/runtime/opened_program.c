// SPDX-License-Identifier: MIT

// A C program for finding_test.py that knows HIP by name only. Its arguments are commands:
//   open NAME      opens a library of this name
//   use            works with the library opened last, or with the one it is linked with, and prints
//                  the file that has the calls, its version and the memory's last word
//   fork | spawn   does the rest of the commands in a child that starts this program anew

#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static void* library = RTLD_DEFAULT;

static void* find(const char* name) {
  void* const function = dlsym(library, name);
  if (function != NULL) return function;
  printf("no %s: %s\n", name, dlerror());
  exit(1);
}

static int use(void) {
  int (*const get_version)(int*) = find("hipRuntimeGetVersion");
  int (*const allocate)(void**, size_t) = find("hipMalloc");
  int (*const set_bytes)(void*, int, size_t) = find("hipMemset");
  int (*const copy)(void*, const void*, size_t, int) = find("hipMemcpy");
  int (*const release)(void*) = find("hipFree");
  Dl_info info;
  if (dladdr(find("hipRuntimeGetVersion"), &info) == 0) return 1;
  int version = 0;
  unsigned words[2] = {0, 0};
  void* memory = NULL;
  const int failures[] = {
      get_version(&version), allocate(&memory, sizeof words), set_bytes(memory, 0x5a, sizeof words),
      copy(words, memory, sizeof words, 2), release(memory)};
  for (size_t i = 0; i < sizeof failures / sizeof *failures; ++i) {
    if (failures[i] != 0) printf("call %zu failed with %d\n", i, failures[i]);
  }
  printf("%s %d %x\n", info.dli_fname, version, words[1]);
  return 0;
}

static int wait_for(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int run_forked(char** arguments) {
  const pid_t child = fork();
  if (child != 0) return wait_for(child);
  execv("/proc/self/exe", arguments);
  return 1;
}

static int run_spawned(char** arguments) {
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) != 0) return 1;
  return wait_for(child);
}

int main(int count, char** arguments) {
  for (int at = 1; at < count; ++at) {
    const char* const command = arguments[at];
    if (strcmp(command, "fork") == 0) return run_forked(arguments + at);
    if (strcmp(command, "spawn") == 0) return run_spawned(arguments + at);
    if (strcmp(command, "use") == 0 && use() != 0) return 1;
    if (strcmp(command, "open") != 0) continue;
    library = dlopen(arguments[++at], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) printf("%s\n", dlerror());
    if (library == NULL) return 1;
  }
  return 0;
}
