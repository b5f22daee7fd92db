// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/agent.h"
#include "driverless/code_object/loader.h"
#include "driverless/decode/decoder.h"
#include "driverless/interp/launch.h"
#include "driverless/kernarg_segment.h"
#include "driverless/launch_memory.h"

// What an agent is inside: for agent*.cc alone.
namespace compass {

/// What every launch of a kernel has in common; made at the first one.
struct PreparedKernel {
  std::unique_ptr<interp::Program> program;
  interp::LaunchSetup setup;  // sizes and the like are each launch's own
};

struct LoadedKernel {
  LoadedCodeObject* code_object = nullptr;
  LoadedImageKernel image;
  std::unique_ptr<Result<KernargLayout>> kernarg;  // made at the first dispatch
  std::unique_ptr<PreparedKernel> prepared;
};

struct LoadedCodeObject {
  DeviceAddress base;
  LoadedImage image;
  std::vector<LoadedKernel> kernels;
};

struct Agent::State {
  State(const arch::Architecture& arch, std::string decoder_path)
      : architecture(arch), decoder(std::move(decoder_path), std::string(arch.name)) {}

  const arch::Architecture& architecture;
  Memory memory;
  LaunchMemory launch_memory{memory, kReservedBase};
  decode::Decoder decoder;
  std::list<LoadedCodeObject> code_objects;
  std::uint64_t wave_instructions = 0;
  std::set<std::string_view> ran;  // mnemonics
  DeviceAddress next_code = kReservedBase + (std::uint64_t{1} << 32);

  // Used again by the next launch.
  Bytes kernarg;
  interp::SpareWorkgroup spare;

  isa::Target target() const { return architecture.name == "gfx950" ? isa::GFX950 : isa::GFX942; }
  Result<void> check_limits(const Dispatch& dispatch, const LoadedKernel& kernel) const;
  Result<void> fill_kernarg(const Dispatch& dispatch, LoadedKernel& kernel);
  std::string unsupported_start(const KernelDescriptor& descriptor) const;
  Result<std::unique_ptr<interp::Program>> decode(const LoadedKernel& kernel);
  Result<PreparedKernel*> prepare(LoadedKernel& kernel);
  interp::LaunchSetup common_setup(const LoadedKernel& kernel, interp::Program& program) const;
  interp::LaunchOutcome run(const Dispatch& dispatch, const LoadedKernel& kernel,
                            interp::LaunchSetup& setup, Observer& observer);
  void unmap(const LoadedCodeObject& code_object);
  RanInstruction described(std::string_view mnemonic) const;
  /// The launch that has ended ran ops of the program for the first time.
  void note_first_runs(const interp::Program& program, Observer& observer);
  void split(const Region& whole, const Region& middle);
};

}  // namespace compass
