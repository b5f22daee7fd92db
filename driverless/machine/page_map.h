// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace compass {

/// Which pages of this process's private mappings have been stored to, as the system knows it, no
/// matter who stored.
///
/// For one piece of work, going through ascending addresses: what is read once is not read again.
class PageMap {
 public:
  PageMap();
  ~PageMap();
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  /// Whether nothing was ever stored in the pages of [begin, end), which were mapped as zeros or
  /// from a file. False also where the system does not tell.
  bool untouched(std::uint64_t begin, std::uint64_t end);

 private:
  bool read(std::uint64_t first_page);

  int file_;
  std::uint64_t page_bytes_;
  std::uint64_t first_page_ = 0;        // of `entries_`
  std::vector<std::uint64_t> entries_;  // one a page
};

}  // namespace compass
