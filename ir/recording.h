// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/access.h"
#include "ir/base/result.h"
#include "ir/contents.h"
#include "ir/coverage.h"
#include "ir/index_bytes.h"
#include "ir/kernel.h"
#include "ir/record.h"

namespace compass {

/// What the program ran on, or was told that it runs on.
struct Device {
  std::string architecture;           ///< "gfx950"
  std::string name;                   ///< what the runtime calls it
  bool declared = false;              ///< true: no device was there, the architecture was declared
  std::uint32_t runtime_version = 0;  ///< as hipRuntimeGetVersion says it; 0: not known
};

using ProcessId = Id<struct ProcessTag>;  ///< among those of an archive

/// Which process of a job it was.
struct ProcessInfo {
  ProcessId id{1};
  ProcessId parent;                   ///< the nearest in the archive that it descends from; 0: none
  std::optional<std::uint32_t> rank;  ///< as its launcher told it
  std::optional<std::uint32_t> ranks;  ///< how many there are, as its launcher told it
};

/// The first argument of a launch that led to an allocation. It names memory that nobody has named.
struct FirstUse {
  KernelId kernel;                 ///< 0: none did
  std::uint32_t offset_bytes = 0;  ///< of the argument, in the kernarg segment
};

/// The IR of one process, complete and resolved. Ids index the vectors from 1: `kernels[id - 1]`.
struct Recording {
  ProcessInfo process;
  Device device;
  std::string program;  ///< the executable's file name, without its folder
  bool complete = true;
  std::string incomplete_cause;  ///< where not complete
  ContentsMode contents = ContentsMode::kIndex;
  GivenUpContents given_up;
  std::vector<CodeObject> code_objects;
  std::vector<Kernel> kernels;
  std::vector<Allocation> allocations;
  std::vector<FirstUse> first_uses;  ///< of the allocations, as far as it goes
  std::vector<Launch> launches;
  std::vector<Step> steps;
  std::vector<Record> records;
  /// What launches have read and written, where that was observed, and which launch has which: by
  /// record, then by node.
  std::vector<AccessSummary> access_summaries;
  std::vector<LaunchAccesses> launch_accesses;
  /// What launches loaded to form addresses, predicates and branches, where any was kept: by
  /// record, then by node.
  std::vector<LaunchIndex> launch_indices;
  std::optional<Coverage> coverage;  ///< of the interpretation that saw the accesses, if any said so

  const CodeObject& code_object(CodeObjectId id) const { return code_objects.at(id.value - 1); }
  const Kernel& kernel(KernelId id) const { return kernels.at(id.value - 1); }
  const Allocation& allocation(AllocationId id) const { return allocations.at(id.value - 1); }
  const Launch& launch(LaunchId id) const { return launches.at(id.value - 1); }
  const Step& step(StepId id) const { return steps.at(id.value - 1); }
  const AccessSummary& access_summary(AccessSummaryId id) const {
    return access_summaries.at(id.value - 1);
  }
  /// The launch that a record asks for, with its own offsets.
  Launch launch_of(const LaunchKernel& body) const;

  /// The same place in memory that the runtime made: in a block's parent, or that one's.
  MemoryRef in_root(MemoryRef place) const {
    while (place.allocation && allocation(place.allocation).parent) {
      const Allocation& block = allocation(place.allocation);
      place.offset_bytes += block.address.value - allocation(block.parent).address.value;
      place.allocation = block.parent;
    }
    return place;
  }
};

/// Fetches bytes of a recording (a code object, a copy's content) by SHA-256.
using ContentSource = std::function<Result<Bytes>(const std::string& sha256)>;

}  // namespace compass
