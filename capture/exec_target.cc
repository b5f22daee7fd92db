// SPDX-License-Identifier: MIT
#include "capture/exec_target.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace compass::capture {
namespace {

/// As Linux has it: how much of a file says what it is, and how many interpreters may follow each
/// other.
constexpr std::size_t kHeadBytes = 256;
constexpr int kMostInterpreters = 5;

/// A regular file that is open for reading while this lives.
class OpenFile {
 public:
  explicit OpenFile(const char* path) {
    // What is no regular file might wait for a writer, or do something when it is opened.
    if (::stat(path, &status_) != 0 || !S_ISREG(status_.st_mode)) return;
    descriptor_ = ::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  const struct stat& status() const { return status_; }

  std::size_t read(std::uint64_t offset, void* to, std::size_t size_bytes) const {
    const ssize_t size = ::pread(descriptor_, to, size_bytes, static_cast<off_t>(offset));
    return size < 0 ? 0 : static_cast<std::size_t>(size);
  }

 private:
  struct stat status_ {};
  int descriptor_ = -1;
};

/// Whether executing the file changes what the process may do: the kernel then has the dynamic
/// linker ignore what the environment asks for.
bool gains_rights(const OpenFile& file) {
  const struct stat& status = file.status();
  struct statfs mounted {};
  const bool may_gain =
      ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 &&
      (::fstatfs(file.descriptor(), &mounted) != 0 || (mounted.f_flags & ST_NOSUID) == 0);
  constexpr mode_t kSetGid = S_ISGID | S_IXGRP;
  const bool sets_user = may_gain && (status.st_mode & S_ISUID) != 0;
  const bool sets_group = may_gain && (status.st_mode & kSetGid) == kSetGid;
  if ((sets_user ? status.st_uid : ::geteuid()) != ::getuid()) return true;
  if ((sets_group ? status.st_gid : ::getegid()) != ::getgid()) return true;
  // To root, capabilities of a file are nothing new.
  return may_gain && ::getuid() != 0 &&
         ::fgetxattr(file.descriptor(), "security.capability", nullptr, 0) > 0;
}

/// The dynamic linker itself may be executed, with a program as its argument.
bool is_dynamic_linker(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("ld-") || name.starts_with("ld.so");
}

bool has_interpreter(const OpenFile& file, const Elf64_Ehdr& header) {
  Elf64_Phdr segments[8];
  for (std::size_t first = 0; first < header.e_phnum; first += std::size(segments)) {
    const std::size_t size =
        file.read(header.e_phoff + first * sizeof(Elf64_Phdr), segments, sizeof segments);
    for (std::size_t i = 0; i < size / sizeof(Elf64_Phdr) && first + i < header.e_phnum; ++i) {
      if (segments[i].p_type == PT_INTERP) return true;
    }
  }
  return false;
}

Obstacle obstacle_in_elf(const OpenFile& file, const char* path, const char* head) {
  Elf64_Ehdr header;
  std::memcpy(&header, head, sizeof header);
  const bool is_ours = header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_X86_64;
  if (!is_ours) return Obstacle::kOtherMachine;
  if (gains_rights(file)) return Obstacle::kPrivileged;
  return has_interpreter(file, header) || is_dynamic_linker(path) ? Obstacle::kNone
                                                                  : Obstacle::kStatic;
}

/// The interpreter that a script's first line names; it stays in `line`. Null where it names none.
const char* interpreter_in(char* line, std::size_t size_bytes) {
  if (size_bytes < 2 || line[0] != '#' || line[1] != '!') return nullptr;
  line[size_bytes] = '\0';
  char* const begin = line + 2 + std::strspn(line + 2, " \t");
  begin[std::strcspn(begin, " \t\n")] = '\0';
  return *begin == '\0' ? nullptr : begin;
}

Obstacle obstacle_in_file(const char* path, PlainText plain_text, int interpreters) {
  char head[kHeadBytes + 1];
  const OpenFile file(path);
  if (!file) return Obstacle::kNone;
  const std::size_t size = file.read(0, head, kHeadBytes);
  if (size >= sizeof(Elf64_Ehdr) && std::memcmp(head, ELFMAG, SELFMAG) == 0) {
    return obstacle_in_elf(file, path, head);
  }
  const char* interpreter = interpreter_in(head, size);
  const bool is_text = interpreter == nullptr && size > 0;
  if (is_text && plain_text == PlainText::kIsShellScript) interpreter = "/bin/sh";
  if (interpreter == nullptr || interpreters == kMostInterpreters) return Obstacle::kNone;
  return obstacle_in_file(interpreter, PlainText::kFails, interpreters + 1);
}

/// The value of the last variable of this name, which is the one that the dynamic linker takes.
const char* value_in(char* const* environment, std::string_view name) {
  const char* value = nullptr;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const char* const variable = *environment;
    if (std::strncmp(variable, name.data(), name.size()) == 0 && variable[name.size()] == '=') {
      value = variable + name.size() + 1;
    }
  }
  return value;
}

bool lists(std::string_view list, std::string_view entry) {
  while (!list.empty()) {
    const std::size_t length = list.find_first_of(": ");
    if (list.substr(0, length) == entry) return true;
    if (length == std::string_view::npos) return false;
    list.remove_prefix(length + 1);
  }
  return false;
}

/// FOLDER/NAME, where an empty folder is the current one.
bool join(std::string_view folder, std::string_view name, char* path, std::size_t size_bytes) {
  const std::size_t slash = folder.empty() ? 0 : 1;
  if (folder.size() + slash + name.size() >= size_bytes) return false;
  std::memcpy(path, folder.data(), folder.size());
  if (slash != 0) path[folder.size()] = '/';
  std::memcpy(path + folder.size() + slash, name.data(), name.size());
  path[folder.size() + slash + name.size()] = '\0';
  return true;
}

bool can_be_executed(const char* path) {
  struct stat status {};
  return ::access(path, X_OK) == 0 && ::stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

Obstacle find_obstacle(const char* file, PlainText plain_text) {
  return obstacle_in_file(file, plain_text, 0);
}

bool names_recorder(char* const* environment, const RecorderNames& names) {
  const char* const preloaded = value_in(environment, "LD_PRELOAD");
  const char* const folder = value_in(environment, "COMPASS_JOURNAL_DIR");
  return preloaded != nullptr && lists(preloaded, names.library) && folder != nullptr &&
         std::strcmp(folder, names.journal_folder) == 0;
}

bool find_in_path(const char* name, char* file, std::size_t size_bytes) {
  const std::string_view wanted = name;
  if (wanted.empty()) return false;
  if (wanted.find('/') != std::string_view::npos) {
    return join({}, wanted, file, size_bytes) && can_be_executed(file);
  }
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/bin:/usr/bin" : path;
  for (;;) {
    const std::size_t length = rest.find(':');
    if (join(rest.substr(0, length), wanted, file, size_bytes) && can_be_executed(file)) {
      return true;
    }
    if (length == std::string_view::npos) return false;
    rest.remove_prefix(length + 1);
  }
}

}  // namespace compass::capture
