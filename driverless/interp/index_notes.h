// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driverless/interp/op.h"
#include "driverless/interp/row.h"
#include "driverless/machine/memory.h"
#include "ir/index_bytes.h"

namespace compass::interp {

/// What the instruction does to memory, of each lane; nothing where both are 0.
struct NotedAccess {
  std::uint8_t load_bytes = 0;  ///< of a load whose bytes are to be kept
  std::uint8_t store_bytes = 0;
};

/// Keeps the bytes that a launch loads to form addresses, predicates and branches: each as it was
/// when it was loaded first, unless the launch had stored to it before.
class IndexNotes {
 public:
  /// Of one launch at most so many.
  explicit IndexNotes(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  void load(const Region& region, std::uint64_t address, std::uint64_t size_bytes);
  void store(std::uint64_t address, std::uint64_t size_bytes);

  LoadedIndex take(const Memory& memory);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  using Bits = std::array<std::uint64_t, kPageBytes / 64>;
  struct Page {
    Bits kept{};
    std::array<std::byte, kPageBytes> bytes;
  };

  static bool has(const Bits& bits, std::uint64_t at) {
    return (bits[at / 64] >> at % 64 & 1) != 0;
  }
  void keep(const std::byte* from, std::uint64_t address, std::uint64_t size_bytes);

  std::uint64_t most_bytes_;
  std::uint64_t kept_bytes_ = 0;
  bool complete_ = true;
  std::map<std::uint64_t, Page> pages_;             // by address / kPageBytes
  std::unordered_map<std::uint64_t, Bits> stored_;  // the same
};

/// The bytes of a load, store or atomic, from its name: "…_dwordx4", "…_short_d16", "…_add_x2".
std::uint8_t access_bytes(std::string_view mnemonic);

/// What the instruction of `op` is noted for; `keeps`: its loads are those of indices.
NotedAccess noted_access(const Op& op, bool keeps);

/// A handler that notes what its instruction is about to do, and does it.
void note_and_run(Wavefront& wave, const Op& op);

/// As long as this lives, note_and_run() on this thread tells `notes`; `accesses` is by the index
/// of the op in its program.
class NotingScope {
 public:
  NotingScope(const NotedAccess* accesses, IndexNotes* notes);
  ~NotingScope();
  NotingScope(const NotingScope&) = delete;
  NotingScope& operator=(const NotingScope&) = delete;
};

}  // namespace compass::interp
