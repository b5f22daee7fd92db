// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driverless/decode/helper_process.h"
#include "driverless/decode/instruction.h"
#include "ir/base/bytes.h"

namespace compass::decode {

/// A place that control flow reaches and that holds no instruction we can take apart.
struct Undecodable {
  std::uint64_t pc = 0;
  std::string cause;
};

/// What control flow reaches from one entry, by pc.
struct Listing {
  std::map<std::uint64_t, Instruction> instructions;
  std::map<std::uint64_t, Undecodable> undecodable;
};

/// `listing` with every pc counted from `start`.
Listing relative_to(const Listing& listing, std::uint64_t start);

/// More than any real kernel has.
inline constexpr std::size_t kMostInstructions = std::size_t{1} << 17;

/// Machine code to instructions, through LLVM MC in a helper process that starts on first use.
///
/// Bytes that crash the helper become undecodable, and it is started again; so it is where
/// something else ended it. What one kernel may take is bounded: code beyond kMostInstructions is
/// undecodable. Threads: one at a time.
class Decoder {
 public:
  Decoder(std::string helper_path, std::string processor)
      : helper_path_(std::move(helper_path)), processor_(std::move(processor)) {}

  /// Everything that direct control flow reaches from byte `entry` of `code`. Errors: the helper
  /// cannot be started.
  Result<Listing> decode(ByteView code, std::uint64_t entry);

 private:
  struct Walk;
  enum class Answer { kGoesOn, kEnds, kHelperGone };

  /// One path: from `pc` to its end, to an instruction that is known, or to trouble.
  Result<void> decode_path(Walk& walk, std::uint64_t pc);
  /// Up to `limit` instructions from `pc`, which is advanced.
  Result<Answer> request(Walk& walk, std::uint64_t& pc, std::uint32_t limit);
  Result<void> start(ByteView code);
  bool send_code(ByteView code);

  std::string helper_path_, processor_;
  HelperProcess helper_;
  const std::byte* sent_code_ = nullptr;  // what the running helper holds
};

}  // namespace compass::decode
