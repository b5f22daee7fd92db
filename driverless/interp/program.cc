// SPDX-License-Identifier: MIT
#include "driverless/interp/program.h"

#include "driverless/interp/bind.h"
#include "driverless/interp/tracer.h"

namespace compass::interp {
namespace {

constinit thread_local std::uint64_t first_runs_of_thread = 0;

void stop(Wavefront& wave, const Op&) { wave.status = WaveStatus::kStopped; }

/// What an op runs the first time. So it costs the other times nothing to know which have run.
void run_first(Wavefront& wave, const Op& op) {
  ++first_runs_of_thread;
  op.run = op.usual;
  op.run(wave, op);
}

/// From here on the op runs `handler`, and nobody has seen it run.
void set_handler(Op& op, Handler handler) {
  op.usual = handler;
  op.run = run_first;
}

}  // namespace

std::uint64_t first_runs() { return first_runs_of_thread; }

Program::Program(decode::Listing listing, const BindContext& context)
    : listing_(std::move(listing)) {
  for (const auto& [pc, bad] : listing_.undecodable) {
    placeholders_.push_back({.pc = pc, .size_bytes = 0, .text = "(undecodable)"});
  }
  auto bad = placeholders_.begin();
  std::uint64_t expected = 0;
  bool falls_through = false;
  const auto add_bad_before = [&](std::uint64_t pc) {
    for (; bad != placeholders_.end() && bad->pc < pc; ++bad) {
      add_stop(*bad, concat("undecodable: ", listing_.undecodable.at(bad->pc).cause));
      falls_through = false;
    }
  };
  for (const auto& [pc, instruction] : listing_.instructions) {
    add_bad_before(pc);
    // Overlapping or interrupted code: what is next in memory is not what control runs into.
    if (falls_through && expected != pc) add_stop(instruction, "control runs into no instruction");
    bind(instruction, context);
    expected = pc + instruction.size_bytes;
    falls_through = !decode::ends_path(instruction);
  }
  add_bad_before(~std::uint64_t{0});
  link();
}

void Program::add_stop(const decode::Instruction& instruction, std::string cause) {
  causes_.push_back(std::move(cause));
  index_of_.try_emplace(instruction.pc, ops_.size());
  Op& op = ops_.emplace_back();
  op.run = stop;
  op.instruction = &instruction;
  op.cause = causes_.back().c_str();
}

void Program::bind(const decode::Instruction& instruction, const BindContext& context) {
  const Row* row = find_row(instruction.mnemonic, context.target);
  if (row == nullptr) {
    return add_stop(instruction,
                    concat("the instruction is not supported on ", context.architecture));
  }
  auto op = bind_operands(instruction, *row, context);
  if (!op) {
    return add_stop(instruction, concat("the instruction is not supported with ",
                                        std::move(op).error().message));
  }
  index_of_[instruction.pc] = ops_.size();
  ops_.push_back(*std::move(op));
}

void Program::link() {
  for (Op& op : ops_) {
    if (op.row != nullptr) set_handler(op, op.row->handlers[static_cast<unsigned>(host_level())]);
    for (Source& source : op.sources) {
      if (source.kind == SourceKind::kConstant) source.rows = constant_rows(source.constant);
    }
    std::uint64_t target = 0;
    if (op.cause != nullptr || !decode::branch_target(*op.instruction, target)) continue;
    // A target that was not decoded is undecodable, and that has an index too.
    const auto index = index_of_.find(target);
    for (Source& source : op.sources) {
      if (source.kind == SourceKind::kConstant && index != index_of_.end()) {
        source.constant = index->second;
      }
    }
  }
  const auto first = index_of_.find(0);
  entry_ = first != index_of_.end() ? first->second : 0;
}

std::vector<std::string_view> Program::mnemonics_run() const {
  std::vector<std::string_view> mnemonics;
  for (const std::vector<Op>* const ops : {&ops_, &noting_ops_, &checking_ops_, &tracing_ops_}) {
    for (const Op& op : *ops) {
      if (op.row != nullptr && op.run != run_first) mnemonics.push_back(op.row->mnemonic);
    }
  }
  return mnemonics;
}

void Program::note(const std::set<std::uint64_t>& loads) {
  noting_ops_ = ops_;
  noted_.clear();
  for (Op& op : noting_ops_) {
    NotedAccess access;
    if (!loads.empty()) access = noted_access(op, loads.contains(op.instruction->pc));
    const std::size_t n = noted_.size();
    const bool checks = is_checking() && stored_numbers_[n] != StoredNumber::kNone;
    if (checks) set_handler(op, check_and_run);
    if (access.load_bytes != 0 || access.store_bytes != 0) set_handler(op, note_and_run);
    noted_.push_back(access);
  }
}

void Program::check_numbers() {
  checking_ops_ = ops_;
  stored_numbers_ = interp::stored_numbers(ops_);
  for (std::size_t n = 0; n < ops_.size(); ++n) {
    if (stored_numbers_[n] != StoredNumber::kNone) set_handler(checking_ops_[n], check_and_run);
  }
}

void Program::trace() {
  tracing_ops_ = ops_;
  for (Op& op : tracing_ops_) {
    if (op.row != nullptr) set_handler(op, trace_and_run);
  }
}

const LaneRow* Program::constant_rows(std::uint64_t constant) {
  constexpr std::size_t kAlignWords = 16;  // 64 bytes
  std::vector<std::uint32_t>& words = constants_[constant];
  if (words.empty()) {
    words.resize(2 * kLanes + kAlignWords);
    for (std::size_t n = 0; n < words.size(); ++n) words[n] = static_cast<std::uint32_t>(constant);
  }
  auto address = reinterpret_cast<std::uintptr_t>(words.data());
  address = (address + 63) / 64 * 64;
  auto* rows = reinterpret_cast<LaneRow*>(address);
  for (std::uint32_t& word : rows[1]) word = static_cast<std::uint32_t>(constant >> 32);
  return rows;
}

}  // namespace compass::interp
