// SPDX-License-Identifier: MIT
#include "driverless/case/run.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace compass::kernel_case {
namespace {

/// Buffers stand far apart: an access that leaves one meets no other.
constexpr DeviceAddress kFirstBuffer{std::uint64_t{1} << 44};
constexpr std::uint64_t kStride = std::uint64_t{1} << 41;
/// A kernel may take this many pointers that the case does not name; they are null.
constexpr std::size_t kUnnamedPointers = 2;
/// Who writes memory, as the shadow calls it.
constexpr std::uint32_t kNobody = 0, kTheLaunch = 1;

DeviceAddress address_of(std::size_t argument) { return kFirstBuffer + argument * kStride; }

/// A code object, for as long as one run takes.
class Loaded {
 public:
  Loaded(Agent& agent, LoadedCodeObject* code_object) : agent_(&agent), code_object_(code_object) {}
  Loaded(Loaded&& other) noexcept
      : agent_(other.agent_), code_object_(std::exchange(other.code_object_, nullptr)) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  Loaded& operator=(Loaded&&) = delete;
  ~Loaded() {
    if (code_object_ != nullptr) agent_->unload(code_object_);
  }
  const LoadedCodeObject& operator*() const { return *code_object_; }

 private:
  Agent* agent_;
  LoadedCodeObject* code_object_;
};

std::string field_of(const Case& one_case, const Object& object) {
  return concat(one_case.file.native(), ": objects.", object.architecture,
                ".file: ", object.file.native());
}

Result<Loaded> load(const Case& one_case, const Object& object, Agent& agent) {
  auto loaded = agent.load(object.elf);
  if (!loaded) return std::move(loaded).error().with(field_of(one_case, object));
  return Loaded(agent, *loaded);
}

Result<const LoadedKernel*> find_kernel(const Case& one_case, const Object& object,
                                        const LoadedCodeObject& code_object) {
  const LoadedKernel* kernel = Agent::find_kernel(code_object, one_case.kernel);
  if (kernel != nullptr) return kernel;
  return Error{ErrorCode::kNotFound,
               concat(one_case.file.native(), ": kernel: ", object.file.native(),
                      " holds no kernel ", one_case.kernel)};
}

/// The places of the arguments that the case must name, in order.
Result<std::vector<const KernelArgument*>> places_of(const Case& one_case, const Object& object,
                                                     const Kernel& kernel) {
  std::vector<const KernelArgument*> places;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.kind != ArgumentKind::kHidden) places.push_back(&argument);
  }
  const std::size_t named = one_case.arguments.size(), all = places.size();
  const bool are_pointers =
      named <= all && std::all_of(places.begin() + static_cast<std::ptrdiff_t>(named), places.end(),
                                  [](const KernelArgument* argument) {
                                    return argument->kind == ArgumentKind::kGlobalBuffer;
                                  });
  if (!are_pointers || all > named + kUnnamedPointers) {
    return Error{ErrorCode::kInvalid,
                 concat(one_case.file.native(), ": args: expected ", all, " for kernel ",
                        kernel.name, " in ", object.file.native(), " (its last ", kUnnamedPointers,
                        ", if pointers, may be left out), found ", named)};
  }
  places.resize(named);
  return places;
}

Error wrong_size(const Case& one_case, const Object& object, const Kernel& kernel,
                 std::size_t index, std::uint32_t expected) {
  const Argument& argument = one_case.arguments[index];
  return {ErrorCode::kInvalid,
          concat(one_case.file.native(), ": args[", index, "]: expected ", expected,
                 " bytes for kernel ", kernel.name, " in ", object.file.native(), ", found ",
                 argument.is_buffer ? "a pointer" : argument.dtype->name)};
}

/// The arguments at the places that the kernel's metadata gives; what the case does not name is
/// zero.
Result<Bytes> explicit_kernarg(const Case& one_case, const Object& object, const Kernel& kernel) {
  ASSIGN_OR_RETURN(const auto places, places_of(one_case, object, kernel));
  std::size_t end = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::kHidden) continue;
    end = std::max<std::size_t>(end, argument.offset_bytes + argument.size_bytes);
  }
  Bytes bytes(end);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Argument& argument = one_case.arguments[i];
    const std::uint64_t address = address_of(i).value;
    const ByteView value =
        argument.is_buffer ? std::as_bytes(std::span(&address, 1)) : ByteView(argument.value);
    if (value.size() != places[i]->size_bytes) {
      return wrong_size(one_case, object, kernel, i, places[i]->size_bytes);
    }
    std::copy(value.begin(), value.end(), bytes.begin() + places[i]->offset_bytes);
  }
  return bytes;
}

/// The case's buffers in the agent's memory, each exactly as large as it is.
class Buffers {
 public:
  Buffers(const Case& one_case, Agent& agent) : case_(one_case), agent_(agent) {
    for (std::size_t i = 0; i < case_.arguments.size(); ++i) {
      Bytes& bytes = contents_.emplace_back(case_.arguments[i].input);
      if (bytes.empty()) continue;
      const auto mapped = agent_.memory().map({.base = address_of(i),
                                               .size_bytes = bytes.size(),
                                               .host = bytes.data(),
                                               .kind = RegionKind::kDevice,
                                               .id = id_of(i)});
      CHECK(mapped.has_value());  // the range is ours alone
      agent_.memory().note_write(address_of(i), bytes.size(), ByteState::kKnown, kNobody);
    }
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  ~Buffers() {
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      if (contents_[i].empty()) continue;
      const auto unmapped = agent_.memory().unmap(address_of(i));
      CHECK(unmapped.has_value());
    }
  }

  std::string name_of(AllocationId id) const {
    return id ? case_.arguments[id.value - 1].name : std::string();
  }

  std::vector<Mismatch> compare_all() const {
    std::vector<Mismatch> found;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      auto mismatch = compare(case_.arguments[i], contents_[i]);
      if (!mismatch) continue;
      mismatch->place = address_of(i) + mismatch->element * mismatch->dtype->size_bytes;
      found.push_back(std::move(*mismatch));
    }
    return found;
  }

 private:
  static AllocationId id_of(std::size_t argument) {
    return {static_cast<std::uint32_t>(argument + 1)};
  }

  const Case& case_;
  Agent& agent_;
  std::vector<Bytes> contents_;
};

/// Keeps one finding for each instruction and cause.
class Watch : public Observer {
 public:
  explicit Watch(const Buffers& buffers) : buffers_(buffers) {}

  void on_fault(const Fault& fault) override {
    const auto same = [&](const Finding& finding) {
      return finding.first.pc == fault.pc && finding.first.kind == fault.kind &&
             finding.first.space == fault.space && finding.first.allocation == fault.allocation;
    };
    auto found = std::find_if(findings.begin(), findings.end(), same);
    if (found == findings.end()) {
      found = findings.insert(found, {fault, buffers_.name_of(fault.allocation), 0});
    }
    ++found->accesses;
  }
  void on_tainted_decision(const TaintedDecision& decision) override {
    const auto same = [&](const UndefinedUse& use) { return use.first.pc == decision.pc; };
    auto found = std::find_if(undefined_uses.begin(), undefined_uses.end(), same);
    if (found == undefined_uses.end()) {
      found =
          undefined_uses.insert(found, {decision, buffers_.name_of(decision.origin_allocation), 0});
    }
    ++found->uses;
  }
  void on_watched_access(const WatchedAccess& store) override { last_store = store; }
  void on_stopped(std::uint64_t, const std::string& why) override { cause = why; }

  std::vector<Finding> findings;
  std::vector<UndefinedUse> undefined_uses;
  std::optional<WatchedAccess> last_store;
  std::string cause;

 private:
  const Buffers& buffers_;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kMismatch:
      return "mismatch";
    case Verdict::kFinding:
      return "finding";
    case Verdict::kStopped:
      return "stopped";
    case Verdict::kSkipped:
      break;
  }
  return "skipped";
}

Result<void> check_object(const Case& one_case, const Object& object, Agent& agent) {
  ASSIGN_OR_RETURN(const Loaded loaded, load(one_case, object, agent));
  ASSIGN_OR_RETURN(const LoadedKernel* kernel, find_kernel(one_case, object, *loaded));
  ASSIGN_OR_RETURN([[maybe_unused]] const Bytes kernarg,
                   explicit_kernarg(one_case, object, Agent::metadata(*kernel)));
  return {};
}

namespace {

/// Who stored last to what differs: found by running the launch again with that byte watched.
Result<std::string> find_last_store(const Case& one_case, Agent& agent, Dispatch dispatch,
                                    DeviceAddress place) {
  const Buffers buffers(one_case, agent);
  Watch watch(buffers);
  Look look;
  look.watch = place;
  dispatch.look = &look;
  ASSIGN_OR_RETURN([[maybe_unused]] const bool finished, agent.dispatch(dispatch, watch));
  if (!watch.last_store) return std::string("nobody, it is the input");
  const WatchedAccess& store = *watch.last_store;
  return concat("pc ", hex(store.pc), ": ", store.instruction, "; workgroup ", store.workgroup[0],
                ",", store.workgroup[1], ",", store.workgroup[2], ", wavefront ", store.wavefront,
                ", lane ", store.lane);
}

Verdict verdict_of(const RunResult& result, const Dispatch& dispatch, bool finished) {
  const bool has_finding = !result.findings.empty() || !result.undefined_uses.empty();
  if (!finished && !(has_finding && dispatch.stops_at_findings)) return Verdict::kStopped;
  if (has_finding) return Verdict::kFinding;
  return result.mismatches.empty() ? Verdict::kPass : Verdict::kMismatch;
}

Result<void> run_once(const Case& one_case, Agent& agent, const Dispatch& dispatch,
                      RunResult& result) {
  const Buffers buffers(one_case, agent);
  Watch watch(buffers);
  const std::uint64_t instructions_before = agent.wave_instructions();
  const auto start = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(const bool finished, agent.dispatch(dispatch, watch));
  const auto elapsed = std::chrono::steady_clock::now() - start;
  result.cause = watch.cause;
  result.findings = std::move(watch.findings);
  result.undefined_uses = std::move(watch.undefined_uses);
  result.wave_instructions = agent.wave_instructions() - instructions_before;
  result.elapsed_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
  if (finished) result.mismatches = buffers.compare_all();
  result.verdict = verdict_of(result, dispatch, finished);
  return {};
}

}  // namespace

Result<RunResult> run_case(const Case& one_case, const Object& object, Agent& agent,
                           AfterFinding after_finding) {
  ASSIGN_OR_RETURN(const Loaded loaded, load(one_case, object, agent));
  ASSIGN_OR_RETURN(const LoadedKernel* kernel, find_kernel(one_case, object, *loaded));
  ASSIGN_OR_RETURN(const Bytes kernarg,
                   explicit_kernarg(one_case, object, Agent::metadata(*kernel)));
  const Dispatch dispatch{.kernel = kernel,
                          .grid_workgroups = one_case.grid_workgroups,
                          .workgroup_workitems = object.workgroup_workitems,
                          .dynamic_lds_bytes = object.dynamic_lds_bytes,
                          .explicit_kernarg = kernarg,
                          .record = kTheLaunch,
                          .stops_at_findings = after_finding == AfterFinding::kStop};
  RunResult result{.case_name = one_case.name, .architecture = object.architecture};
  if (auto done = run_once(one_case, agent, dispatch, result); !done) {
    return std::move(done).error().with(concat(one_case.file.native(), ": ", object.architecture));
  }
  for (Mismatch& mismatch : result.mismatches) {
    ASSIGN_OR_RETURN(mismatch.last_writer,
                     find_last_store(one_case, agent, dispatch, mismatch.place));
  }
  return result;
}

}  // namespace compass::kernel_case
