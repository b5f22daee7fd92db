// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/op.h"
#include "driverless/interp/value_rows.h"

/// Writing the results of lane operations.
namespace compass::interp {

/// Clamps `rows` and puts them, or what part of them the instruction writes, into their registers.
void finish_rows(Wavefront& wave, const Op& op, const Destination& to, const LaneRow& exec,
                 ValueClass value_class, unsigned count, LaneRow* rows);

/// The lowest bits of 64 lanes as a mask.
inline std::uint64_t pack_mask(const LaneRow& row) {
  std::uint8_t bits[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) bits[lane] = row[lane] & 1;
  std::uint64_t mask = 0;
  for (unsigned group = 0; group < kLanes / 8; ++group) {
    std::uint64_t bytes;
    std::memcpy(&bytes, bits + 8 * group, sizeof bytes);
    mask |= (bytes * 0x0102'0408'1020'4080u >> 56) << (8 * group);
  }
  return mask;
}

/// Where one result goes while the loop runs.
template <class V>
struct ResultRows {
  static constexpr unsigned kCount = ValueRows<V>::kCount;
  std::uint32_t* row[kCount];
  alignas(64) LaneRow scratch[kCount];

  ResultRows() {}  // as SourceRows

  void prepare(Wavefront& wave, const Op& op, const Destination& to) {
    for (unsigned n = 0; n < kCount; ++n) {
      row[n] = op.is_result_plain ? wave.vgpr[to.index + n] : scratch[n];
    }
  }
  void write(const V& value, unsigned lane, std::uint32_t exec) {
    for (unsigned n = 0; n < kCount; ++n) {
      // No branch, which would keep the loop from becoming vector code.
      row[n][lane] = (ValueRows<V>::word(value, n) & exec) | (row[n][lane] & ~exec);
    }
  }
  void finish(Wavefront& wave, const Op& op, const Destination& to, const LaneRow& exec) {
    if (op.is_result_plain) [[likely]]
      return;
    finish_rows(wave, op, to, exec, ValueRows<V>::kClass, kCount, scratch);
  }
};

template <class D>
struct ResultRows<isa::B1<D>> {
  alignas(64) LaneRow bits;

  ResultRows() {}

  void prepare(Wavefront&, const Op&, const Destination&) {}
  void write(isa::B1<D> value, unsigned lane, std::uint32_t exec) {
    bits[lane] = value.rep ? exec : 0;
  }
  void finish(Wavefront& wave, const Op& op, const Destination& to, const LaneRow&) {
    const std::uint64_t mask = pack_mask(bits);
    wave.set_sgpr64(to.index, mask);
    if (op.writes_exec) wave.set_sgpr64(kExecLo, mask);
  }
};

}  // namespace compass::interp
