// SPDX-License-Identifier: MIT
// The code that an agent has loaded, and the variables in it.
#include <utility>

#include "driverless/agent_state.h"
#include "driverless/isa/basis.h"

namespace compass {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
/// All loaded code objects together may take so much memory.
constexpr std::uint64_t kMostCodeBytes = std::uint64_t{1} << 29;

std::uint64_t whole_pages(std::uint64_t size_bytes) {
  return (size_bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

}  // namespace

Result<LoadedCodeObject*> Agent::load(ByteView elf) {
  State& state = *state_;
  const DeviceAddress base = state.next_code;
  if (base.value + elf.size() >= kReservedEnd.value) {
    return Error{ErrorCode::kUnsupported, "more code was loaded than there are addresses for"};
  }
  ASSIGN_OR_RETURN(LoadedImage image, load_image(elf, base, state.architecture));
  std::uint64_t code_bytes = image.image.size();
  for (const LoadedCodeObject& other : state.code_objects) code_bytes += other.image.image.size();
  if (code_bytes > kMostCodeBytes) {
    return Error{ErrorCode::kUnsupported,
                 concat("with it the loaded code takes ", code_bytes, " bytes of memory, at most ",
                        kMostCodeBytes, " are supported")};
  }
  LoadedCodeObject& loaded = state.code_objects.emplace_back();
  loaded.base = base;
  loaded.image = std::move(image);
  for (const LoadedImageRange& range : loaded.image.ranges) {
    if (range.size_bytes == 0) continue;
    auto mapped = state.memory.map({.base = base + range.offset,
                                    .size_bytes = range.size_bytes,
                                    .host = loaded.image.image.data() + range.offset,
                                    .kind = RegionKind::kCode,
                                    .writable = range.writable});
    if (mapped) continue;
    // The addresses are ours alone: two segments share some.
    loaded.image.ranges.erase(loaded.image.ranges.begin() + (&range - loaded.image.ranges.data()),
                              loaded.image.ranges.end());
    unload(&loaded);
    return Error{ErrorCode::kCorrupt,
                 concat("the code object's segments overlap: ", mapped.error().message)};
  }
  for (const LoadedImageKernel& kernel : loaded.image.kernels) {
    loaded.kernels.push_back({.code_object = &loaded, .image = kernel});
  }
  state.next_code = base + whole_pages(loaded.image.image.size() + kPageBytes);
  return &loaded;
}

/// A range is one region, or several where variables are memory of the program's.
void Agent::State::unmap(const LoadedCodeObject& code_object) {
  for (const LoadedImageRange& range : code_object.image.ranges) {
    const DeviceAddress begin = code_object.base + range.offset;
    for (DeviceAddress at = begin; at < begin + range.size_bytes;) {
      const auto unmapped = memory.unmap(at);
      CHECK(unmapped.has_value());
      at = unmapped->end();
    }
  }
}

RanInstruction Agent::State::described(std::string_view mnemonic) const {
  return {std::string(architecture.name), std::string(mnemonic),
          static_cast<Basis>(isa::basis_of(mnemonic, target()))};
}

void Agent::State::note_first_runs(const interp::Program& program, Observer& observer) {
  std::vector<RanInstruction> fresh;
  for (const std::string_view mnemonic : program.mnemonics_run()) {
    if (ran.insert(mnemonic).second) fresh.push_back(described(mnemonic));
  }
  if (!fresh.empty()) observer.on_first_run(fresh);
}

std::vector<RanInstruction> Agent::instructions_run() const {
  std::vector<RanInstruction> instructions;
  for (const std::string_view mnemonic : state_->ran) {
    instructions.push_back(state_->described(mnemonic));
  }
  return instructions;
}
static_assert(static_cast<Basis>(isa::Basis::kExact) == Basis::kExact &&
              static_cast<Basis>(isa::Basis::kPublished) == Basis::kPublished &&
              static_cast<Basis>(isa::Basis::kBounded) == Basis::kBounded &&
              static_cast<Basis>(isa::Basis::kAssumed) == Basis::kAssumed);

void Agent::unload(LoadedCodeObject* code_object) {
  state_->unmap(*code_object);
  state_->code_objects.remove_if(
      [&](const LoadedCodeObject& other) { return &other == code_object; });
}

const LoadedKernel* Agent::find_kernel(const LoadedCodeObject& code_object, std::string_view name) {
  for (const LoadedKernel& kernel : code_object.kernels) {
    if (kernel.image.metadata.name == name) return &kernel;
  }
  return nullptr;
}

std::size_t Agent::kernel_count(const LoadedCodeObject& code_object) {
  return code_object.kernels.size();
}

std::optional<CodeVariable> Agent::find_variable(const LoadedCodeObject& code_object,
                                                 std::string_view name) {
  for (const LoadedImageVariable& variable : code_object.image.variables) {
    if (variable.name != name) continue;
    return CodeVariable{code_object.base + variable.offset, variable.size_bytes};
  }
  return std::nullopt;
}

/// Replaces `whole`, which is mapped, by the regions of its bytes before `middle`, of `middle`
/// itself, which lies inside, and after it.
void Agent::State::split(const Region& whole, const Region& middle) {
  Region before = whole;
  before.size_bytes = middle.base.value - whole.base.value;
  Region after = whole;
  after.base = middle.end();
  after.host = middle.host + middle.size_bytes;
  after.size_bytes = whole.end().value - after.base.value;
  CHECK(memory.unmap(whole.base).has_value());
  for (const Region& part : {before, middle, after}) {
    if (part.size_bytes != 0) CHECK(memory.map(part).has_value());
  }
}

std::optional<CodeVariable> Agent::begin_variable(const LoadedCodeObject& code_object,
                                                  std::string_view name, AllocationId allocation) {
  const std::optional<CodeVariable> variable = find_variable(code_object, name);
  if (!variable || variable->size_bytes == 0) return std::nullopt;
  const Region* const found = state_->memory.find(variable->address);
  if (found == nullptr || found->id || !found->contains(variable->address, variable->size_bytes)) {
    return std::nullopt;
  }
  const Region whole = *found;
  Region own = whole;
  own.base = variable->address;
  own.size_bytes = variable->size_bytes;
  own.host = whole.host + (own.base.value - whole.base.value);
  own.kind = RegionKind::kDevice;
  own.id = allocation;
  state_->split(whole, own);
  constexpr std::uint32_t kNobody = 0;
  state_->memory.note_write(own.base, own.size_bytes, ByteState::kKnown, kNobody);
  return variable;
}

void Agent::end_variable(DeviceAddress address) {
  const auto ended = state_->memory.unmap(address);
  CHECK(ended.has_value());
  Region rest = *ended;
  rest.kind = RegionKind::kCode;
  rest.id = {};
  rest.shadow = nullptr;
  CHECK(state_->memory.map(rest).has_value());
}

const Kernel& Agent::metadata(const LoadedKernel& kernel) { return kernel.image.metadata; }

}  // namespace compass
