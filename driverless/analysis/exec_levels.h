// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "driverless/decode/instruction.h"

namespace compass::analysis {

/// What is known of a lane mask in a pair of SGPRs.
enum class MaskLevel : std::uint8_t {
  kUnknown,
  kBounded,  ///< it has only lanes that the wavefront started with
  kInitial,  ///< exactly those
};

/// What is known of the lane masks of a wavefront at one place.
class Masks {
 public:
  /// As a wavefront starts.
  static Masks initial();

  MaskLevel exec() const;
  /// What is known in both.
  void meet(const Masks& other);

  /// How an instruction changes EXEC.
  enum class ExecChange : std::uint8_t {
    kNone,
    kNarrows,  ///< no lane is switched on
    kAny,
  };
  /// The instruction runs.
  ExecChange apply(const decode::Instruction& instruction);

  friend bool operator==(const Masks&, const Masks&) = default;

 private:
  MaskLevel level(const decode::Operand& operand) const;
  void set(const decode::Operand& operand, MaskLevel level);
  void forget(unsigned sgpr, unsigned count);
  ExecChange save_exec(const decode::Instruction& instruction, std::string_view operation);
  ExecChange combine(const decode::Instruction& instruction);

  std::array<MaskLevel, 128> pair_{};  ///< by the lower SGPR of the pair
};

}  // namespace compass::analysis
