// SPDX-License-Identifier: MIT
#include "ir/text/summary.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/base/concat.h"
#include "ir/names.h"

namespace compass {
namespace {

constexpr std::size_t kLabelWidth = 14;

using Counts = std::map<std::string, std::uint64_t>;

std::string row(std::string_view label, std::string_view value) {
  std::string text(label);
  text.resize(std::max(kLabelWidth, text.size() + 1), ' ');
  return concat(text, value, '\n');
}

/// One line a name, the most frequent first, numbers aligned.
std::string table(const Counts& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  const std::size_t width = rows.empty() ? 0 : std::to_string(rows.front().second).size();
  for (const auto& [name, count] : rows) {
    const std::string number = std::to_string(count);
    text += concat("  ", std::string(width - number.size(), ' '), number, "  ", name, '\n');
  }
  return text;
}

/// "4: 3 decode, 1 prefill".
std::string total_and_parts(const Counts& counts) {
  std::uint64_t total = 0;
  std::string parts;
  for (const auto& [name, count] : counts) {
    total += count;
    parts += concat(parts.empty() ? ": " : ", ", count, ' ', name);
  }
  return concat(total, parts);
}

Counts steps_by_kind(const Recording& recording) {
  Counts counts;
  for (const Step& step : recording.steps) ++counts[printable(step.kind)];
  return counts;
}

Counts records_by_kind(const Tally& tally) {
  Counts counts;
  for (std::size_t kind = 0; kind < tally.kinds.size(); ++kind) {
    const std::uint64_t records = tally.kinds[kind].records;
    if (records != 0) counts[std::string(record_kinds()[kind])] = records;
  }
  return counts;
}

Counts launches_by_kernel(const Recording& recording, const Tally& tally, const Names& names) {
  Counts counts;
  for (const Launch& launch : recording.launches) {
    const std::uint64_t launches = tally.launches.at(launch.id.value - 1);
    if (launches != 0) counts[names.kernel(launch.kernel)] += launches;
  }
  return counts;
}

/// "7.0.51831" of 70051831, as HIP numbers its versions.
std::string runtime_text(std::uint32_t version) {
  return version == 0 ? std::string()
                      : concat(", HIP ", version / 10'000'000, '.', version / 100'000 % 100, '.',
                               version % 100'000);
}

std::string device_text(const Device& device) {
  return concat(device.architecture.empty() ? "unknown" : printable(device.architecture),
                device.declared ? " (declared)" : " (real)", device.name.empty() ? "" : ", ",
                printable(device.name), runtime_text(device.runtime_version));
}

std::string rank_row(const ProcessInfo& process) {
  if (!process.rank) return {};
  const std::string of = process.ranks ? concat(" of ", *process.ranks) : std::string();
  return row("rank", concat(*process.rank, of));
}

/// When the most memory of the kind was there, and the largest of it.
std::string peak_text(const MemoryPeak& peak, const Recording& recording, const Names& names) {
  constexpr std::size_t kShown = 5;
  std::string text = concat("  at record ", peak.record,
                            peak.step ? concat(", step ", peak.step->value) : std::string(), '\n');
  for (std::size_t i = 0; i < peak.allocations.size() && i < kShown; ++i) {
    const AllocationId id = peak.allocations[i];
    text += concat("  ", recording.allocation(id).size_bytes, "  ", names.buffer(id), '\n');
  }
  const std::size_t others = peak.allocations.size() - std::min(peak.allocations.size(), kShown);
  return others == 0 ? text : concat(text, "  and ", others, " more\n");
}

std::string memory_rows(const Recording& recording, const Tally& tally, const Names& names) {
  std::string text;
  for (const AllocationKind kind : {AllocationKind::kDevice, AllocationKind::kPinnedHost,
                                    AllocationKind::kManaged, AllocationKind::kGlobal}) {
    const auto allocations =
        std::count_if(recording.allocations.begin(), recording.allocations.end(),
                      [&](const Allocation& allocation) {
                        return allocation.kind == kind && !allocation.parent;
                      });
    const bool is_rare = kind == AllocationKind::kManaged || kind == AllocationKind::kGlobal;
    if (is_rare && allocations == 0) continue;
    const MemoryPeak peak = peak_of(kind, recording, tally);
    text += row(concat(name_of(kind), " memory"),
                concat(allocations, " allocations, ", peak.size_bytes, " bytes at the peak"));
    if (peak.record != 0) text += peak_text(peak, recording, names);
  }
  return text;
}

std::string code_rows(const Recording& recording) {
  std::string text = row("code objects", std::to_string(recording.code_objects.size()));
  for (const CodeObject& code_object : recording.code_objects) {
    const auto kernels =
        std::count_if(recording.kernels.begin(), recording.kernels.end(),
                      [&](const Kernel& kernel) { return kernel.code_object == code_object.id; });
    text += concat("  ", printable(code_object.target), ", ", code_object.size_bytes, " bytes, ",
                   kernels, " kernels launched\n");
  }
  return text;
}

std::string contents_text(const Recording& recording) {
  const GivenUpContents& given_up = recording.given_up;
  std::string text(name_of(recording.contents));
  if (given_up.count == 0) return text;
  return concat(text, ", less ", given_up.count, " of ", given_up.size_bytes,
                " bytes: the disk was slower than the program");
}

std::string coverage_rows(const Coverage& coverage) {
  return row("interpreted", concat(coverage.interpreted(), " of ", coverage.launches,
                                   " launches, on ", printable(coverage.architecture), " by ",
                                   printable(coverage.interpreter))) +
         row("fidelity", printable(fidelity_text(coverage.instructions)));
}

}  // namespace

std::string summary(const Recording& recording, const Tally& tally) {
  const Names names(recording);
  std::string text = row("program", printable(recording.program));
  text += rank_row(recording.process);
  text += row("architecture", device_text(recording.device));
  text += row("complete",
              recording.complete ? "yes" : concat("no: ", printable(recording.incomplete_cause)));
  text += row("contents", contents_text(recording));
  if (recording.coverage) text += coverage_rows(*recording.coverage);
  text += row("steps", total_and_parts(steps_by_kind(recording)));
  text += memory_rows(recording, tally, names);
  text += code_rows(recording);
  KindTally all;
  for (const KindTally& kind : tally.kinds) {
    all.records += kind.records;
    all.failed += kind.failed;
  }
  text += row("records",
              concat(all.records, all.failed == 0 ? std::string()
                                                  : concat(", ", all.failed, " of them failed")));
  text += table(records_by_kind(tally));
  const Counts launches = launches_by_kernel(recording, tally, names);
  if (!launches.empty()) text += concat("launches by kernel\n", table(launches));
  return text;
}

}  // namespace compass
