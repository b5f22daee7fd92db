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

/// Machine code to instructions, through LLVM MC in a helper process that starts on first use.
///
/// Bytes that crash the helper become undecodable, and it is started again. Threads: one at a time.
class Decoder {
 public:
  Decoder(std::string helper_path, std::string processor)
      : helper_path_(std::move(helper_path)), processor_(std::move(processor)) {}

  /// Everything that direct control flow reaches from byte `entry` of `code`. Errors: the helper
  /// cannot be started.
  Result<Listing> decode(ByteView code, std::uint64_t entry);

 private:
  /// One path: from `pc` to its end, to an instruction that is in `listing`, or to trouble.
  Result<void> decode_path(ByteView code, std::uint64_t pc, Listing& listing);
  /// Up to `limit` instructions from `pc`. True if the path goes on at `pc`, which is advanced.
  Result<bool> request(ByteView code, std::uint64_t& pc, std::uint32_t limit, Listing& listing);
  Result<void> start(ByteView code);

  std::string helper_path_, processor_;
  HelperProcess helper_;
  const std::byte* sent_code_ = nullptr;  // what the running helper holds
};

}  // namespace compass::decode
