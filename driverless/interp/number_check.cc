// SPDX-License-Identifier: MIT
#include "driverless/interp/number_check.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "driverless/interp/lane_address.h"

namespace compass::interp {
namespace {

constinit thread_local NumberCheck* current = nullptr;

bool is_store(const Op& op) {
  if (op.row == nullptr || op.row->kind != RowKind::kMemory) return false;
  const isa::Encoding encoding = op.row->encoding;
  const bool is_global = encoding == isa::Encoding::kGlobal || encoding == isa::Encoding::kFlat ||
                         encoding == isa::Encoding::kBuffer;
  return is_global && op.row->mnemonic.find("_store_") != std::string_view::npos;
}

/// What the instruction computes, where it computes numbers.
StoredNumber computed(const Row& row) {
  if (row.mnemonic == "v_cvt_pk_bf16_f32") return StoredNumber::kBf16;
  if (row.kind == RowKind::kMatrix) {
    const bool is_single = row.mnemonic.find("mfma_f32") != std::string_view::npos;
    return is_single ? StoredNumber::kF32 : StoredNumber::kNone;
  }
  if (row.kind != RowKind::kVector || row.results.count == 0) return StoredNumber::kNone;
  switch (row.result_shapes[0].value_class) {
    case ValueClass::kFloat:
    case ValueClass::kPair:
      return StoredNumber::kF32;
    case ValueClass::kHalf:
    case ValueClass::kPairOfHalves:
      return StoredNumber::kF16;
    default:
      return StoredNumber::kNone;
  }
}

bool is_move(const Row& row) {
  return row.mnemonic.starts_with("v_mov_b") || row.mnemonic.starts_with("v_accvgpr_") ||
         row.mnemonic.starts_with("v_cndmask");
}

/// What takes the bits of numbers apart, rounds them or packs them: a bf16 is made so.
bool is_rounding(const Row& row) {
  for (const std::string_view name :
       {"v_lshrrev_b32", "v_and_b32", "v_and_or_b32", "v_perm_b32", "v_add3_u32", "v_or_b32",
        "v_lshl_or_b32", "v_or3_b32", "v_bfi_b32", "v_alignbit_b32", "v_alignbyte_b32"}) {
    if (row.mnemonic == name) return true;
  }
  return false;
}

/// Backwards from the data of stores. In the block of a store the last definition counts, elsewhere
/// any.
class Formats {
 public:
  explicit Formats(const std::vector<Op>& ops) : ops_(ops) {
    for (std::size_t at = 0; at < ops.size(); ++at) {
      if (ops[at].row == nullptr) continue;
      for (unsigned n = 0; n < ops[at].row->result_count(); ++n) {
        const Destination& to = ops[at].results[n];
        if (to.kind != ResultKind::kVgpr) continue;
        for (unsigned r = 0; r < ops[at].row->result_shapes[n].registers; ++r) {
          writers_[to.index + r].push_back(at);
        }
      }
    }
  }

  StoredNumber of_store(std::size_t at) {
    seen_.clear();
    const Source& data = ops_[at].sources[1];
    if (data.kind != SourceKind::kVgpr) return StoredNumber::kNone;
    StoredNumber found = StoredNumber::kNone;
    for (unsigned r = 0; r < ops_[at].row->source_shapes[1].registers; ++r) {
      found = std::max(found, of_register(data.index + r, at));
    }
    const std::string_view name = ops_[at].row->mnemonic;
    const bool is_half = name.find("short") != std::string_view::npos;
    const bool is_byte = name.find("byte") != std::string_view::npos;
    if (is_byte) return StoredNumber::kNone;
    return is_half && found == StoredNumber::kF32 ? StoredNumber::kBf16 : found;
  }

 private:
  bool ends_block(const Op& op) const {
    if (op.row == nullptr) return true;
    const std::string_view name = op.row->mnemonic;
    return name.starts_with("s_cbranch") || name == "s_branch" || name == "s_endpgm" ||
           name == "s_barrier";
  }

  StoredNumber of_register(unsigned index, std::size_t before) {
    for (std::size_t at = before; at-- > 0 && !ends_block(ops_[at]);) {
      if (writes(ops_[at], index)) return of_op(at);
    }
    StoredNumber found = StoredNumber::kNone;
    for (const std::size_t at : writers_[index]) found = std::max(found, of_op(at));
    return found;
  }

  static bool writes(const Op& op, unsigned index) {
    for (unsigned n = 0; n < op.row->result_count(); ++n) {
      const Destination& to = op.results[n];
      const unsigned count = op.row->result_shapes[n].registers;
      if (to.kind == ResultKind::kVgpr && index - to.index < count) return true;
    }
    return false;
  }

  StoredNumber of_op(std::size_t at) {
    const Op& op = ops_[at];
    const StoredNumber number = computed(*op.row);
    const bool rounds = is_rounding(*op.row);
    if (number != StoredNumber::kNone || (!rounds && !is_move(*op.row))) return number;
    if (!seen_.insert(at).second) return StoredNumber::kNone;
    StoredNumber found = StoredNumber::kNone;
    for (unsigned n = 0; n < op.row->sources.count; ++n) {
      if (op.sources[n].kind != SourceKind::kVgpr) continue;
      found = std::max(found, of_register(op.sources[n].index, at));
    }
    return rounds && found == StoredNumber::kF32 ? StoredNumber::kBf16 : found;
  }

  const std::vector<Op>& ops_;
  std::map<unsigned, std::vector<std::size_t>> writers_;
  std::set<std::size_t> seen_;
};

bool has_nonfinite(StoredNumber number, std::uint32_t word, bool low, bool high) {
  const auto is = [word](std::uint32_t exponent) { return (word & exponent) == exponent; };
  if (number == StoredNumber::kF32) return is(0x7F80'0000);
  const std::uint32_t exponent = number == StoredNumber::kBf16 ? 0x7F80 : 0x7C00;
  return (low && is(exponent)) || (high && is(exponent << 16));
}

/// The lanes that are about to store an infinity or NaN, and in which word. What is not known is
/// neither.
std::uint64_t lanes_with_nonfinite(const Wavefront& wave, const Op& op, StoredNumber number,
                                   unsigned& word) {
  const std::string_view name = op.row->mnemonic;
  const bool is_half = name.find("short") != std::string_view::npos;
  const bool is_high = is_half && name.find("d16_hi") != std::string_view::npos;
  for (word = 0; word < op.row->source_shapes[1].registers; ++word) {
    const LaneRow& row = wave.vgpr[op.sources[1].index + word];
    std::uint64_t lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const bool is_bad = has_nonfinite(number, row[lane], !is_half || !is_high, !is_half || is_high);
      lanes |= std::uint64_t{is_bad} << lane;
    }
    lanes &= wave.exec();
    if (wave.tainted) lanes &= ~wave.vgpr_taint[op.sources[1].index + word].any();
    if (lanes != 0) return lanes;
  }
  return 0;
}

}  // namespace

std::vector<StoredNumber> stored_numbers(const std::vector<Op>& ops) {
  Formats formats(ops);
  std::vector<StoredNumber> numbers(ops.size(), StoredNumber::kNone);
  for (std::size_t at = 0; at < ops.size(); ++at) {
    if (is_store(ops[at])) numbers[at] = formats.of_store(at);
  }
  return numbers;
}

void check_and_run(Wavefront& wave, const Op& op) {
  NumberCheck& check = *current;
  const StoredNumber number =  // it has advanced already
      check.numbers == nullptr ? StoredNumber::kNone : check.numbers[wave.pc - 1];
  if (!check.address && number != StoredNumber::kNone) {
    unsigned word = 0;
    const std::uint64_t lanes = lanes_with_nonfinite(wave, op, number, word);
    if (lanes != 0) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::optional<std::uint64_t> address = lane_address(wave, op, lane);
      if (address) check.address = *address + std::uint64_t{4} * word;
    }
  }
  op.row->handlers[static_cast<unsigned>(host_level())](wave, op);
}

NumberCheckScope::NumberCheckScope(NumberCheck* check) { current = check; }
NumberCheckScope::~NumberCheckScope() { current = nullptr; }

}  // namespace compass::interp
