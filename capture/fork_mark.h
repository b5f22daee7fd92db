// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

namespace compass::capture {

/// Tells a process from its copies, also from those that clone(2) made behind the fork handlers'
/// backs; at the price of a load, since a page of memory is what the kernel clears in a copy.
/// A process that shares its parent's memory (vfork) is taken for the parent.
class ForkMark {
 public:
  ForkMark();

  /// Whether this is not the process that made the mark, or set() it last.
  bool is_copy() const;
  /// Whether a process of another number runs here: a copy, or one that shares this memory.
  bool is_elsewhere() const;
  void set();

 private:
  volatile unsigned char* page_ = nullptr;  ///< null where the kernel clears no pages
  pid_t process_;
};

}  // namespace compass::capture
