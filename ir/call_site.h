// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace compass {

/// A place in the program's host code that asks for something: the frames of its native call stack,
/// from the innermost, outside the recorder and the runtime.
struct CallSite {
  struct Frame {
    std::string module;  ///< its file's name, without a folder unless that was asked for
    std::uint64_t offset_bytes = 0;  ///< of an address in the call, in the loaded module
    std::string symbol;              ///< where the module exports the function; else empty
    bool operator==(const Frame&) const = default;
  };
  std::vector<Frame> frames;
  bool operator==(const CallSite&) const = default;
};

/// Which record was asked for where; call sites count from 1.
struct CalledFrom {
  std::uint64_t record = 0;
  std::uint32_t call_site = 0;
  bool operator==(const CalledFrom&) const = default;
};

/// The call sites of a recording, and the records of which one is known, in order.
struct RecordedCallSites {
  std::vector<CallSite> sites;
  std::vector<CalledFrom> called_from;
};

}  // namespace compass
