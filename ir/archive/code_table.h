// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/archive/writer.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/journal/entry.h"
#include "ir/recording.h"

namespace compass::archive {

/// Which kernel a launched host function is, as a journal goes by. A fat binary is read when one of
/// its kernels is launched for the first time, and only then does its code object, with only its
/// launched kernels, enter the recording: libraries register thousands that a program never uses.
class CodeTable {
 public:
  /// `architecture` as gcnArchName has it. Code objects and kernels are appended to `recording`,
  /// the bytes of code objects to `contents`, which views the fat binaries and, for those that are
  /// compressed, `decompressed`. All must outlive this.
  CodeTable(std::string architecture, Recording& recording, Contents& contents,
            std::list<Bytes>& decompressed);

  void add(const journal::FatBinary& fat_binary);
  void add(const journal::Function& function);
  /// The code object that this unloads, if it does.
  std::optional<CodeObjectId> remove(const journal::UnloadFatBinary& fat_binary);

  struct Found {
    KernelId kernel;
    std::optional<CodeObjectId> loads;  ///< needed from here on, and not loaded before
  };
  Result<Found> find(std::uint64_t host_function);
  struct FoundCode {
    CodeObjectId code_object;
    std::optional<CodeObjectId> loads;  ///< as of a kernel
  };
  /// The code object of a fat binary, one of whose variables is used.
  Result<FoundCode> find_code(std::uint64_t fat_binary);
  /// For reports: the kernel's name as registered.
  std::string name_of(std::uint64_t host_function) const;

 private:
  struct Binary {
    ByteView bytes;
    CodeObjectId code_object;      ///< once it was read
    std::optional<Error> problem;  ///< why it could not be
    bool loaded = false;
    bool removed = false;
  };
  struct Function {
    std::size_t binary = 0;  ///< index into binaries_
    std::string name;
    KernelId kernel;  ///< once it was launched
  };
  struct CodeObjectState {
    std::unordered_map<std::string, Kernel> kernels;  ///< by name; `id` once one was launched
    std::uint32_t loads = 0;                          ///< binaries that have it loaded
  };

  std::optional<CodeObjectId> load(Binary& binary);
  Result<CodeObjectId> read(ByteView fat_binary);
  Result<void> ensure_read(Binary& binary);
  Result<KernelId> kernel_of(CodeObjectId code_object, const std::string& name);

  std::string architecture_;
  Recording& recording_;
  Contents& contents_;
  std::list<Bytes>& decompressed_;
  std::vector<Binary> binaries_;
  std::unordered_map<std::uint64_t, std::size_t> binary_of_handle_;
  std::unordered_map<std::uint64_t, Function> functions_;
  std::vector<CodeObjectState> states_;  ///< by code object
  std::map<std::string, CodeObjectId> code_object_of_sha256_;
};

}  // namespace compass::archive
