// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <cstdint>

/// What lets the recorder load where the C library is as old as glibc 2.28.
///
/// It is linked where glibc is newer, and there a name means its newest version. Each definition
/// here is hidden and stands before the C library's, for our code and for the static libraries in
/// the recorder (libstdc++, libgcc, Zstandard): it is the same function in an old version, or does
/// the same with what there has always been. exports_test.py names each symbol that needs one.

#ifndef __x86_64__
#error "the versions and the jumps are those of x86-64"
#endif

// Functions that moved into libc.so.6 in 2.34, under their versions from before, by which an old
// system has them in libdl.so.2 or libpthread.so.0. A jump keeps the caller's return address:
// dlopen and dlvsym go by it. Each has a section, so that what nothing uses is not linked.
// clang-format off
#define USE_OLD_VERSION(name, version)                        \
  asm(".symver compass_old_" #name ", " #name "@" version "\n" \
      ".section .text." #name ", \"ax\", @progbits\n"          \
      ".globl " #name "\n"                                     \
      ".hidden " #name "\n"                                    \
      ".type " #name ", @function\n"                           \
      #name ":\n"                                              \
      ".cfi_startproc\n"                                       \
      "endbr64\n"                                              \
      "jmp *compass_old_" #name "@GOTPCREL(%rip)\n"            \
      ".cfi_endproc\n"                                         \
      ".size " #name ", .-" #name "\n"                         \
      ".previous")
// clang-format on

USE_OLD_VERSION(dladdr, "GLIBC_2.2.5");
USE_OLD_VERSION(dlclose, "GLIBC_2.2.5");
USE_OLD_VERSION(dlopen, "GLIBC_2.2.5");
USE_OLD_VERSION(dlvsym, "GLIBC_2.2.5");
USE_OLD_VERSION(pthread_create, "GLIBC_2.2.5");
USE_OLD_VERSION(pthread_detach, "GLIBC_2.2.5");
USE_OLD_VERSION(pthread_join, "GLIBC_2.2.5");
USE_OLD_VERSION(pthread_once, "GLIBC_2.2.5");
USE_OLD_VERSION(pthread_sigmask, "GLIBC_2.2.5");
USE_OLD_VERSION(__pthread_key_create, "GLIBC_2.2.5");

namespace {

/// What is asked of the loaded libraries, and the answer.
struct FindObject {
  std::uintptr_t address;
  dl_find_object* found;
};

/// dl_iterate_phdr's callback: 1 where this library holds the address.
int find_in(dl_phdr_info* library, std::size_t, void* state) {
  const auto& wanted = *static_cast<const FindObject*>(state);
  const ElfW(Phdr)* holding = nullptr;
  const ElfW(Phdr)* unwinding = nullptr;
  for (std::size_t i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    const std::uintptr_t start = library->dlpi_addr + segment.p_vaddr;
    const bool holds = wanted.address >= start && wanted.address - start < segment.p_memsz;
    if (segment.p_type == PT_LOAD && holds) holding = &segment;
    if (segment.p_type == PT_GNU_EH_FRAME) unwinding = &segment;
  }
  if (holding == nullptr) return 0;
  if (unwinding == nullptr) return 2;
  const auto at = [library](std::uintptr_t offset) {
    return reinterpret_cast<void*>(library->dlpi_addr + offset);  // NOLINT: an address in memory
  };
  *wanted.found = {};
  wanted.found->dlfo_map_start = at(holding->p_vaddr);
  wanted.found->dlfo_map_end = at(holding->p_vaddr + holding->p_memsz);
  wanted.found->dlfo_eh_frame = at(unwinding->p_vaddr);
  return 1;
}

// The layout that calls with a version number mean.
constexpr int kStatVersion = 1;

}  // namespace

// NOLINTBEGIN: the names are the C library's
extern "C" {
int __fxstat64(int version, int file, struct stat64* status);
int __xstat64(int version, const char* path, struct stat64* status);
int __lxstat64(int version, const char* path, struct stat64* status);

#pragma GCC visibility push(hidden)

/// Since 2.32, "this process has one thread": libstdc++ then saves atomic operations. Never so.
char __libc_single_threaded = 0;

// Functions since 2.33, where they were calls with a version number before.
int fstat64(int file, struct stat64* status) noexcept {
  return __fxstat64(kStatVersion, file, status);
}
int stat64(const char* path, struct stat64* status) noexcept {
  return __xstat64(kStatVersion, path, status);
}
int lstat64(const char* path, struct stat64* status) noexcept {
  return __lxstat64(kStatVersion, path, status);
}

/// Since 2.35, how libgcc finds what unwinds a frame. Exceptions of ours are caught in ours:
/// Recorder::guarded.
int _dl_find_object(void* address, dl_find_object* found) noexcept {
  FindObject wanted{reinterpret_cast<std::uintptr_t>(address), found};
  return ::dl_iterate_phdr(&find_in, &wanted) == 1 ? 0 : -1;
}

#pragma GCC visibility pop
}
// NOLINTEND
