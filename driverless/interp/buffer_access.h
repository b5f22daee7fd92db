// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/access.h"
#include "driverless/interp/whole_wave.h"
#include "driverless/isa/buffer.h"

namespace compass::interp {

/// The lanes of a set that reach a buffer with the whole of their access, and where in global
/// memory.
struct BufferLanes {
  std::uint64_t mask = 0;
  alignas(64) LaneRow row;
  std::uint64_t address[kLanes];
};

/// A buffer as one lane sees it. An address holds the index in its upper half, the offset in its
/// lower one. Every word is checked on its own: beyond the buffer loads give 0 and stores do
/// nothing; within it they reach global memory, where what is no allocation is a fault.
template <class D>
class BufferAccess {
 public:
  BufferAccess(Wavefront& wave, const Op& op) : memory_(wave, op) {
    isa::Words<D, 4> words;
    for (unsigned n = 0; n < 4; ++n) words.word[n] = {wave.sgpr[op.scalar_base.index + n]};
    descriptor_ = isa::buffer_descriptor(words);
    soffset_ = {op.soffset.kind == SourceKind::kSgpr
                    ? wave.sgpr[op.soffset.index]
                    : static_cast<std::uint32_t>(op.soffset.constant)};
    has_index_ = {(op.address_parts & kIndexPart) != 0};
  }
  unsigned lane = 0;

  bool is_special() const { return descriptor_.is_special.rep; }

  /// False if some lane of `lanes` reaches the buffer with a part of its `words` only.
  bool reach(const LaneSet& lanes, const std::uint64_t (&address)[kLanes], unsigned words,
             BufferLanes& out) const {
    std::uint32_t partly = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const isa::U64<D> first{address[lane]}, last{first.rep + 4 * (words - 1)};
      const bool begins =
          !isa::buffer_out_of_range(descriptor_, place(first), soffset_, has_index_).rep;
      const bool ends =
          !isa::buffer_out_of_range(descriptor_, place(last), soffset_, has_index_).rep;
      const bool carries = first.rep >> 32 != last.rep >> 32;
      partly |= (begins != ends || carries ? ~0u : 0u) & lanes.row[lane];
      out.row[lane] = (begins ? ~0u : 0u) & lanes.row[lane];
      out.address[lane] = where(first).rep;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out.mask |= std::uint64_t{out.row[lane] & 1} << lane;
    }
    return partly == 0;
  }

  isa::U32<D> load8(isa::U64<D> address) { return load_part(address, &Memory::load8); }
  isa::U32<D> load16(isa::U64<D> address) { return load_part(address, &Memory::load16); }
  isa::U32<D> load32(isa::U64<D> address) { return load_part(address, &Memory::load32); }
  template <unsigned N>
  isa::Words<D, N> load(isa::U64<D> address) {
    if (reaches_whole(address, N)) return memory_.template load<N>(where(address));
    isa::Words<D, N> value{};
    for (unsigned n = 0; n < N; ++n) value.word[n] = load32({address.rep + 4 * n});
    return value;
  }
  void store8(isa::U64<D> address, isa::U32<D> data) {
    if (reaches(address)) memory_.store8(where(address), data);
  }
  void store16(isa::U64<D> address, isa::U32<D> data) {
    if (reaches(address)) memory_.store16(where(address), data);
  }
  void store32(isa::U64<D> address, isa::U32<D> data) {
    if (reaches(address)) memory_.store32(where(address), data);
  }
  template <unsigned N>
  void store(isa::U64<D> address, const isa::Words<D, N>& data) {
    if (reaches_whole(address, N)) return memory_.template store<N>(where(address), data);
    for (unsigned n = 0; n < N; ++n) store32({address.rep + 4 * n}, data.word[n]);
  }
  template <class V, class F>
  V update(isa::U64<D> address, F change) {
    return reaches(address) ? memory_.template update<V>(where(address), change) : V{};
  }

 private:
  using Memory = GlobalAccess<D>;

  static isa::BufferPlace<D> place(isa::U64<D> address) {
    return {{static_cast<std::uint32_t>(address.rep >> 32)},
            {static_cast<std::uint32_t>(address.rep)}};
  }
  bool reaches(isa::U64<D> address) {
    memory_.lane = lane;
    return !isa::buffer_out_of_range(descriptor_, place(address), soffset_, has_index_).rep;
  }
  // All of `words`, without a carry into the index.
  bool reaches_whole(isa::U64<D> address, unsigned words) {
    const std::uint64_t last = address.rep + 4 * (words - 1);
    return last >> 32 == address.rep >> 32 && reaches(address) && reaches({last});
  }
  isa::U64<D> where(isa::U64<D> address) const {
    return isa::buffer_address(descriptor_, place(address), soffset_);
  }
  isa::U32<D> load_part(isa::U64<D> address, isa::U32<D> (Memory::*load)(isa::U64<D>)) {
    return reaches(address) ? (memory_.*load)(where(address)) : isa::U32<D>{0};
  }

  Memory memory_;
  isa::BufferDescriptor<D> descriptor_;
  isa::U32<D> soffset_;
  isa::B1<D> has_index_;
};

/// A buffer as scalar loads see it: word by word, 0 beyond its end.
template <class D>
class ScalarBufferAccess {
 public:
  ScalarBufferAccess(Wavefront& wave, const Op& op) : memory_(wave, op) {}

  template <unsigned N>
  isa::Words<D, N> load(isa::Words<D, 4> words, isa::U64<D> offset) {
    const isa::BufferDescriptor<D> descriptor = isa::buffer_descriptor(words);
    const std::uint64_t end = isa::scalar_buffer_bytes(descriptor).rep;
    isa::Words<D, N> value{};
    for (unsigned n = 0; n < N; ++n) {
      const std::uint64_t at = offset.rep + 4 * n;
      if (at < end) value.word[n] = memory_.load32({descriptor.base.rep + at});
    }
    return value;
  }

 private:
  GlobalAccess<D> memory_;
};

}  // namespace compass::interp
