// SPDX-License-Identifier: MIT
#include "driverless/inspection/followed.h"

#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "driverless/analysis/sources.h"
#include "driverless/inspection/pass.h"

namespace compass::inspection {
namespace {

using analysis::ValueSource;

/// The pointer argument at that place of the kernarg segment.
std::optional<std::uint32_t> pointer_at(const Launch& launch, std::uint64_t offset_bytes) {
  for (const LaunchArgument& argument : launch.arguments) {
    const std::uint64_t into = offset_bytes - argument.offset_bytes;
    if (argument.is_pointer && into < argument.size_bytes) return argument.offset_bytes;
  }
  return std::nullopt;
}

/// The one pointer argument that the instruction's address was computed from.
std::optional<std::uint32_t> followed_by(const Look& look, const Launch& launch) {
  const analysis::Definitions definitions(look);
  std::set<std::uint32_t> pointers;
  for (const ValueSource& source :
       analysis::sources_of_address(definitions, definitions.size() - 1)) {
    if (source.kind != ValueSource::Kind::kArgument) continue;
    const auto pointer = pointer_at(launch, source.access.offset_bytes);
    if (pointer) pointers.insert(*pointer);
  }
  if (pointers.size() != 1) return std::nullopt;
  return *pointers.begin();
}

}  // namespace

Result<std::map<gate::KernelPlace, std::uint32_t>> find_followed(
    const Stage& stage, const std::map<gate::KernelPlace, gate::FaultyAccess>& faults) {
  std::map<gate::KernelPlace, std::uint32_t> followed;
  std::vector<LookRequest> requests;
  for (const auto& [place, access] : faults) {
    const auto& body = std::get<LaunchKernel>(stage.context.body_of_launch(access.ordinal).body);
    LookRequest request{.ordinal = access.ordinal, .pc = access.fault.pc};
    request.look.traces = true;
    request.look.workgroup = access.fault.workgroup;
    request.look.wavefront = access.fault.wavefront;
    request.look.lane = access.fault.lane;
    request.until = LookRequest::Until::kFault;
    request.on_met = [&, place = place, launch = stage.context.recording().launch_of(body)](
                         const Look& look, const Memory&) {
      const auto argument = followed_by(look, launch);
      if (argument) followed.emplace(place, *argument);
    };
    requests.push_back(std::move(request));
  }
  if (auto ok = look_at_all(stage, requests); !ok) return std::move(ok).error();
  return followed;
}

}  // namespace compass::inspection
