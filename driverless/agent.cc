// SPDX-License-Identifier: MIT
#include "driverless/agent.h"

#include <algorithm>
#include <utility>

#include "driverless/agent_state.h"
#include "driverless/analysis/index_loads.h"
#include "ir/contents.h"

namespace compass {
namespace {

/// Kernels may read a whole cache line of their kernarg segment.
constexpr std::uint64_t kKernargGranule = 64;
/// A lane's scratch: what gfx9's wave size register can say for 64 lanes.
constexpr std::uint32_t kMostScratchBytes = 131056;
std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// A kernel whose calls the compiler could not follow gets the runtime's default stack besides.
std::uint32_t scratch_bytes_of(const KernelDescriptor& descriptor) {
  constexpr std::uint32_t kStackBytes = 1024;
  return descriptor.scratch_bytes + (descriptor.uses_dynamic_stack() ? kStackBytes : 0);
}

std::uint32_t mode_of(const KernelDescriptor& descriptor) {
  std::uint32_t mode = descriptor.float_mode();
  if (descriptor.dx10_clamp()) mode |= kModeDx10Clamp;
  if (descriptor.ieee_mode()) mode |= kModeIeee;
  if (descriptor.fp16_overflow()) mode |= kModeFp16Ovfl;
  return mode;
}

void list_code(const interp::Program& program, Look& look) {
  for (const auto& [pc, instruction] : program.listing().instructions) {
    look.code[pc] = {instruction.mnemonic, instruction.text};
  }
}

}  // namespace

Agent::Agent(const arch::Architecture& architecture, std::string decoder)
    : state_(std::make_unique<State>(architecture, std::move(decoder))) {}
Agent::~Agent() = default;

const arch::Architecture& Agent::architecture() const { return state_->architecture; }
std::uint64_t Agent::wave_instructions() const { return state_->wave_instructions; }
Memory& Agent::memory() { return state_->memory; }
const Memory& Agent::memory() const { return state_->memory; }

Result<std::unique_ptr<interp::Program>> Agent::State::decode(const LoadedKernel& kernel) {
  const LoadedImage& image = kernel.code_object->image;
  const std::uint64_t entry = kernel.image.entry_offset;
  const auto range = std::find_if(
      image.ranges.begin(), image.ranges.end(), [&](const LoadedImageRange& candidate) {
        return candidate.executable && entry - candidate.offset < candidate.size_bytes;
      });
  if (range == image.ranges.end()) {
    return Error{ErrorCode::kCorrupt, "the kernel's entry is in no executable segment"};
  }
  const ByteView code(image.image.data() + range->offset, range->size_bytes);
  const std::uint64_t start = entry - range->offset;
  ASSIGN_OR_RETURN(const decode::Listing raw, decoder.decode(code, start));
  const KernelDescriptor& descriptor = kernel.image.descriptor;
  return std::make_unique<interp::Program>(
      decode::relative_to(raw, start),
      interp::BindContext{.target = target(),
                          .architecture = std::string(architecture.name),
                          .entry_address = kernel.code_object->base.value + entry,
                          .vgpr_count = descriptor.vgpr_count(),
                          .accum_offset = descriptor.accum_offset()});
}

Result<PreparedKernel*> Agent::State::prepare(LoadedKernel& kernel) {
  if (kernel.prepared == nullptr) {
    ASSIGN_OR_RETURN(std::unique_ptr<interp::Program> program, decode(kernel));
    const interp::LaunchSetup setup = common_setup(kernel, *program);
    kernel.prepared = std::make_unique<PreparedKernel>(PreparedKernel{std::move(program), setup});
  }
  return kernel.prepared.get();
}

Result<void> Agent::State::check_limits(const Dispatch& dispatch,
                                        const LoadedKernel& kernel) const {
  const auto& size = dispatch.workgroup_workitems;
  const std::uint64_t workitems = std::uint64_t{size[0]} * size[1] * size[2];
  const std::uint64_t limit = std::min<std::uint64_t>(
      architecture.max_workgroup_workitems, kernel.image.metadata.max_workgroup_workitems);
  if (std::max({size[0], size[1], size[2]}) > architecture.max_workgroup_workitems ||
      workitems == 0 || workitems > limit) {
    return Error{ErrorCode::kInvalid,
                 concat("a workgroup of ", size[0], " x ", size[1], " x ", size[2],
                        " work-items where 1 to ", limit, " are allowed")};
  }
  const auto& grid = dispatch.grid_workgroups;
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
    return Error{ErrorCode::kInvalid, "a grid of no workgroups"};
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint64_t along = std::uint64_t{grid[axis]} * size[axis];
    if (along > ~std::uint32_t{0}) {
      return Error{ErrorCode::kInvalid, concat("a grid of ", along,
                                               " work-items along an axis, at "
                                               "most ",
                                               ~std::uint32_t{0}, " are allowed")};
    }
  }
  const std::uint64_t lds =
      std::uint64_t{kernel.image.descriptor.lds_bytes} + dispatch.dynamic_lds_bytes;
  if (lds > architecture.lds_bytes) {
    return Error{ErrorCode::kInvalid, concat("LDS of ", lds, " bytes where ", architecture.name,
                                             " has ", architecture.lds_bytes)};
  }
  if (const std::uint32_t scratch = kernel.image.descriptor.scratch_bytes;
      scratch > kMostScratchBytes) {
    return Error{ErrorCode::kInvalid, concat("scratch of ", scratch, " bytes a work-item where ",
                                             kMostScratchBytes, " are allowed")};
  }
  return {};
}

std::string Agent::State::unsupported_start(const KernelDescriptor& descriptor) const {
  if (descriptor.wave32()) return "it is built for wave32, which the architecture does not have";
  if (!descriptor.ieee_mode()) return "it starts without IEEE mode";
  return {};
}

interp::LaunchSetup Agent::State::common_setup(const LoadedKernel& kernel,
                                               interp::Program& program) const {
  const KernelDescriptor& descriptor = kernel.image.descriptor;
  interp::LaunchSetup setup{.program = &program,
                            .scratch_bytes = scratch_bytes_of(descriptor),
                            .mode = mode_of(descriptor),
                            .vgpr_count = descriptor.vgpr_count(),
                            .resident_workgroups = architecture.compute_units};
  std::vector<std::uint32_t>& sgprs = setup.user_sgprs;
  // In the order of the kernel code properties. What is not there (queue, scratch) is null.
  const auto skip = [&](bool enabled, std::size_t count) {
    for (; enabled && count != 0; --count) sgprs.push_back(0);
  };
  skip(descriptor.enables_private_segment_buffer(), 4);
  const auto point = [&](bool enabled, DeviceAddress to) {
    if (!enabled) return;
    sgprs.push_back(static_cast<std::uint32_t>(to.value));
    sgprs.push_back(static_cast<std::uint32_t>(to.value >> 32));
  };
  point(descriptor.enables_dispatch_ptr(), launch_memory.packet_address());
  skip(descriptor.enables_queue_ptr(), 2);
  point(descriptor.enables_kernarg_segment_ptr(), launch_memory.kernarg_address());
  skip(descriptor.enables_dispatch_id(), 2);
  skip(descriptor.enables_flat_scratch_init(), 2);
  if (descriptor.enables_private_segment_size()) sgprs.push_back(descriptor.scratch_bytes);
  // Preloaded arguments: the kernel's prologue loads them itself.
  sgprs.resize(std::max<std::size_t>(sgprs.size(), descriptor.user_sgpr_count()), 0);
  setup.has_workgroup_id = {descriptor.enables_workgroup_id_x(),
                            descriptor.enables_workgroup_id_y(),
                            descriptor.enables_workgroup_id_z()};
  setup.workitem_id_components = descriptor.workitem_id_components();
  return setup;
}

Result<void> Agent::State::fill_kernarg(const Dispatch& dispatch, LoadedKernel& kernel) {
  if (kernel.kernarg == nullptr) {
    kernel.kernarg =
        std::make_unique<Result<KernargLayout>>(KernargLayout::of(kernel.image.metadata));
  }
  const Result<KernargLayout>& layout = *kernel.kernarg;
  if (!layout) return layout.error();
  const LaunchSurroundings launch{
      .grid_workgroups = dispatch.grid_workgroups,
      .workgroup_workitems = dispatch.workgroup_workitems,
      .dynamic_lds_bytes = dispatch.dynamic_lds_bytes,
      .grid_sync = dispatch.is_cooperative ? launch_memory.grid_sync_address() : DeviceAddress{}};
  if (auto filled = layout->fill(dispatch.explicit_kernarg, launch, kernarg); !filled) {
    return filled;
  }
  kernarg.resize(round_up(std::max<std::size_t>(kernarg.size(), 1), kKernargGranule));
  return {};
}

interp::LaunchOutcome Agent::State::run(const Dispatch& dispatch, const LoadedKernel& kernel,
                                        interp::LaunchSetup& setup, Observer& observer) {
  setup.grid_workgroups = dispatch.grid_workgroups;
  setup.workgroup_workitems = dispatch.workgroup_workitems;
  setup.lds_bytes = kernel.image.descriptor.lds_bytes + dispatch.dynamic_lds_bytes;
  setup.look = dispatch.look;
  setup.watch = dispatch.look == nullptr ? DeviceAddress{} : dispatch.look->watch;
  setup.watches_loads = dispatch.look != nullptr && dispatch.look->watches_loads;
  setup.step_budget = dispatch.look == nullptr || dispatch.look->step_budget == 0
                          ? interp::LaunchSetup::kStepBudget
                          : dispatch.look->step_budget;
  setup.poison = dispatch.poison;
  setup.checks_numbers = dispatch.checks_numbers;
  setup.stops_at_findings = dispatch.stops_at_findings;
  setup.starts_together = dispatch.is_cooperative;
  setup.record = dispatch.record;
  setup.kernarg = &launch_memory.kernarg_region();
  launch_memory.show({.grid_workgroups = dispatch.grid_workgroups,
                      .workgroup_workitems = dispatch.workgroup_workitems,
                      .scratch_bytes = setup.scratch_bytes,
                      .lds_bytes = setup.lds_bytes,
                      .descriptor = kernel.code_object->base + kernel.image.descriptor_offset,
                      .kernarg = launch_memory.kernarg_address()},
                     kernarg);
  const auto& grid = dispatch.grid_workgroups;
  if (dispatch.is_cooperative) launch_memory.show_grid_sync(grid[0] * grid[1] * grid[2]);
  std::optional<interp::IndexNotes> notes;
  if (dispatch.index != nullptr) notes.emplace(kMostIndexBytes);
  setup.notes = notes ? &*notes : nullptr;
  interp::LaunchOutcome outcome = interp::run_launch(setup, memory, observer, spare);
  if (notes) *dispatch.index = notes->take(memory);
  wave_instructions += outcome.wave_instructions;
  observer.on_ended(dispatch.record, outcome.wave_instructions);
  if (outcome.nonfinite_address) {
    const DeviceAddress address{*outcome.nonfinite_address};
    const Region* const region = memory.find(address);
    if (region != nullptr && region->id) {
      observer.on_nonfinite(dispatch.record, region->id, address.value - region->base.value);
    }
  }
  memory.end_launch(static_cast<std::uint32_t>(dispatch.record),
                    [&](const Region& region, const TouchedExtents& touched) {
                      observer.on_touched(dispatch.record, region.id, touched);
                    });
  launch_memory.hide();
  return outcome;
}

Result<bool> Agent::dispatch(const Dispatch& dispatch, Observer& observer) {
  State& state = *state_;
  LoadedKernel& kernel = *const_cast<LoadedKernel*>(dispatch.kernel);  // parts of it are caches
  const Kernel& metadata = kernel.image.metadata;
  if (auto fits = state.check_limits(dispatch, kernel); !fits) {
    return std::move(fits).error().with(metadata.name);
  }
  if (auto filled = state.fill_kernarg(dispatch, kernel); !filled) {
    return std::move(filled).error().with(metadata.name);
  }
  observer.on_dispatch(dispatch.record);
  const auto stopped = [&](const std::string& cause) {
    observer.on_stopped(dispatch.record, concat("kernel ", metadata.name, ": ", cause));
    return false;
  };
  if (std::string cause = state.unsupported_start(kernel.image.descriptor); !cause.empty()) {
    return stopped(cause);
  }
  ASSIGN_OR_RETURN(PreparedKernel* const prepared, state.prepare(kernel));
  interp::Program& program = *prepared->program;
  if (dispatch.checks_numbers && !program.is_checking()) program.check_numbers();
  if (dispatch.index != nullptr && !program.is_noting()) {
    program.note(analysis::index_loads(program.listing()));
  }
  if (dispatch.look != nullptr) list_code(program, *dispatch.look);
  if (dispatch.look != nullptr && dispatch.look->traces && !program.is_tracing()) program.trace();
  const std::uint64_t first_runs = interp::first_runs();
  const interp::LaunchOutcome outcome = state.run(dispatch, kernel, prepared->setup, observer);
  if (interp::first_runs() != first_runs) state.note_first_runs(program, observer);
  return outcome.stop_cause.empty() ? true : stopped(outcome.stop_cause);
}

}  // namespace compass
