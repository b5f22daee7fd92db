// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driverless/case/case.h"
#include "ir/device_address.h"

namespace compass::kernel_case {

/// How a buffer differs from what it must hold after a launch.
struct Mismatch {
  std::string buffer;
  const Dtype* dtype = nullptr;
  bool had_to_keep = false;          ///< there is no `expect`: the launch may not change the buffer
  std::uint64_t element = 0;         ///< the first that differs, in memory's order
  std::vector<std::uint64_t> index;  ///< its place in the buffer's shape
  std::uint64_t got_bits = 0, want_bits = 0;
  double allowed = 0;  ///< how far the first one may be from its value; 0 for integers
  std::uint64_t differing = 0, elements = 0;
  DeviceAddress place;      ///< of the first one, in the run that gave it
  std::string last_writer;  ///< who stored the first one last, as a text; empty: not known
};

/// Compares `got` with what `argument` must hold: integers, and buffers that the launch must leave
/// alone, bit for bit; floats by |got - want| <= atol + rtol * |want| after widening, where equal
/// infinities and two NaNs are equal. Nothing if all is right.
std::optional<Mismatch> compare(const Argument& argument, ByteView got);

}  // namespace compass::kernel_case
