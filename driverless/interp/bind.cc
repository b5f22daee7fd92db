// SPDX-License-Identifier: MIT
#include "driverless/interp/bind.h"

#include "driverless/interp/bind_source.h"

namespace compass::interp {
namespace {

using decode::Operand;
using decode::OperandKind;
using isa::Place;

constexpr ValueShape kOneWord{1, ValueClass::kInteger};

/// Walks the operands of one instruction along the places of its row.
class Binder {
 public:
  Binder(const decode::Instruction& instruction, const Row& row, const BindContext& context)
      : instruction_(instruction), row_(row), context_(context), op_{} {
    op_.row = &row;
    op_.instruction = &instruction;
    op_.run = row.handlers[static_cast<unsigned>(host_level())];
  }

  Result<Op> bind() {
    for (unsigned n = 0; n < row_.results.count; ++n) {
      if (auto done = bind_result(n); !done) return std::move(done).error();
    }
    for (unsigned n = 0; n < row_.sources.count; ++n) {
      if (auto done = bind_source(n); !done) return std::move(done).error();
    }
    if (auto done = bind_permute_data(); !done) return std::move(done).error();
    if (auto done = bind_lane_controls(); !done) return std::move(done).error();
    if (auto done = check_modifiers(); !done) return std::move(done).error();
    const bool takes_any = row_.encoding == isa::Encoding::kSopp && row_.sources.count == 0;
    if (next_ != shown().size() && !takes_any) return refuse("more operands than its row takes");
    return op_;
  }

 private:
  const std::vector<Operand>& shown() const { return instruction_.operands; }
  static Error refuse(std::string_view what) {
    return {ErrorCode::kUnsupported, std::string(what)};
  }

  Result<Operand> next() {
    if (next_ == shown().size()) return refuse("fewer operands than its row takes");
    return shown()[next_++];
  }

  // The register's place in the file of the wavefront, checked against what is allocated.
  Result<std::uint16_t> register_index(const Operand& operand, unsigned registers) const {
    if (operand.count != registers) {
      return refuse(
          concat("an operand of ", operand.count, " registers where its row takes ", registers));
    }
    const unsigned end = operand.index + registers;
    if (operand.kind == OperandKind::kSgpr) {
      return end <= 128 ? Result(operand.index) : refuse("an SGPR that does not exist");
    }
    return vgpr_index(operand, context_);
  }

  Result<void> bind_result(unsigned n) {
    Destination& to = op_.results[n];
    switch (row_.results.at[n]) {
      case Place::kScc:
        to = {ResultKind::kScc, 0};
        return {};
      case Place::kExec:
        to = {ResultKind::kSgpr, kExecLo};
        return {};
      case Place::kPc:
        to = {ResultKind::kPc, 0};
        return {};
      case Place::kNone:
        return {};
      case Place::kHwregValue:
        to.kind = ResultKind::kMode;
        op_.cause = "a mode that is not supported";
        return {};
      case Place::kS0:
        return bind_source_as_result(to);
      case Place::kVdstHalf:  // the low half, until op_sel says otherwise
      case Place::kVdstLow:
        return bind_part(to, n, isa::Part::kWord0);
      case Place::kVdstHigh:
        return bind_part(to, n, isa::Part::kWord1);
      case Place::kReturned:
        return bind_returned(to, n);
      case Place::kVdst:
        return bind_shown_result(to, n, ResultKind::kVgpr);
      default:
        return bind_shown_result(to, n, ResultKind::kSgpr);
    }
  }

  Result<void> bind_part(Destination& to, unsigned n, isa::Part part) {
    op_.result_part = part;
    op_.result_rest = isa::Rest::kOld;
    return bind_shown_result(to, n, ResultKind::kVgpr);
  }

  // An instruction that exchanges registers shows the second one as its source.
  Result<void> bind_source_as_result(Destination& to) {
    if (shown().size() < 2 || shown()[1].kind != OperandKind::kVgpr) {
      return refuse("a result in a register of the wrong kind");
    }
    op_.cause = "lanes that are off in EXEC";
    to.kind = ResultKind::kVgpr;
    ASSIGN_OR_RETURN(to.index, register_index(shown()[1], 1));
    return {};
  }

  // A buffer atomic shows one operand for its data and for what it returns.
  Result<void> bind_returned(Destination& to, unsigned n) {
    if (!instruction_.modifiers.returns) return {};
    if (row_.encoding != isa::Encoding::kBuffer) {
      return bind_shown_result(to, n, ResultKind::kVgpr);
    }
    Operand operand = shown().at(0);
    operand.count = static_cast<std::uint16_t>(row_.result_shapes[n].registers);
    ASSIGN_OR_RETURN(to.index, register_index(operand, operand.count));
    to.kind = ResultKind::kVgpr;
    return {};
  }

  Result<void> bind_shown_result(Destination& to, unsigned n, ResultKind kind) {
    ASSIGN_OR_RETURN(const Operand operand, next());
    const bool is_vector = operand.kind == OperandKind::kVgpr || operand.kind == OperandKind::kAgpr;
    const bool is_scalar = operand.kind == OperandKind::kSgpr;
    if (kind == ResultKind::kVgpr ? !is_vector : !is_scalar) {
      return refuse("a result in a register of the wrong kind");
    }
    const bool is_mask = row_.result_shapes[n].value_class == ValueClass::kBit;
    ASSIGN_OR_RETURN(to.index,
                     register_index(operand, is_mask ? 2 : row_.result_shapes[n].registers));
    to.kind = kind;
    return {};
  }

  Result<void> bind_source(unsigned n) {
    Source& from = op_.sources[n];
    const decode::Modifiers& modifiers = instruction_.modifiers;
    switch (row_.sources.at[n]) {
      case Place::kMode:
      case Place::kLane:
        return {};
      case Place::kScc:
        from.kind = SourceKind::kScc;
        return {};
      case Place::kPc:
        from.kind = SourceKind::kPc;
        return {};
      case Place::kExec:
        from = {.kind = SourceKind::kSgpr, .index = kExecLo};
        return {};
      case Place::kOffset:
        return set_constant(from, modifiers.offset);
      case Place::kOffset0:
        return set_constant(from, modifiers.offset0);
      case Place::kOffset1:
        return set_constant(from, modifiers.offset1);
      case Place::kNextAddress:
        from.kind = SourceKind::kConstant;
        from.constant = context_.entry_address + instruction_.pc + instruction_.size_bytes;
        return {};
      case Place::kVdst:
      case Place::kSdst:
        return bind_value(from, n, shown()[0]);
      case Place::kAddr:
        return bind_address(from);
      case Place::kHwreg:
        return bind_hwreg(from);
      case Place::kHwregValue:
        from.kind = SourceKind::kMode;
        return {};
      case Place::kBitop3:
        return set_constant(from, modifiers.bitop3);
      case Place::kUnitScale:
        return bind_unit_scale(from);
      case Place::kTarget:
        ++next_;
        return set_constant(from, 0);  // linked later
      case Place::kSoffset:
        return bind_scalar_offset(from);
      case Place::kVcc:
        if (next_ == shown().size()) {
          from = {.kind = SourceKind::kSgpr, .index = kVccLo};
          return {};
        }
        [[fallthrough]];
      default: {
        ASSIGN_OR_RETURN(const Operand operand, next());
        return bind_value(from, n, operand);
      }
    }
  }

  static Result<void> set_constant(Source& from, std::int64_t value) {
    from.kind = SourceKind::kConstant;
    from.constant = static_cast<std::uint32_t>(value);
    return {};
  }

  Result<void> bind_unit_scale(Source& from) {
    ASSIGN_OR_RETURN(const Operand operand, next());
    ++position_;
    if (operand.kind != OperandKind::kFloat || operand.number != 1) {
      return refuse("a scale other than 1");
    }
    return set_constant(from, 0x3F80'0000);
  }

  // MODE is the only hardware register that there is.
  Result<void> bind_hwreg(Source& from) {
    constexpr std::int64_t kNumberMask = 0x3F, kModeNumber = 1;
    ASSIGN_OR_RETURN(const Operand operand, next());
    if (operand.kind != OperandKind::kHwreg || (operand.integer & kNumberMask) != kModeNumber) {
      return refuse("a hardware register other than MODE");
    }
    return set_constant(from, operand.integer);
  }

  Result<void> bind_scalar_offset(Source& from) {
    ASSIGN_OR_RETURN(const Operand operand, next());
    if (operand.kind == OperandKind::kInteger) {
      from.kind = SourceKind::kConstant;
      from.constant = static_cast<std::uint64_t>(operand.integer);
      return {};
    }
    if (operand.kind != OperandKind::kSgpr) return refuse("an offset in no SGPR");
    from.kind = SourceKind::kSgprZext;
    ASSIGN_OR_RETURN(from.index, register_index(operand, 1));
    return {};
  }

  Result<void> bind_address(Source& from) {
    op_.offset = instruction_.modifiers.offset;
    switch (row_.encoding) {
      case isa::Encoding::kBuffer:
        return bind_buffer_address(from);
      case isa::Encoding::kFlat:
        return bind_vector_address(from, 2);
      case isa::Encoding::kScratch: {
        if (auto done = bind_scalar_base(1); !done) return done;
        return bind_vector_address(from, 1);
      }
      default: {
        if (auto done = bind_scalar_base(2); !done) return done;
        return bind_vector_address(from, op_.scalar_base.kind == SourceKind::kNone ? 2 : 1);
      }
    }
  }

  // The last operand: a register or "off".
  Result<void> bind_scalar_base(unsigned registers) {
    if (shown().empty()) return refuse("no address");
    const Operand& base = shown().back();
    trailing_ = 1;
    if (base.kind == OperandKind::kOff) return {};
    if (base.kind != OperandKind::kSgpr) return refuse("an address with a strange base");
    op_.scalar_base.kind = SourceKind::kSgpr;
    ASSIGN_OR_RETURN(op_.scalar_base.index, register_index(base, registers));
    return {};
  }

  Result<void> bind_vector_address(Source& from, unsigned registers) {
    ASSIGN_OR_RETURN(const Operand vector, next());
    if (vector.kind == OperandKind::kOff && row_.encoding == isa::Encoding::kScratch) return {};
    if (vector.kind != OperandKind::kVgpr) return refuse("an address in no VGPR");
    op_.address_parts = kVectorPart;
    from.kind = SourceKind::kVgpr;
    ASSIGN_OR_RETURN(from.index, register_index(vector, registers));
    return {};
  }

  // "…, v0, s[4:7], s8 offen" behind what is loaded or stored. Loads to LDS leave "off" away.
  Result<void> bind_buffer_address(Source& from) {
    const decode::Modifiers& modifiers = instruction_.modifiers;
    op_.cause = "its descriptor asks for swizzling or thread numbers";
    op_.address_parts = static_cast<std::uint8_t>((modifiers.offen ? kOffsetPart : 0) |
                                                  (modifiers.idxen ? kIndexPart : 0));
    if (shown().size() < next_ + 3) return refuse("too few operands for a buffer");
    const std::size_t first = shown().size() - 3;
    const Operand &vector = shown()[first], &base = shown()[first + 1],
                  &soffset = shown()[first + 2];
    trailing_ = 3;
    if (op_.address_parts != 0) {
      from.kind = SourceKind::kVgpr;
      const bool has_both = modifiers.offen && modifiers.idxen;
      ASSIGN_OR_RETURN(from.index, register_index(vector, has_both ? 2 : 1));
    }
    if (base.kind != OperandKind::kSgpr) return refuse("a descriptor in no SGPR");
    op_.scalar_base.kind = SourceKind::kSgpr;
    ASSIGN_OR_RETURN(op_.scalar_base.index, register_index(base, 4));
    return bind_value(op_.soffset, kOneWord, soffset);
  }

  Result<void> bind_value(Source& from, unsigned n, const Operand& operand) {
    return bind_value(from, row_.source_shapes[n], operand);
  }

  Result<void> bind_value(Source& from, const ValueShape& shape, const Operand& operand) {
    switch (operand.kind) {
      case OperandKind::kInteger:
      case OperandKind::kFloat:
        if (auto done = constant_source(from, shape, operand); !done) return done;
        break;
      case OperandKind::kScc:
        from.kind = SourceKind::kScc;
        break;
      case OperandKind::kAperture:
        if (shape.registers != 2) return refuse("half of an aperture");
        from.kind = SourceKind::kConstant;
        from.constant = static_cast<std::uint64_t>(operand.integer);
        break;
      case OperandKind::kSgpr:
      case OperandKind::kVgpr:
      case OperandKind::kAgpr: {
        const bool is_mask = shape.value_class == ValueClass::kBit;
        ASSIGN_OR_RETURN(from.index, register_index(operand, is_mask ? 2 : shape.registers));
        from.kind = operand.kind == OperandKind::kSgpr ? SourceKind::kSgpr : SourceKind::kVgpr;
        break;
      }
      default:
        return refuse("an operand that is no value");
    }
    return bind_source_modifiers(from, shape, operand, position_++);
  }

  // `position` counts the sources that the text shows: the index of op_sel and neg_lo.
  Result<void> bind_source_modifiers(Source& from, const ValueShape& shape, const Operand& operand,
                                     unsigned position) {
    return modify_source(from, shape.value_class, operand, position, instruction_);
  }

  Result<void> bind_permute_data() {
    next_ += trailing_;
    if (row_.encoding != isa::Encoding::kDs) return {};
    if (row_.mnemonic.find("_tr_b") != std::string_view::npos) {
      op_.cause = "only some lanes of a block of 16 are on";
    }
    const bool is_permute = row_.mnemonic.find("permute") != std::string_view::npos ||
                            row_.mnemonic == "ds_swizzle_b32";
    if (!is_permute) return {};
    ASSIGN_OR_RETURN(const Operand operand, next());
    Source& from = op_.sources[row_.sources.count];
    ASSIGN_OR_RETURN(from.index, register_index(operand, 1));
    from.kind = SourceKind::kVgpr;
    return {};
  }

  // DPP: which lanes the first source comes from, and which are written.
  Result<void> bind_lane_controls() {
    const decode::Modifiers& modifiers = instruction_.modifiers;
    if (modifiers.dpp_control == decode::Modifiers::kNoDpp) return {};
    op_.dpp = {.lanes = dpp_lanes(modifiers.dpp_control),
               .row_mask = modifiers.row_mask,
               .bank_mask = modifiers.bank_mask,
               .writes_without_source = modifiers.bound_ctrl};
    unsigned first = 0;
    while (first < row_.sources.count && row_.sources.at[first] != Place::kS0) ++first;
    if (first == row_.sources.count || op_.sources[first].kind != SourceKind::kVgpr) {
      return refuse("DPP of what is no VGPR");
    }
    op_.sources[first].lanes = op_.dpp.lanes;
    op_.sources[first].is_modified = true;
    const bool leaves_lanes_out =
        !modifiers.bound_ctrl || modifiers.row_mask != 0xF || modifiers.bank_mask != 0xF;
    for (unsigned n = 0; n < row_.results.count; ++n) {
      if (row_.result_shapes[n].value_class == ValueClass::kBit && leaves_lanes_out) {
        return refuse("DPP that leaves lanes of a mask out");
      }
    }
    return {};
  }

  Result<void> check_modifiers() {
    const decode::Modifiers& modifiers = instruction_.modifiers;
    if (!modifiers.unknown.empty()) return refuse(concat("the modifier ", modifiers.unknown));
    // Output multipliers do nothing while MODE asks for IEEE rules, which it always does here.
    if (auto done = check_clamp(); !done) return done;
    if (modifiers.dst_sel != static_cast<std::uint8_t>(isa::Part::kDword)) {
      if (op_.result_part != isa::Part::kDword) return refuse("two parts of a destination");
      op_.result_part = static_cast<isa::Part>(modifiers.dst_sel);
      op_.result_rest = static_cast<isa::Rest>(modifiers.dst_unused);
    }
    if (auto done = check_op_sel(); !done) return done;
    op_.is_result_plain = !op_.clamp && op_.result_part == isa::Part::kDword;
    op_.writes_exec = row_.encoding == isa::Encoding::kVopc && row_.results.count == 2;
    return {};
  }

  // Integers saturate in rows of their own.
  Result<void> check_clamp() {
    if (!instruction_.modifiers.clamp || row_.mnemonic.ends_with("_clamp")) return {};
    switch (row_.result_shapes[0].value_class) {
      case ValueClass::kFloat:
      case ValueClass::kDouble:
      case ValueClass::kHalf:
      case ValueClass::kPair:
      case ValueClass::kPairOfHalves:
        op_.clamp = true;
        return {};
      default:
        return refuse("clamp of what is no float");
    }
  }

  // Bits of op_sel that no source has taken: one for the destination.
  Result<void> check_op_sel() {
    const decode::Modifiers& modifiers = instruction_.modifiers;
    const bool is_packed = row_.encoding == isa::Encoding::kVop3p;
    if (!is_packed && (modifiers.neg_lo != 0 || modifiers.neg_hi != 0)) {
      return refuse("the modifier neg_lo or neg_hi");
    }
    if (is_packed) return {};
    const unsigned rest = modifiers.op_sel >> position_;
    if (rest == 0) return {};
    const ValueClass result = row_.result_shapes[0].value_class;
    const bool is_half = result == ValueClass::kHalf || result == ValueClass::kInteger16;
    if (rest != 1 || !is_half) return refuse("the modifier op_sel for its destination");
    op_.result_part = isa::Part::kWord1;
    op_.result_rest = isa::Rest::kOld;
    return {};
  }

  const decode::Instruction& instruction_;
  const Row& row_;
  const BindContext& context_;
  Op op_;
  std::size_t next_ = 0;
  unsigned position_ = 0;
  std::size_t trailing_ = 0;  // operands at the end that the address has taken
};

}  // namespace

Result<std::uint16_t> vgpr_index(const decode::Operand& operand, const BindContext& context) {
  const bool is_agpr = operand.kind == OperandKind::kAgpr;
  const unsigned base = is_agpr ? context.accum_offset : 0;
  const unsigned end = operand.index + operand.count;
  if (base + end > context.vgpr_count) {
    return Error{ErrorCode::kUnsupported,
                 concat("register ", is_agpr ? "a" : "v", end - 1, " where the kernel has ",
                        context.vgpr_count - base)};
  }
  return static_cast<std::uint16_t>(base + operand.index);
}

Result<Op> bind_operands(const decode::Instruction& instruction, const Row& row,
                         const BindContext& context) {
  if (row.encoding == isa::Encoding::kMfma) return bind_matrix(instruction, row, context);
  if (instruction.modifiers.clamp && !row.mnemonic.ends_with("_clamp")) {
    const Row* saturating = find_row(concat(row.mnemonic, "_clamp"), context.target);
    if (saturating != nullptr) return Binder(instruction, *saturating, context).bind();
  }
  return Binder(instruction, row, context).bind();
}

}  // namespace compass::interp
