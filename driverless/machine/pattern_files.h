// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compass {

/// Files in memory, each repeating one 32-bit word, for mapping them again and again.
///
/// Those used last are kept, so that many fills with one word share the memory of one. What a file
/// holds stays as long as anything maps it. Threads: one at a time.
class PatternFiles {
 public:
  PatternFiles() = default;
  PatternFiles(PatternFiles&&) noexcept = default;
  PatternFiles& operator=(PatternFiles&&) = delete;
  ~PatternFiles();

  /// A descriptor of one that repeats `word` for at least `size_bytes`, a multiple of the page's
  /// size; owned by this, and to be used at once. Negative where the system refuses.
  int find(std::uint32_t word, std::uint64_t size_bytes);

 private:
  struct File {
    std::uint32_t word;
    int descriptor;
    dev_t device;  // with the inode: whether the descriptor is still ours
    ino_t inode;
    std::uint64_t size_bytes;
  };

  static bool is_ours(const File& file);
  static bool extend(File& file, std::uint64_t size_bytes);

  std::vector<File> files_;  // the one used last at the end
};

}  // namespace compass
