// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>

#include "driverless/gate/rule.h"
#include "ir/base/concat.h"

namespace compass::gate {
namespace {

constexpr std::string_view kName = "resource-limits";

/// A lane's scratch: what gfx9's wave size register can say for 64 lanes.
constexpr std::uint64_t kMostScratchBytes = 131056;
/// HSA counts the work-items along an axis in 32 bits.
constexpr std::uint64_t kMostAlongAxis = ~std::uint32_t{0};
/// VCC, FLAT_SCRATCH and XNACK_MASK are counted with the SGPRs that a kernel uses.
constexpr std::uint64_t kExtraSgprs = 6;
constexpr std::uint64_t kSimds = 4;

struct Excess {
  std::string what;
  std::string hint;
};

class Limits {
 public:
  Limits(const Launch& launch, const Kernel& kernel, const arch::Architecture& architecture)
      : launch_(launch), kernel_(kernel), architecture_(architecture) {}

  std::optional<Excess> excess() const {
    for (const auto check : {&Limits::workgroup, &Limits::grid, &Limits::lds, &Limits::registers,
                             &Limits::scratch, &Limits::kernarg}) {
      std::optional<Excess> found = (this->*check)();
      if (found) return found;
    }
    return std::nullopt;
  }

 private:
  std::uint64_t workitems() const {
    const auto& size = launch_.workgroup_workitems;
    return std::uint64_t{size[0]} * size[1] * size[2];
  }
  std::string shape() const {
    const auto& size = launch_.workgroup_workitems;
    return concat(size[0], " x ", size[1], " x ", size[2]);
  }

  std::optional<Excess> workgroup() const {
    const auto& size = launch_.workgroup_workitems;
    const std::uint64_t most = architecture_.max_workgroup_workitems;
    if (std::max({size[0], size[1], size[2]}) > most || workitems() > most) {
      return Excess{concat("a workgroup of ", shape(), " work-items, where ", architecture_.name,
                           " allows ", most),
                    "launch smaller workgroups"};
    }
    if (workitems() <= kernel_.max_workgroup_workitems) return std::nullopt;
    return Excess{concat("a workgroup of ", shape(), " work-items, where the kernel was built for ",
                         kernel_.max_workgroup_workitems),
                  "raise the kernel's __launch_bounds__, or launch smaller workgroups"};
  }

  std::optional<Excess> grid() const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::uint64_t workgroups = launch_.grid_workgroups[axis];
      const std::string name(1, static_cast<char>('x' + axis));
      const std::uint64_t along = workgroups * launch_.workgroup_workitems[axis];
      if (along <= kMostAlongAxis) continue;
      return Excess{concat("a grid of ", along, " work-items along ", name, ", where ",
                           kMostAlongAxis, " are allowed"),
                    "use another axis of the grid too"};
    }
    return std::nullopt;
  }

  std::optional<Excess> lds() const {
    const std::uint64_t bytes = std::uint64_t{kernel_.lds_size_bytes} + launch_.dynamic_lds_bytes;
    if (bytes <= architecture_.lds_bytes) return std::nullopt;
    return Excess{concat(bytes, " bytes of LDS, where ", architecture_.name, " has ",
                         architecture_.lds_bytes),
                  concat("the kernel has ", kernel_.lds_size_bytes,
                         " bytes of its own, the launch asks for ", launch_.dynamic_lds_bytes,
                         " more")};
  }

  /// What a wavefront may address, and what the wavefronts of a workgroup need at once.
  std::optional<Excess> registers() const {
    const std::uint64_t vgprs = kernel_.vgpr_count + kernel_.agpr_count;
    if (vgprs > architecture_.vgprs) {
      return Excess{concat(vgprs, " VGPRs a wavefront, where ", architecture_.name, " has ",
                           architecture_.vgprs),
                    "the code object is damaged, or for another architecture"};
    }
    if (kernel_.sgpr_count > architecture_.sgprs + kExtraSgprs) {
      return Excess{concat(kernel_.sgpr_count, " SGPRs a wavefront, where ", architecture_.name,
                           " has ", architecture_.sgprs + kExtraSgprs),
                    "the code object is damaged, or for another architecture"};
    }
    const std::uint64_t wavefronts =
        (workitems() + architecture_.wavefront_size - 1) / architecture_.wavefront_size;
    const std::uint64_t of_a_simd = (wavefronts + kSimds - 1) / kSimds;
    if (of_a_simd * vgprs <= architecture_.vgprs) return std::nullopt;
    return Excess{concat(of_a_simd, " wavefronts of ", vgprs, " VGPRs on one SIMD, where ",
                         architecture_.name, " has ", architecture_.vgprs, " for all of them"),
                  "launch smaller workgroups, or lower the kernel's registers with "
                  "__launch_bounds__"};
  }

  std::optional<Excess> scratch() const {
    if (kernel_.scratch_size_bytes <= kMostScratchBytes) return std::nullopt;
    return Excess{concat(kernel_.scratch_size_bytes, " bytes of scratch a work-item, where ",
                         kMostScratchBytes, " are allowed"),
                  "the kernel spills, or has large arrays of its own"};
  }

  std::optional<Excess> kernarg() const {
    for (const LaunchArgument& argument : launch_.arguments) {
      const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
      if (end <= kernel_.kernarg_size_bytes) continue;
      return Excess{concat("arguments up to byte ", end, ", where the kernel takes ",
                           kernel_.kernarg_size_bytes),
                    "the launch passes another kernel's arguments"};
    }
    return std::nullopt;
  }

  const Launch& launch_;
  const Kernel& kernel_;
  const arch::Architecture& architecture_;
};

/// LDS, work-items of a workgroup, registers, scratch, grid and arguments fit the declared
/// architecture.
class ResourceLimits : public Rule {
 public:
  std::string_view name() const override { return kName; }

  void on_request(RequestEvidence& evidence, Findings& findings) override {
    const arch::Architecture* const architecture = evidence.context.architecture();
    if (architecture == nullptr || evidence.is_explained) return;
    const Recording& recording = evidence.context.recording();
    const Launch& launch = recording.launch(evidence.body.launch);
    const std::optional<Excess> excess = Limits(launch, evidence.kernel, *architecture).excess();
    if (!excess) return;
    Finding finding = finding_of(kName, Level::kError, evidence);
    finding.statement = concat("asks for ", excess->what);
    finding.hint = excess->hint;
    if (evidence.record.status != 0) {
      finding.facets.push_back(
          {"launch-ran", concat("the runtime refused it with status ", evidence.record.status)});
    }
    findings.add(std::move(finding));
    evidence.is_explained = true;
  }
};

}  // namespace

std::unique_ptr<Rule> make_resource_limits() { return std::make_unique<ResourceLimits>(); }

}  // namespace compass::gate
