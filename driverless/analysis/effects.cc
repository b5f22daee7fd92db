// SPDX-License-Identifier: MIT
#include "driverless/analysis/effects.h"

#include <algorithm>
#include <string_view>

#include "driverless/analysis/row_places.h"

namespace compass::analysis {
namespace {

using decode::Instruction;
using decode::Operand;
using decode::OperandKind;
using isa::Place;

void append(std::vector<Location>& to, const Operand& operand) {
  unsigned base = 0;
  switch (operand.kind) {
    case OperandKind::kSgpr:
      break;
    case OperandKind::kVgpr:
      base = kFirstVgpr;
      break;
    case OperandKind::kAgpr:
      base = kFirstAgpr;
      break;
    case OperandKind::kScc:
      to.push_back(kScc);
      return;
    default:
      return;
  }
  for (unsigned n = 0; n < operand.count; ++n) {
    const unsigned location = base + operand.index + n;
    if (location < kLocations) to.push_back(static_cast<Location>(location));
  }
}

void append_pair(std::vector<Location>& to, Location low) {
  to.push_back(low);
  to.push_back(static_cast<Location>(low + 1));
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_shown(Place place) { return place != Place::kNone && place < Place::kScc; }

bool has_part_of_a_register(const Instruction& instruction) {
  const decode::Modifiers& modifiers = instruction.modifiers;
  constexpr std::uint8_t kDword = 6;
  const bool selects = modifiers.op_sel != 0 && !modifiers.has_op_sel_hi;
  return modifiers.dpp_control != decode::Modifiers::kNoDpp || modifiers.dst_sel != kDword ||
         selects || contains(instruction.text, "_dpp") || contains(instruction.text, "_sdwa");
}

/// How many operands the text shows for the sources, unless VCC is one and is left out.
std::size_t shown_sources(const RowPlaces& row) {
  std::size_t shown = 0;
  for (unsigned n = 0; n < row.sources.count; ++n) {
    const Place place = row.sources.at[n];
    const bool is_result = place == Place::kVdst || place == Place::kSdst || place == Place::kLane;
    if (is_shown(place) && !is_result) ++shown;
  }
  return shown;
}

/// A scalar or vector instruction of the tables.
Effects of_row(const Instruction& instruction, const RowPlaces& row) {
  Effects effects;
  std::size_t next = 0;
  effects.replaces = !has_part_of_a_register(instruction);
  bool jumps = false;
  for (unsigned n = 0; n < row.results.count; ++n) {
    const Place place = row.results.at[n];
    if (place == Place::kScc) effects.writes.push_back(kScc);
    if (place == Place::kExec) append_pair(effects.writes, kExecLo);
    jumps = jumps || place == Place::kPc;
    if (place != Place::kVdst && place != Place::kSdst && place != Place::kVcc) {
      effects.replaces = false;
    }
    if (is_shown(place) && next < instruction.operands.size()) {
      append(effects.writes, instruction.operands[next++]);
    }
  }
  const bool hides_mask = instruction.operands.size() - next < shown_sources(row);
  for (; next < instruction.operands.size(); ++next) {
    append(effects.reads, instruction.operands[next]);
  }
  for (unsigned n = 0; n < row.sources.count; ++n) {
    const Place place = row.sources.at[n];
    if (place == Place::kScc) effects.reads.push_back(kScc);
    if (place == Place::kExec) append_pair(effects.reads, kExecLo);
    if (place == Place::kVcc && hides_mask) append_pair(effects.reads, kVccLo);
    if (place == Place::kVdst || place == Place::kSdst) {
      append(effects.reads, instruction.operands.at(0));
    }
    if (place == Place::kLanes) {
      effects.reads_other_lanes = true;
      if (row.results.count == 0) append(effects.writes, instruction.operands.at(0));
      if (row.results.count == 0) effects.replaces = false;  // one lane
    }
  }
  if (jumps) effects.decides = effects.reads;
  return effects;
}

Space space_of(std::string_view mnemonic) {
  if (mnemonic.starts_with("ds_")) return Space::kLds;
  if (mnemonic.starts_with("scratch_")) return Space::kScratch;
  for (const std::string_view prefix : {"global_", "flat_", "buffer_", "s_load", "s_buffer_load"}) {
    if (mnemonic.starts_with(prefix)) return Space::kGlobal;
  }
  return Space::kNone;
}

/// The first operand is the result of the others, in any lanes: no memory.
Effects of_lanes(const Instruction& instruction) {
  Effects effects;
  effects.replaces = true;
  effects.reads_other_lanes = true;
  for (std::size_t n = 0; n < instruction.operands.size(); ++n) {
    append(n == 0 ? effects.writes : effects.reads, instruction.operands[n]);
  }
  return effects;
}

/// Which operands are the data of a store or atomic, given how many results come first.
bool is_data(std::string_view mnemonic, std::size_t operand, std::size_t results) {
  if (mnemonic.starts_with("buffer_")) return operand == 0;
  return operand > results;  // the address is the first behind the results
}

Effects of_memory(const Instruction& instruction, Space space) {
  Effects effects;
  const std::string_view mnemonic = instruction.mnemonic;
  const bool is_atomic =
      contains(mnemonic, "_atomic_") ||
      (space == Space::kLds && !contains(mnemonic, "read") && !contains(mnemonic, "write"));
  const bool is_store = contains(mnemonic, "store") || contains(mnemonic, "ds_write");
  const bool to_lds = contains(mnemonic, "_lds");
  const bool returns = is_atomic && (instruction.modifiers.returns || contains(mnemonic, "_rtn"));
  const bool is_load = !is_store && !is_atomic;
  // A buffer atomic shows one operand for its data and for what it returns.
  const bool shows_result = (is_load && !to_lds) || (returns && !mnemonic.starts_with("buffer_"));
  const std::size_t results = shows_result ? 1 : 0;
  for (std::size_t n = 0; n < instruction.operands.size(); ++n) {
    const Operand& operand = instruction.operands[n];
    if (n < results) {
      append(effects.writes, operand);
      effects.replaces = !contains(mnemonic, "d16");
    } else if ((is_store || is_atomic) && is_data(mnemonic, n, results)) {
      append(effects.reads, operand);
      // In "global_store v0, v1, s[0:1]" the base comes last.
      append(effects.decides, operand.kind == OperandKind::kSgpr ? operand : Operand{});
    } else {
      append(effects.decides, operand);
    }
  }
  if (returns && results == 0) append(effects.writes, instruction.operands.at(0));
  if (to_lds) effects.decides.push_back(kM0);
  if (is_load || returns || is_atomic) effects.loads_from = space;
  if (is_store || is_atomic) effects.stores_to = space;
  if (to_lds) effects.stores_to = Space::kLds;
  effects.is_flat = mnemonic.starts_with("flat_");
  return effects;
}

/// Every operand comes from every other.
Effects of_any(const Instruction& instruction) {
  Effects effects;
  effects.reads_other_lanes = true;
  for (const Operand& operand : instruction.operands) {
    append(effects.writes, operand);
    append(effects.reads, operand);
  }
  return effects;
}

}  // namespace

Effects effects_of(const Instruction& instruction) {
  const std::string_view mnemonic = instruction.mnemonic;
  Effects effects;
  const RowPlaces* const row = find_row_places(mnemonic);
  if (row != nullptr && !contains(mnemonic, "swap")) {
    effects = of_row(instruction, *row);
  } else if (contains(mnemonic, "permute") || contains(mnemonic, "swizzle") ||
             mnemonic.starts_with("v_mfma")) {
    effects = of_lanes(instruction);
  } else if (const Space space = space_of(mnemonic); space != Space::kNone) {
    effects = of_memory(instruction, space);
  } else {
    effects = of_any(instruction);
  }
  const auto is_exec = [](Location location) {
    return location == kExecLo || location == kExecLo + 1;
  };
  if (std::any_of(effects.writes.begin(), effects.writes.end(), is_exec)) {
    effects.decides.insert(effects.decides.end(), effects.reads.begin(), effects.reads.end());
  }
  const bool moves_lanes = has_part_of_a_register(instruction) || contains(mnemonic, "permlane");
  effects.reads_other_lanes = effects.reads_other_lanes || moves_lanes;
  return effects;
}

}  // namespace compass::analysis
