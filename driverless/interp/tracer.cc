// SPDX-License-Identifier: MIT
#include "driverless/interp/tracer.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "driverless/interp/fetch.h"
#include "driverless/interp/index_notes.h"
#include "driverless/interp/lane_address.h"
#include "driverless/interp/row.h"
#include "driverless/interp/scratch_space.h"
#include "driverless/machine/workgroup.h"

namespace compass::interp {
namespace {

using isa::Encoding;
using Kind = TracedValue::Kind;

constinit thread_local Look* current = nullptr;

TracedValue::Number number_of(ValueClass value_class) {
  using Number = TracedValue::Number;
  switch (value_class) {
    case ValueClass::kFloat:
      return Number::kF32;
    case ValueClass::kPair:
      return Number::kF32x2;
    case ValueClass::kDouble:
      return Number::kF64;
    case ValueClass::kHalf:
      return Number::kF16;
    case ValueClass::kPairOfHalves:
      return Number::kF16x2;
    default:
      return Number::kBits;
  }
}

bool is_traced(const Wavefront& wave, const Look& look) {
  return !look.is_frozen && wave.index == look.wavefront && wave.workgroup->id == look.workgroup;
}

Kind kind_of(SourceKind kind) {
  switch (kind) {
    case SourceKind::kVgpr:
      return Kind::kVgpr;
    case SourceKind::kSgpr:
    case SourceKind::kSgprZext:
      return Kind::kSgpr;
    case SourceKind::kScc:
      return Kind::kScc;
    default:
      return Kind::kConstant;
  }
}

/// Whether the halves, or the whole, of a word that a matrix instruction takes are finite.
bool is_finite_word(std::string_view mnemonic, unsigned source, std::uint32_t word) {
  const auto is_finite = [word](std::uint32_t exponent) { return (word & exponent) != exponent; };
  if (source == 2 || mnemonic.ends_with("_f32") || mnemonic.ends_with("xf32")) {
    return is_finite(0x7F80'0000);
  }
  if (mnemonic.find("bf16") != std::string_view::npos) {
    return is_finite(0x7F80'0000) && is_finite(0x7F80);
  }
  return !mnemonic.ends_with("f16") || (is_finite(0x7C00'0000) && is_finite(0x7C00));
}

/// Whether no lane's source of a matrix instruction of single sums is infinite or NaN.
bool takes_finite(const Wavefront& wave, const Op& op) {
  const Row& row = *op.row;
  for (unsigned n = 0; n < row.sources.count && n < 3; ++n) {
    if (op.sources[n].kind != SourceKind::kVgpr) continue;
    for (unsigned r = 0; r < row.source_shapes[n].registers; ++r) {
      for (const std::uint32_t word : wave.vgpr[op.sources[n].index + r]) {
        if (!is_finite_word(row.mnemonic, n, word)) return false;
      }
    }
  }
  return true;
}

/// One instruction as the traced lane meets it.
class Step {
 public:
  Step(const Wavefront& wave, const Op& op, unsigned lane)
      : wave_(const_cast<Wavefront&>(wave)), op_(op), row_(*op.row), lane_(lane) {}

  TraceStep before() {
    step_.pc = op_.instruction->pc;
    step_.kind = static_cast<TraceStep::Kind>(row_.kind);
    step_.active = row_.kind == RowKind::kScalar || row_.encoding == Encoding::kSmem ||
                   (wave_.exec() >> lane_ & 1) != 0;
    if (row_.encoding == Encoding::kSmem || row_.kind == RowKind::kMemory) {
      step_.kind = TraceStep::Kind::kMemory;
      add_address();
    }
    for (unsigned n = 0; n < row_.sources.count; ++n) {
      if (!is_address(n)) add(value_of(op_.sources[n], row_.source_shapes[n]));
    }
    if (row_.kind == RowKind::kPermute) {
      TracedValue data = value_of(op_.sources[row_.sources.count], {1, ValueClass::kInteger});
      data.is_other_lane = true;
      add(data);
    }
    if (step_.kind == TraceStep::Kind::kMemory && step_.active) set_access();
    if (row_.kind == RowKind::kMatrix) step_.takes_finite = takes_finite(wave_, op_);
    return step_;
  }

  static void after(const Wavefront& wave, const Op& op, unsigned lane, TraceStep& step) {
    const Row& row = *op.row;
    for (unsigned n = 0; n < row.result_count(); ++n) {
      const Destination& to = op.results[n];
      TracedValue& result = step.results[n];
      result.index = to.index;
      const bool is_matrix_of_singles =
          row.kind == RowKind::kMatrix && row.mnemonic.find("mfma_f32") != std::string_view::npos;
      result.number = is_matrix_of_singles ? TracedValue::Number::kF32s
                                           : number_of(row.result_shapes[n].value_class);
      result.registers = static_cast<std::uint8_t>(row.result_shapes[n].registers);
      const unsigned words = std::min<unsigned>(result.registers, result.words.size());
      if (to.kind == ResultKind::kVgpr) {
        result.kind = Kind::kVgpr;
        for (unsigned r = 0; r < words; ++r) result.words[r] = wave.vgpr[to.index + r][lane];
      } else if (to.kind == ResultKind::kSgpr) {
        result.kind = Kind::kSgpr;
        result.is_mask = row.result_shapes[n].value_class == ValueClass::kBit;
        if (result.is_mask) {
          result.registers = 2;
          result.words[0] = static_cast<std::uint32_t>(wave.sgpr64(to.index) >> lane & 1);
        } else {
          for (unsigned r = 0; r < words; ++r) result.words[r] = wave.sgpr[to.index + r];
        }
      } else if (to.kind == ResultKind::kScc) {
        result.kind = Kind::kScc;
        result.registers = 1;
        result.words[0] = wave.scc ? 1 : 0;
      }
    }
    step.has_run = true;
  }

 private:
  void add(const TracedValue& value) {
    if (step_.source_count < step_.sources.size()) step_.sources[step_.source_count++] = value;
  }

  bool is_address(unsigned n) const {
    const isa::Place place = row_.sources.at[n];
    if (row_.encoding == Encoding::kSmem) return true;
    return row_.kind == RowKind::kMemory &&
           (place == isa::Place::kAddr || (row_.encoding == Encoding::kDs && n == 0));
  }

  TracedValue value_of(const Source& source, const ValueShape& shape) const {
    TracedValue value;
    if (shape.registers == 0 && shape.value_class != ValueClass::kBit) return value;
    value.kind = kind_of(source.kind);
    value.is_mask = shape.value_class == ValueClass::kBit && value.kind == Kind::kSgpr;
    value.is_other_lane = source.lanes != nullptr || row_.crosses_lanes;
    value.number = number_of(shape.value_class);
    value.index = source.index;
    value.registers =
        static_cast<std::uint8_t>(value.is_mask                          ? 2
                                  : source.kind == SourceKind::kSgprZext ? 1
                                                                         : shape.registers);
    if (row_.kind == RowKind::kMatrix) return value;
    constexpr unsigned kMost = 4;
    alignas(64) LaneRow rows[kMost];
    const unsigned count = std::min<unsigned>(std::max(shape.registers, 1u), kMost);
    materialize(wave_, source, shape.value_class, count, rows);
    for (unsigned n = 0; n < count; ++n) value.words[n] = rows[n][lane_];
    return value;
  }

  static TracedValue sgprs(const Wavefront& wave, unsigned index, unsigned count) {
    TracedValue value{.kind = Kind::kSgpr,
                      .index = static_cast<std::uint16_t>(index),
                      .registers = static_cast<std::uint8_t>(count)};
    for (unsigned n = 0; n < count; ++n) value.words[n] = wave.sgpr[index + n];
    return value;
  }

  void add_address() {
    if (row_.encoding == Encoding::kSmem) {
      const bool is_buffer = row_.source_shapes[0].registers == 4;
      add(sgprs(wave_, op_.sources[0].index, is_buffer ? 4 : 2));
      if (op_.sources[1].kind == SourceKind::kSgprZext) add(sgprs(wave_, op_.sources[1].index, 1));
    } else {
      const unsigned registers = address_registers();
      if (registers != 0) add(value_of(op_.sources[0], {registers, ValueClass::kInteger}));
      const bool is_buffer = row_.encoding == Encoding::kBuffer;
      if (op_.scalar_base.kind == SourceKind::kSgpr) {
        const bool is_scratch = row_.encoding == Encoding::kScratch;
        add(sgprs(wave_, op_.scalar_base.index, is_buffer ? 4 : is_scratch ? 1 : 2));
      }
      if (is_buffer && op_.soffset.kind == SourceKind::kSgpr) {
        add(sgprs(wave_, op_.soffset.index, 1));
      }
    }
    step_.address_sources = step_.source_count;
  }

  unsigned address_registers() const {
    switch (row_.encoding) {
      case Encoding::kGlobal:
        return op_.scalar_base.kind == SourceKind::kNone ? 2 : 1;
      case Encoding::kFlat:
        return 2;
      case Encoding::kScratch:
        return (op_.address_parts & kVectorPart) != 0 ? 1 : 0;
      case Encoding::kBuffer:
        return static_cast<unsigned>(
            std::popcount(op_.address_parts & unsigned{kIndexPart | kOffsetPart}));
      default:
        return 1;
    }
  }

  /// A flat address may lie in LDS or scratch.
  static void place_flat(TracedAccess& access) {
    const std::optional<AddressSpace> space = FlatSpace::aperture_of(access.address);
    if (!space) return;
    access.space = *space;
    access.address = access.offset_bytes = static_cast<std::uint32_t>(access.address);
  }

  void set_access() {
    TracedAccess& access = step_.access;
    const std::string_view name = row_.mnemonic;
    const bool is_atomic = name.find("_atomic_") != std::string_view::npos;
    access.stores = is_atomic || name.find("_store") != std::string_view::npos ||
                    name.find("_write") != std::string_view::npos;
    access.loads = is_atomic || !access.stores;
    access.size_bytes = access_bytes(name);
    const std::optional<std::uint64_t> address = lane_address(wave_, op_, lane_);
    if (!address) return;
    access.address = access.offset_bytes = *address;
    if (row_.encoding == Encoding::kDs) access.space = AddressSpace::kLds;
    if (row_.encoding == Encoding::kScratch) access.space = AddressSpace::kScratch;
    if (row_.encoding == Encoding::kFlat) place_flat(access);
    if (access.space != AddressSpace::kGlobal) return;
    const Region* const region = wave_.workgroup->memory->find(DeviceAddress{*address});
    if (region == nullptr) return;
    access.allocation = region->id;
    access.offset_bytes = *address - region->base.value;
    access.is_kernarg = region->kind == RegionKind::kKernarg;
  }

  Wavefront& wave_;
  const Op& op_;
  const Row& row_;
  unsigned lane_;
  TraceStep step_;
};

}  // namespace

TracingScope::TracingScope(Look* look) { current = look; }
TracingScope::~TracingScope() { current = nullptr; }

void trace_and_run(Wavefront& wave, const Op& op) {
  Look& look = *current;
  const bool traced = is_traced(wave, look);
  if (traced) {
    if (look.steps.size() == Look::kMostSteps) look.steps.pop_front();
    look.steps.push_back(Step(wave, op, look.lane).before());
  }
  op.row->handlers[static_cast<unsigned>(host_level())](wave, op);
  if (traced && !look.is_frozen) Step::after(wave, op, look.lane, look.steps.back());
}

}  // namespace compass::interp
