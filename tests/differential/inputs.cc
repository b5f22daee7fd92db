// SPDX-License-Identifier: MIT
#include "tests/differential/inputs.h"

namespace compass::differential {
namespace {

std::uint64_t ones(unsigned count) { return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count); }

/// splitmix64
class Random {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_ = 2026;
};

std::vector<std::uint64_t> integer_edges(unsigned width) {
  std::vector<std::uint64_t> edges;
  for (unsigned bit = 0; bit < width; bit = bit < 8 ? bit + 1 : bit + (bit % 8 == 7 ? 1 : 7)) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t value : {power - 1, power, power + 1, ~power, ~power + 1}) {
      edges.push_back(value & ones(width));
    }
  }
  for (const std::uint64_t value :
       {0x5555555555555555u, 0xaaaaaaaaaaaaaaaau, 0x123456789abcdef0u}) {
    edges.push_back(value & ones(width));
  }
  return edges;
}

std::vector<std::uint64_t> float_edges(const Layout& layout) {
  const std::uint64_t highest = ones(layout.exponent_bits), bias = highest / 2;
  const std::uint64_t full = ones(layout.mantissa_bits);
  std::vector<std::uint64_t> edges;
  for (const std::uint64_t exponent :
       {std::uint64_t{0}, std::uint64_t{1}, bias - 1, bias, bias + 1, bias + layout.mantissa_bits,
        bias + 8, bias + 31, bias + 32, bias + 63, highest - 1, highest}) {
    for (const std::uint64_t mantissa :
         {std::uint64_t{0}, std::uint64_t{1}, full / 2 + 1, full - 1, full}) {
      const std::uint64_t value = (exponent & highest) << layout.mantissa_bits | mantissa;
      edges.push_back(value);
      edges.push_back(value | std::uint64_t{1} << (layout.size_bytes * 8 - 1));
    }
  }
  return edges;
}

/// Random bits, or for floats in one case of two a magnitude near one.
std::uint64_t random_value(const Layout& layout, Random& random) {
  const std::uint64_t bits = random.next() & ones(layout.size_bytes * 8);
  if (!layout.is_float() || (random.next() & 1) != 0) {
    // Small integers, too: shift counts and divisors.
    return !layout.is_float() && random.next() % 3 == 0
               ? bits >> random.next() % (layout.size_bytes * 8)
               : bits;
  }
  const std::uint64_t exponent = ones(layout.exponent_bits) / 2 - 4 + random.next() % 8;
  const std::uint64_t mask = ones(layout.exponent_bits) << layout.mantissa_bits;
  return (bits & ~mask) | exponent << layout.mantissa_bits;
}

}  // namespace

bool Layout::is_nan(std::uint64_t bits) const {
  const std::uint64_t magnitude = bits & ones(size_bytes * 8 - 1);
  return is_float() && magnitude > ones(exponent_bits) << mantissa_bits;
}

bool Layout::is_zero(std::uint64_t bits) const {
  return is_float() && (bits & ones(size_bytes * 8 - 1)) == 0;
}

Layout layout_of(ElementType type) {
  switch (type) {
    case kTypeU8:
      return {1, 0, 0};
    case kTypeU16:
    case kTypeI16:
      return {2, 0, 0};
    case kTypeU32:
    case kTypeI32:
      return {4, 0, 0};
    case kTypeU64:
    case kTypeI64:
      return {8, 0, 0};
    case kTypeF16:
      return {2, 5, 10};
    case kTypeF32:
      return {4, 8, 23};
    case kTypeF64:
      break;
  }
  return {8, 11, 52};
}

Operands make_operands(const Layout& layout, unsigned count) {
  const std::vector<std::uint64_t> edges =
      layout.is_float() ? float_edges(layout) : integer_edges(layout.size_bytes * 8);
  Random random;
  const auto quiet = [&](std::uint64_t bits) {
    return layout.is_nan(bits) ? bits | std::uint64_t{1} << (layout.mantissa_bits - 1) : bits;
  };
  const auto mixed = [&] {
    const bool is_edge = random.next() % 3 == 0;
    return is_edge ? edges[random.next() % edges.size()] : random_value(layout, random);
  };
  Operands operands;
  for (std::uint64_t i = 0; i < count; ++i) {
    const bool is_pair = i < edges.size() * edges.size();
    operands.a.push_back(quiet(is_pair ? edges[i / edges.size()] : mixed()));
    operands.b.push_back(quiet(is_pair ? edges[i % edges.size()] : mixed()));
    operands.c.push_back(quiet(mixed()));
  }
  return operands;
}

}  // namespace compass::differential
