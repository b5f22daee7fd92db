// SPDX-License-Identifier: MIT
#include "driverless/analysis/index_loads.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "driverless/analysis/effects.h"
#include "driverless/analysis/exec_levels.h"

namespace compass::analysis {
namespace {

/// Whether a register's value is wanted, and of a VGPR in which lanes: each level has those of the
/// levels before it.
enum class Wanted : std::uint8_t {
  kNo,
  kActive,   ///< at most in the lanes that are on here
  kInitial,  ///< at most in those that the wavefront started with
  kAny,
};
using State = std::array<Wanted, kLocations>;

/// An instruction with what both directions need to know of it.
struct Step {
  const decode::Instruction* instruction = nullptr;
  Effects effects;
  MaskLevel exec_before = MaskLevel::kUnknown, exec_after = MaskLevel::kUnknown;
  Masks::ExecChange exec_change = Masks::ExecChange::kNone;
};

struct Block {
  std::size_t begin = 0, end = 0;  // of steps
  std::vector<std::size_t> successors, predecessors;
};

class Slice {
 public:
  explicit Slice(const decode::Listing& listing) {
    for (const auto& [pc, instruction] : listing.instructions) {
      index_of_[pc] = steps_.size();
      steps_.push_back({&instruction, effects_of(instruction)});
    }
    make_blocks();
    follow_exec();
  }

  std::set<std::uint64_t> loads() {
    do {
      grew_ = false;
      follow_values();
    } while (grew_);
    return std::move(loads_);
  }

 private:
  const std::size_t* find(std::uint64_t pc) const {
    const auto found = index_of_.find(pc);
    return found == index_of_.end() ? nullptr : &found->second;
  }

  /// The steps that control goes to after `step`.
  std::vector<std::size_t> next_of(std::size_t step) const {
    const decode::Instruction& instruction = *steps_[step].instruction;
    std::vector<std::size_t> next;
    std::uint64_t target = 0;
    const std::size_t* to = nullptr;
    if (decode::branch_target(instruction, target)) to = find(target);
    if (to != nullptr) next.push_back(*to);
    const std::size_t* through =
        decode::ends_path(instruction) ? nullptr : find(instruction.pc + instruction.size_bytes);
    if (through != nullptr) next.push_back(*through);
    return next;
  }

  void make_blocks() {
    std::vector<bool> begins(steps_.size() + 1);
    begins[0] = true;
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      const std::vector<std::size_t> next = next_of(n);
      if (next.size() == 1 && next[0] == n + 1) continue;
      begins[n + 1] = true;
      for (const std::size_t to : next) begins[to] = true;
    }
    std::vector<std::size_t> block_of(steps_.size());
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      if (begins[n]) blocks_.push_back({n, n, {}, {}});
      blocks_.back().end = n + 1;
      block_of[n] = blocks_.size() - 1;
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (const std::size_t to : next_of(blocks_[b].end - 1)) {
        blocks_[b].successors.push_back(block_of[to]);
        blocks_[block_of[to]].predecessors.push_back(b);
      }
    }
  }

  /// Forward: what is known of EXEC before and after each step.
  void follow_exec() {
    std::vector<Masks> at_begin(blocks_.size());
    std::vector<bool> reached(blocks_.size());
    const std::size_t* const entry = find(0);
    std::vector<std::size_t> work;
    for (std::size_t b = 0; b < blocks_.size() && entry != nullptr; ++b) {
      if (blocks_[b].begin != *entry) continue;
      at_begin[b] = Masks::initial();
      reached[b] = true;
      work.push_back(b);
    }
    while (!work.empty()) {
      const Block& block = blocks_[work.back()];
      Masks masks = at_begin[work.back()];
      work.pop_back();
      for (std::size_t n = block.begin; n < block.end; ++n) {
        Step& step = steps_[n];
        step.exec_before = masks.exec();
        step.exec_change = masks.apply(*step.instruction);
        step.exec_after = masks.exec();
      }
      for (const std::size_t to : block.successors) {
        Masks met = masks;
        if (reached[to]) met.meet(at_begin[to]);
        if (reached[to] && met == at_begin[to]) continue;
        at_begin[to] = met;
        reached[to] = true;
        work.push_back(to);
      }
    }
  }

  /// Backward: which registers are wanted at the end of each block.
  void follow_values() {
    std::vector<State> at_end(blocks_.size(), State{});
    std::vector<std::size_t> work;
    for (std::size_t b = 0; b < blocks_.size(); ++b) work.push_back(b);
    while (!work.empty()) {
      const Block& block = blocks_[work.back()];
      State state = at_end[work.back()];
      work.pop_back();
      for (std::size_t n = block.end; n > block.begin; --n) pass(steps_[n - 1], state);
      for (const std::size_t from : block.predecessors) {
        bool changed = false;
        for (std::size_t l = 0; l < state.size(); ++l) {
          changed = changed || state[l] > at_end[from][l];
          at_end[from][l] = std::max(at_end[from][l], state[l]);
        }
        if (changed) work.push_back(from);
      }
    }
  }

  static bool is_scalar(Location location) { return location < kFirstVgpr; }

  /// From behind the step to before it.
  void pass(const Step& step, State& state) {
    move_over_exec(step, state);
    const Effects& effects = step.effects;
    bool wanted = stores_wanted(effects);
    for (const Location location : effects.writes) {
      Wanted& level = state[location];
      wanted = wanted || level != Wanted::kNo;
      const bool is_replaced = effects.replaces && level == Wanted::kActive;
      if (is_scalar(location) || is_replaced) level = Wanted::kNo;
    }
    if (wanted) want(effects.reads, effects, state);
    want(effects.decides, effects, state);
    if (wanted && effects.loads_from != Space::kNone) load(step);
  }

  static void move_over_exec(const Step& step, State& state) {
    const bool widens = step.exec_change == Masks::ExecChange::kAny;
    const bool is_bounded = step.exec_after != MaskLevel::kUnknown;
    const bool is_initial = step.exec_before == MaskLevel::kInitial;
    if (!widens && !is_initial) return;
    for (Location location = kFirstVgpr; location < kLocations; ++location) {
      Wanted& level = state[location];
      if (widens && level == Wanted::kActive) level = is_bounded ? Wanted::kInitial : Wanted::kAny;
      if (is_initial && level == Wanted::kInitial) level = Wanted::kActive;
    }
  }

  static void want(const std::vector<Location>& locations, const Effects& effects, State& state) {
    const Wanted level = effects.reads_other_lanes ? Wanted::kAny : Wanted::kActive;
    for (const Location location : locations) state[location] = std::max(state[location], level);
  }

  /// Whether what it stores is loaded as something that decides.
  bool stores_wanted(const Effects& effects) const {
    const bool any = lds_is_wanted_ || scratch_is_wanted_;
    if (effects.stores_to == Space::kLds) return lds_is_wanted_;
    if (effects.stores_to == Space::kScratch) return scratch_is_wanted_;
    return effects.stores_to == Space::kGlobal && effects.is_flat && any;
  }

  void load(const Step& step) {
    const Effects& effects = step.effects;
    if (effects.loads_from == Space::kGlobal) loads_.insert(step.instruction->pc);
    if (effects.loads_from == Space::kLds || effects.is_flat) grow(lds_is_wanted_);
    if (effects.loads_from == Space::kScratch || effects.is_flat) grow(scratch_is_wanted_);
  }

  /// Stores that were passed already are to be looked at again.
  void grow(bool& place) {
    grew_ = grew_ || !place;
    place = true;
  }

  std::vector<Step> steps_;
  std::map<std::uint64_t, std::size_t> index_of_;  // by pc
  std::vector<Block> blocks_;
  bool lds_is_wanted_ = false, scratch_is_wanted_ = false;
  bool grew_ = false;
  std::set<std::uint64_t> loads_;
};

}  // namespace

std::set<std::uint64_t> index_loads(const decode::Listing& listing) {
  if (listing.instructions.empty()) return {};
  return Slice(listing).loads();
}

}  // namespace compass::analysis
