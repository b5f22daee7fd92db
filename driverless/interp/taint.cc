// SPDX-License-Identifier: MIT
#include "driverless/interp/taint.h"

#include <algorithm>
#include <bit>

#include "driverless/interp/row.h"
#include "driverless/machine/workgroup.h"

namespace compass::interp {
namespace {

using isa::Encoding;
using isa::Place;

constexpr std::uint64_t kLow32 = 0xFFFF'FFFF;

/// Taint of one instruction, after it has run.
class Propagation {
 public:
  Propagation(Wavefront& wave, const Op& op)
      : wave_(wave), op_(op), row_(*op.row), exec_(wave.exec()) {}

  void run() {
    switch (row_.kind) {
      case RowKind::kScalar:
        scalar();
        break;
      case RowKind::kVector:
        vector();
        break;
      case RowKind::kMatrix:
        matrix();
        break;
      case RowKind::kPermute:
        permute();
        break;
      case RowKind::kMemory:
        memory();
        break;
    }
    wave_.loaded = {};
    wave_.stored.clear();
  }

 private:
  // A mask: one bit a lane from two SGPRs.
  Taint mask_taint(unsigned index) const {
    const Taint& low = wave_.sgpr_taint[index];
    const Taint& high = wave_.sgpr_taint[index + 1];
    Taint taint = low & kLow32;
    taint |= Taint{(high.undefined & kLow32) << 32, (high.unknown & kLow32) << 32, high.origin};
    return taint;
  }

  Taint scalar_taint(const Source& source, unsigned registers) const {
    Taint taint;
    if (source.kind == SourceKind::kScc) return wave_.scc_taint;
    if (source.kind == SourceKind::kSgprZext) return wave_.sgpr_taint[source.index];
    if (source.kind != SourceKind::kSgpr) return taint;
    for (unsigned n = 0; n < registers; ++n) taint |= wave_.sgpr_taint[source.index + n];
    return taint;
  }

  // One bit a lane.
  Taint lane_taint(unsigned n) const {
    const Source& source = op_.sources[n];
    const ValueShape& shape = row_.source_shapes[n];
    if (source.kind == SourceKind::kSgpr && shape.value_class == ValueClass::kBit) {
      return mask_taint(source.index);
    }
    if (source.kind != SourceKind::kVgpr) return scalar_taint(source, shape.registers).spread();
    return vgpr_taint(source.index, shape.registers);
  }

  Taint vgpr_taint(unsigned index, unsigned registers) const {
    Taint taint;
    for (unsigned n = 0; n < registers; ++n) taint |= wave_.vgpr_taint[index + n];
    return taint;
  }

  void set_vgprs(unsigned n, const Taint& taint) {
    const bool keeps_rest = op_.result_rest == isa::Rest::kOld || op_.dpp.lanes != nullptr;
    for (unsigned r = 0; r < row_.result_shapes[n].registers; ++r) {
      Taint& to = wave_.vgpr_taint[op_.results[n].index + r];
      Taint kept = keeps_rest ? to : to & ~exec_;
      kept |= taint & exec_;
      to = kept;
    }
  }

  void set_sgpr(unsigned index, const Taint& taint) {
    if (index == kExecLo || index == kExecLo + 1) {
      if (taint.any() != 0) report(Decision::kExec, taint);
      return;
    }
    wave_.sgpr_taint[index] = taint;
  }

  void set_mask(unsigned index, const Taint& taint) {
    set_sgpr(index, taint & kLow32);
    set_sgpr(index + 1, {taint.undefined >> 32, taint.unknown >> 32, taint.origin});
  }

  void set_scalar_result(unsigned n, const Taint& taint) {
    const Destination& to = op_.results[n];
    if (to.kind == ResultKind::kScc) {
      wave_.scc_taint = taint.spread() & 1;
    } else if (to.kind == ResultKind::kPc) {
      if (taint.any() != 0) decide_branch(taint);
    } else if (to.kind == ResultKind::kSgpr) {
      for (unsigned r = 0; r < row_.result_shapes[n].registers; ++r) {
        set_sgpr(to.index + r, taint.spread() & kLow32);
      }
    }
  }

  void decide_branch(const Taint& taint) {
    report(Decision::kBranch, taint);
    // Said once: what decided is taken for known from here on.
    wave_.scc_taint = {};
    wave_.sgpr_taint[kVccLo] = wave_.sgpr_taint[kVccLo + 1] = {};
  }

  void scalar() {
    if (row_.is_bitwise && bitwise()) return;
    Taint taint = wave_.loaded;
    for (unsigned n = 0; n < row_.sources.count; ++n) {
      const Taint from = scalar_taint(op_.sources[n], row_.source_shapes[n].registers);
      if (row_.encoding == Encoding::kSmem && from.any() != 0) report(Decision::kAddress, from);
      taint |= from;
    }
    for (unsigned n = 0; n < row_.results.count; ++n) set_scalar_result(n, taint);
  }

  // Bit by bit, so that the bits of lane masks keep their own taint.
  bool bitwise() {
    const unsigned registers = row_.result_shapes[0].registers;
    Taint words[2], all;
    for (unsigned r = 0; r < registers && r < 2; ++r) {
      for (unsigned n = 0; n < row_.sources.count; ++n) {
        const Source& source = op_.sources[n];
        if (source.kind == SourceKind::kSgpr) words[r] |= wave_.sgpr_taint[source.index + r];
      }
      all |= words[r];
    }
    if (registers > 2) return false;
    for (unsigned n = 0; n < row_.results.count; ++n) {
      const Destination& to = op_.results[n];
      if (to.kind == ResultKind::kScc) wave_.scc_taint = all.spread() & 1;
      if (to.kind != ResultKind::kSgpr) continue;
      for (unsigned r = 0; r < registers; ++r) set_sgpr(to.index + r, words[r]);
    }
    return true;
  }

  // Lanes to and from scalars: the lane that is read, or written, and no other.
  void single_lane() {
    const bool writes = row_.results.count == 0;
    const Source& select = op_.sources[row_.sources.count - 1];
    const bool is_first = row_.sources.count == 1;
    const unsigned first = exec_ == 0 ? 0 : static_cast<unsigned>(std::countr_zero(exec_));
    const unsigned named = select.kind == SourceKind::kSgpr
                               ? wave_.sgpr[select.index]
                               : static_cast<unsigned>(select.constant);
    const std::uint64_t lane = std::uint64_t{1} << ((is_first ? first : named) & 63);
    Taint& row = wave_.vgpr_taint[op_.sources[0].index];
    Taint taint = is_first ? Taint{} : scalar_taint(select, 1).spread();
    if (writes) {
      taint |= scalar_taint(op_.sources[1], 1).spread();
      Taint kept = row & ~lane;
      kept |= taint & lane;
      row = kept;
    } else {
      taint |= (row & lane).spread();
      set_scalar_result(0, taint);
    }
  }

  void vector() {
    if (row_.sources.count > 0 && row_.sources.at[0] == Place::kLanes) return single_lane();
    Taint taint = row_.is_select ? selected() : joined();
    for (unsigned n = 0; n < row_.results.count; ++n) {
      const bool is_mask = row_.result_shapes[n].value_class == ValueClass::kBit;
      if (op_.results[n].kind == ResultKind::kVgpr) {
        set_vgprs(n, taint);
      } else if (is_mask) {
        set_mask(op_.results[n].index, taint & exec_);
      } else {
        set_scalar_result(n, taint & exec_);
      }
    }
  }

  Taint joined() const {
    Taint taint;
    for (unsigned n = 0; n < row_.sources.count; ++n) taint |= lane_taint(n);
    return row_.crosses_lanes || is_dpp() ? (taint & exec_).spread() : taint;
  }

  bool is_dpp() const { return op_.instruction->text.find("_dpp") != std::string::npos; }

  // D = mask ? S1 : S0 takes on the taint of what was chosen.
  Taint selected() const {
    const Source& mask = op_.sources[2];
    const std::uint64_t chosen =
        mask.kind == SourceKind::kSgpr ? wave_.sgpr64(mask.index) : mask.constant;
    Taint taint = lane_taint(1) & chosen;
    taint |= lane_taint(0) & ~chosen;
    taint |= lane_taint(2);
    return taint;
  }

  void matrix() {
    Taint taint;
    for (unsigned n = 0; n < row_.sources.count; ++n) taint |= lane_taint(n);
    for (unsigned r = 0; r < row_.result_shapes[0].registers; ++r) {
      wave_.vgpr_taint[op_.results[0].index + r] = taint.spread();
    }
  }

  void permute() {
    Taint taint = joined();
    const Source& data = op_.sources[row_.sources.count];
    if (data.kind == SourceKind::kVgpr) taint |= (vgpr_taint(data.index, 1) & exec_).spread();
    for (unsigned n = 0; n < row_.results.count; ++n) set_vgprs(n, taint);
  }

  bool is_address(unsigned n) const {
    const Place place = row_.sources.at[n];
    return place == Place::kAddr || (row_.encoding == Encoding::kDs && place == Place::kS0);
  }

  void memory() {
    Taint address, data;
    for (unsigned n = 0; n < row_.sources.count; ++n) {
      if (is_address(n)) {
        address |= address_taint(n);
      } else {
        data |= lane_taint(n);
      }
    }
    address |= scalar_taint(op_.scalar_base, 2).spread();
    if ((address & exec_).any() != 0) report(Decision::kAddress, address & exec_);
    for (const Wavefront::Stored& stored : wave_.stored) {
      taint_memory(stored, data & (std::uint64_t{1} << stored.lane));
    }
    Taint result = wave_.loaded;
    result |= address;
    // A source beside the address that a load has is its destination's old value.
    if (wave_.stored.empty()) result |= data;
    for (unsigned n = 0; n < row_.results.count; ++n) set_vgprs(n, result);
  }

  Taint address_taint(unsigned n) const {
    const Source& source = op_.sources[n];
    unsigned registers = 1;
    switch (row_.encoding) {
      case Encoding::kGlobal:
        registers = op_.scalar_base.kind == SourceKind::kNone ? 2 : 1;
        break;
      case Encoding::kFlat:
        registers = 2;
        break;
      case Encoding::kScratch:
        registers = (op_.address_parts & kVectorPart) != 0 ? 1 : 0;
        break;
      case Encoding::kBuffer:
        registers = static_cast<unsigned>(
            std::popcount(op_.address_parts & unsigned{kIndexPart | kOffsetPart}));
        break;
      default:
        break;
    }
    return source.kind == SourceKind::kVgpr ? vgpr_taint(source.index, registers) : lane_taint(n);
  }

  void taint_memory(const Wavefront::Stored& stored, const Taint& data) {
    const ByteState state = data.worst();
    if (state == ByteState::kKnown) return;
    if (stored.shadow != nullptr) {
      stored.shadow->set_state(stored.offset, stored.size_bytes, state);
    } else {
      std::fill_n(stored.state, stored.size_bytes, state);
    }
  }

  void report(Decision decision, const Taint& taint) {
    const Workgroup& group = *wave_.workgroup;
    TaintedDecision report{.decision = decision,
                           .undefined = taint.undefined != 0,
                           .workgroup = group.id,
                           .wavefront = wave_.index,
                           .pc = op_.instruction->pc,
                           .instruction = op_.instruction->text};
    const std::uint64_t lanes = taint.undefined != 0 ? taint.undefined : taint.unknown;
    report.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    report.lanes = static_cast<std::uint32_t>(std::popcount(lanes));
    if (taint.origin != 0 && taint.origin < group.origins.size()) {
      const Workgroup::Origin& origin = group.origins[taint.origin];
      report.has_origin = true;
      report.origin_pc = origin.pc;
      report.origin_space = origin.space;
      report.origin_allocation = origin.allocation;
      report.origin_offset_bytes = origin.offset_bytes;
    }
    group.observer->on_tainted_decision(report);
    if (group.stops_at_findings) wave_.stop();
  }

  Wavefront& wave_;
  const Op& op_;
  const Row& row_;
  std::uint64_t exec_;  // before a result changed it, where it did
};

}  // namespace

void propagate_taint(Wavefront& wave, const Op& op) {
  if (op.row != nullptr) Propagation(wave, op).run();
}

}  // namespace compass::interp
