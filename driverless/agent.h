// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/arch/arch.h"
#include "driverless/machine/look.h"
#include "driverless/machine/memory.h"
#include "driverless/machine/observer.h"
#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/coverage.h"
#include "ir/index_bytes.h"
#include "ir/kernel.h"

namespace compass {

/// A code object that an agent has loaded; valid until it is unloaded.
struct LoadedCodeObject;
struct LoadedKernel;

/// A request to run a kernel: what HSA calls a dispatch packet, with the kernarg segment's explicit
/// part by value.
struct Dispatch {
  const LoadedKernel* kernel = nullptr;
  std::array<std::uint32_t, 3> grid_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_workitems{1, 1, 1};
  std::uint32_t dynamic_lds_bytes = 0;
  ByteView explicit_kernarg;       ///< arguments at their offsets; the agent adds the hidden ones
  bool is_cooperative = false;     ///< its workgroups are under way together and may synchronise
  std::uint64_t record = 0;        ///< tag for observers
  bool stops_at_findings = false;  ///< the launch ends at its first fault or tainted decision
  Look* look = nullptr;            ///< if not null, what to look at; not with `index`
  /// Repeated in LDS and scratch, which start undefined.
  std::byte poison{0};
  bool checks_numbers = false;     ///< the observer hears of infinities and NaN
  LoadedIndex* index = nullptr;    ///< if not null, gets what formed addresses and predicates
};

/// A variable of a loaded code object.
struct CodeVariable {
  DeviceAddress address;
  std::uint64_t size_bytes = 0;
};

/// One device without a driver: memory, loader and the interpreter that runs machine code.
///
/// The HIP runtime and DriverlessBackend both sit on it. Threads: one at a time.
class Agent {
 public:
  /// `decoder` is the path of the helper program compass-decode.
  Agent(const arch::Architecture& architecture, std::string decoder);
  ~Agent();
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  const arch::Architecture& architecture() const;

  /// What the agent can address. Callers map what programs allocate; addresses from
  /// kReservedBase up to kReservedEnd are the agent's own.
  Memory& memory();
  const Memory& memory() const;

  static constexpr DeviceAddress kReservedBase{0x0000'6000'0000'0000};
  static constexpr DeviceAddress kReservedEnd{0x0000'6100'0000'0000};

  /// Instructions that wavefronts have run since the agent was made.
  std::uint64_t wave_instructions() const;

  /// Which instructions have run since the agent was made, and what each rests on here; by name.
  std::vector<RanInstruction> instructions_run() const;

  /// Loads an ELF built for this architecture.
  Result<LoadedCodeObject*> load(ByteView elf);
  void unload(LoadedCodeObject* code_object);

  /// The kernel called `name` (the symbol without ".kd"), or null.
  static const LoadedKernel* find_kernel(const LoadedCodeObject& code_object,
                                         std::string_view name);
  static const Kernel& metadata(const LoadedKernel& kernel);
  static std::size_t kernel_count(const LoadedCodeObject& code_object);

  /// The variable that the code object exports under that name; absent if there is none.
  static std::optional<CodeVariable> find_variable(const LoadedCodeObject& code_object,
                                                   std::string_view name);

  /// Makes that variable memory of the program's, `allocation`: its bytes have a shadow from here
  /// on, and are known. Absent if there is none of the name, or it is one already.
  std::optional<CodeVariable> begin_variable(const LoadedCodeObject& code_object,
                                             std::string_view name, AllocationId allocation);
  /// Makes the variable at `address` bytes of its code object like any others.
  void end_variable(DeviceAddress address);

  /// Runs a launch to its end. False if it could not run to its end (an instruction that is not
  /// supported, an undecodable place): the observer was told why. An Error where the launch cannot
  /// start: sizes beyond the architecture's limits, arguments that are too short.
  Result<bool> dispatch(const Dispatch& dispatch, Observer& observer);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace compass
