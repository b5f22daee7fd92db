// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "ir/call_site.h"

namespace compass::capture {

/// Where the program's code asks for something: the native stack of its call, outside the recorder
/// and the runtime. Each different one has a number, from 1.
///
/// Finding a known one costs what backtrace() costs, 1 to 3 µs; a new one asks the dynamic linker
/// about each frame, without any lock of ours being held: who calls HIP may hold the linker's.
/// Threads: any.
class CallSites {
 public:
  enum class Modules : std::uint8_t { kNames, kPaths };

  /// Wanted as COMPASS_CALLSITES says: "names" or "paths". Unset: not.
  CallSites();

  bool are_wanted() const { return modules_.has_value(); }
  /// Makes the later calls take no memory for unwinding. False where stacks cannot be unwound.
  bool prepare();
  /// The number of this thread's call site; 0: none is wanted, there is no room for another, or a
  /// signal handler asks in the midst of this.
  std::uint32_t current();
  /// Its frames, from the innermost. They stay.
  const CallSite& at(std::uint32_t number);

  void before_fork();
  void after_fork();

 private:
  static constexpr std::size_t kMostFrames = 24;  ///< looked at, the recorder's included
  using Addresses = std::array<std::uintptr_t, kMostFrames>;  ///< zeros behind the outermost

  CallSite describe(const Addresses& addresses) const;

  std::optional<Modules> modules_;
  std::mutex mutex_;
  std::map<Addresses, std::uint32_t> numbers_;
  std::deque<CallSite> sites_;
};

}  // namespace compass::capture
