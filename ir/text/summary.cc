// SPDX-License-Identifier: MIT
#include "ir/text/summary.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ir/base/concat.h"
#include "ir/names.h"
#include "ir/replays.h"

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

Counts records_by_kind(const Recording& recording) {
  Counts counts;
  for (const Record& record : recording.records) ++counts[std::string(kind_of(record))];
  return counts;
}

Counts steps_by_kind(const Recording& recording) {
  Counts counts;
  for (const Step& step : recording.steps) ++counts[printable(step.kind)];
  return counts;
}

Counts launches_by_kernel(const Recording& recording) {
  const Names names(recording);
  Counts counts;
  const auto count = [&](const Record& record) {
    const auto* body = std::get_if<LaunchKernel>(&record.body);
    if (body != nullptr) ++counts[names.kernel(recording.launch(body->launch).kernel)];
  };
  Replays replays(recording);
  for (const Record& record : recording.records) {
    replays.take(record);
    if (!record.captured) count(record);
    const auto* graph = std::get_if<LaunchGraph>(&record.body);
    if (graph == nullptr || record.captured || record.status != 0) continue;
    for (const std::uint64_t node : replays.launches_of(graph->executable)) {
      count(recording.records[node - 1]);
    }
  }
  return counts;
}

struct MemoryUse {
  std::uint64_t allocations = 0;
  std::uint64_t live_bytes = 0;
  std::uint64_t peak_bytes = 0;
};

/// By kind; a second free of the same allocation changes nothing.
std::array<MemoryUse, 4> memory_use(const Recording& recording) {
  std::array<MemoryUse, 4> uses;
  std::vector<bool> live(recording.allocations.size());
  for (const Record& record : recording.records) {
    const auto* allocate = std::get_if<Allocate>(&record.body);
    const auto* free = std::get_if<Free>(&record.body);
    if ((allocate == nullptr && free == nullptr) || record.status != 0) continue;
    const Allocation& allocation =
        recording.allocation(allocate != nullptr ? allocate->allocation : free->allocation);
    if (live[allocation.id.value - 1] == (allocate != nullptr)) continue;
    live[allocation.id.value - 1] = allocate != nullptr;
    MemoryUse& use = uses.at(static_cast<std::size_t>(allocation.kind));
    if (allocate != nullptr) {
      ++use.allocations;
      use.live_bytes += allocation.size_bytes;
      use.peak_bytes = std::max(use.peak_bytes, use.live_bytes);
    } else {
      use.live_bytes -= allocation.size_bytes;
    }
  }
  return uses;
}

std::string device_text(const Device& device) {
  return concat(device.architecture.empty() ? "unknown" : printable(device.architecture),
                device.declared ? " (declared)" : " (real)", device.name.empty() ? "" : ", ",
                printable(device.name));
}

std::string memory_rows(const Recording& recording) {
  const std::array<MemoryUse, 4> uses = memory_use(recording);
  std::string text;
  for (const AllocationKind kind : {AllocationKind::kDevice, AllocationKind::kPinnedHost,
                                    AllocationKind::kManaged, AllocationKind::kGlobal}) {
    const MemoryUse& use = uses.at(static_cast<std::size_t>(kind));
    const bool is_rare = kind == AllocationKind::kManaged || kind == AllocationKind::kGlobal;
    if (is_rare && use.allocations == 0) continue;
    text += row(concat(name_of(kind), " memory"),
                concat(use.allocations, " allocations, ", use.peak_bytes, " bytes at the peak"));
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

}  // namespace

std::string summary(const Recording& recording) {
  std::string text = row("program", printable(recording.program));
  text += row("architecture", device_text(recording.device));
  text += row("complete",
              recording.complete ? "yes" : concat("no: ", printable(recording.incomplete_cause)));
  text += row("steps", total_and_parts(steps_by_kind(recording)));
  text += memory_rows(recording);
  text += code_rows(recording);
  const auto failed = std::count_if(recording.records.begin(), recording.records.end(),
                                    [](const Record& record) { return record.status != 0; });
  text += row("records", concat(recording.records.size(),
                                failed == 0 ? "" : concat(", ", failed, " of them failed")));
  text += table(records_by_kind(recording));
  const Counts launches = launches_by_kernel(recording);
  if (!launches.empty()) text += concat("launches by kernel\n", table(launches));
  return text;
}

}  // namespace compass
