// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "driverless/machine/look.h"

namespace compass::analysis {

using Kind = TracedValue::Kind;
using Number = TracedValue::Number;

inline TracedValue value_of(Kind kind, unsigned index, std::initializer_list<std::uint32_t> words,
                            Number number = Number::kBits) {
  TracedValue value;
  value.kind = kind;
  value.number = number;
  value.index = static_cast<std::uint16_t>(index);
  value.registers = static_cast<std::uint8_t>(words.size());
  std::copy(words.begin(), words.end(), value.words.begin());
  return value;
}
inline TracedValue vgpr(unsigned index, std::initializer_list<std::uint32_t> words) {
  return value_of(Kind::kVgpr, index, words);
}
inline TracedValue sgpr(unsigned index, std::initializer_list<std::uint32_t> words) {
  return value_of(Kind::kSgpr, index, words);
}
inline TracedValue constant(std::initializer_list<std::uint32_t> words) {
  return value_of(Kind::kConstant, 0, words);
}
inline TracedValue f32(unsigned index, float number) {
  return value_of(Kind::kVgpr, index, {std::bit_cast<std::uint32_t>(number)}, Number::kF32);
}
inline TracedValue f32_constant(float number) {
  return value_of(Kind::kConstant, 0, {std::bit_cast<std::uint32_t>(number)}, Number::kF32);
}

/// A trace, step by step; each step's number is what the functions return.
class TraceForTest {
 public:
  std::size_t compute(const std::string& mnemonic, const TracedValue& result,
                      const std::vector<TracedValue>& sources,
                      TraceStep::Kind kind = TraceStep::Kind::kVector) {
    TraceStep step;
    step.kind = kind;
    step.results[0] = result;
    return add(mnemonic, std::move(step), sources);
  }

  std::size_t load(const TracedValue& result, const std::vector<TracedValue>& address,
                   TracedAccess access) {
    TraceStep step;
    step.kind = TraceStep::Kind::kMemory;
    step.results[0] = result;
    step.access = access;
    step.access.loads = true;
    step.address_sources = static_cast<std::uint8_t>(address.size());
    return add("a_load", std::move(step), address);
  }

  std::size_t store(const std::vector<TracedValue>& address, const TracedValue& data,
                    TracedAccess access) {
    TraceStep step;
    step.kind = TraceStep::Kind::kMemory;
    step.access = access;
    step.access.stores = true;
    step.address_sources = static_cast<std::uint8_t>(address.size());
    std::vector<TracedValue> sources = address;
    sources.push_back(data);
    return add("a_store", std::move(step), sources);
  }

  /// The lane takes no part in the last step.
  void switch_off() { look_.steps.back().active = false; }
  TraceStep& last() { return look_.steps.back(); }
  const Look& look() const { return look_; }

 private:
  std::size_t add(const std::string& mnemonic, TraceStep step,
                  const std::vector<TracedValue>& sources) {
    step.pc = 4 * look_.steps.size();
    step.active = step.has_run = true;
    step.source_count = static_cast<std::uint8_t>(sources.size());
    std::copy(sources.begin(), sources.end(), step.sources.begin());
    look_.code[step.pc] = {mnemonic, mnemonic};
    look_.steps.push_back(std::move(step));
    return look_.steps.size() - 1;
  }

  Look look_;
};

inline TracedAccess in_buffer(std::uint32_t allocation, std::uint64_t offset_bytes,
                              std::uint64_t address = 0) {
  TracedAccess access;
  access.size_bytes = 4;
  access.allocation = {allocation};
  access.offset_bytes = offset_bytes;
  access.address = address;
  return access;
}
inline TracedAccess in_lds(std::uint64_t offset_bytes) {
  TracedAccess access;
  access.space = AddressSpace::kLds;
  access.size_bytes = 4;
  access.address = access.offset_bytes = offset_bytes;
  return access;
}
inline TracedAccess in_kernarg(std::uint64_t offset_bytes) {
  TracedAccess access;
  access.size_bytes = 4;
  access.offset_bytes = offset_bytes;
  access.is_kernarg = true;
  return access;
}

}  // namespace compass::analysis
