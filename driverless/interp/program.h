// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/decode/decoder.h"
#include "driverless/interp/index_notes.h"
#include "driverless/interp/number_check.h"
#include "driverless/interp/op.h"
#include "driverless/interp/row.h"

namespace compass::interp {

/// What binding must know besides the instructions.
struct BindContext {
  isa::Target target{};
  std::string architecture;         ///< for messages
  std::uint64_t entry_address = 0;  ///< of pc 0 in global memory
  unsigned vgpr_count = 0;          ///< ArchVGPRs and AccVGPRs together
  unsigned accum_offset = 0;        ///< the VGPR at which the AccVGPRs start
};

/// How often ops have run on this thread that their program had not run before.
std::uint64_t first_runs();

/// A kernel's instructions bound to their meanings, ready to run. Made once.
///
/// What cannot be bound (no row, operands or modifiers that the row does not take, bytes that are
/// no instruction) becomes an op that stops the launch with its cause when control reaches it.
class Program {
 public:
  /// `listing` is by pc, relative to the kernel's first instruction.
  Program(decode::Listing listing, const BindContext& context);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Op* ops() const { return ops_.data(); }
  const decode::Listing& listing() const { return listing_; }
  std::uint64_t entry() const { return entry_; }

  /// The mnemonics of the instructions that have run, each once or more; of launches that noted
  /// what they load, only those that load and store nothing. They live as long as the process.
  std::vector<std::string_view> mnemonics_run() const;

  /// From here on there are ops that note what they are about to load, where `loads` has their pc,
  /// and to store: note_and_run().
  void note(const std::set<std::uint64_t>& loads);
  bool is_noting() const { return !noting_ops_.empty(); }
  const Op* noting_ops() const { return noting_ops_.data(); }
  const NotedAccess* noted_accesses() const { return noted_.data(); }

  /// From here on there are ops that look at the numbers that they store: check_and_run().
  void check_numbers();
  bool is_checking() const { return !checking_ops_.empty(); }
  const Op* checking_ops() const { return checking_ops_.data(); }
  const StoredNumber* stored_numbers() const { return stored_numbers_.data(); }

  /// From here on there are ops that add themselves to a trace: trace_and_run().
  void trace();
  bool is_tracing() const { return !tracing_ops_.empty(); }
  const Op* tracing_ops() const { return tracing_ops_.data(); }

 private:
  void bind(const decode::Instruction& instruction, const BindContext& context);
  void add_stop(const decode::Instruction& instruction, std::string cause);
  void link();
  const LaneRow* constant_rows(std::uint64_t constant);

  decode::Listing listing_;
  std::vector<Op> ops_;
  std::vector<Op> noting_ops_;  // none until note()
  std::vector<Op> tracing_ops_;
  std::vector<Op> checking_ops_;
  std::vector<StoredNumber> stored_numbers_;
  std::vector<NotedAccess> noted_;                   // of each of them
  std::map<std::uint64_t, std::uint64_t> index_of_;  // by pc
  std::uint64_t entry_ = 0;
  std::map<std::uint64_t, std::vector<std::uint32_t>> constants_;
  std::deque<std::string> causes_;
  std::deque<decode::Instruction> placeholders_;
};

}  // namespace compass::interp
