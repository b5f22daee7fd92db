// SPDX-License-Identifier: MIT
// What a resolver makes of launches.
#include <string>
#include <utility>
#include <variant>

#include "ir/archive/kernarg.h"
#include "ir/archive/resolver.h"

namespace compass::archive {
namespace {

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// All of a launch but the offsets of its pointers, as bytes.
std::string shape_of(const Launch& launch) {
  std::string bytes;
  append(bytes, launch.kernel.value);
  for (const std::uint32_t size : launch.grid_workgroups) append(bytes, size);
  for (const std::uint32_t size : launch.workgroup_workitems) append(bytes, size);
  append(bytes, launch.dynamic_lds_bytes);
  append(bytes, launch.is_cooperative);
  for (const LaunchArgument& argument : launch.arguments) {
    append(bytes, argument.offset_bytes);
    append(bytes, argument.size_bytes);
    append(bytes, argument.is_pointer);
    append(bytes, argument.memory.allocation.value);
    bytes += as_text(argument.bytes);
  }
  return bytes;
}

}  // namespace

void Resolver::on(const journal::Launch& entry) {
  known_launches_.resize(entry_);
  known_launches_.back().entry = &entry;
  push_launch(entry_, entry);
}

void Resolver::on(const journal::SameLaunch& same) {
  const bool is_known = same.entry != 0 && same.entry <= known_launches_.size() &&
                        known_launches_[same.entry - 1].entry != nullptr;
  if (!is_known) {
    return causes_.add("a launch was left out: the entry that has its arguments is missing");
  }
  push_launch(same.entry, *known_launches_[same.entry - 1].entry);
}

/// `number`: of the entry that asked for this launch first.
void Resolver::push_launch(std::uint64_t number, const journal::Launch& entry) {
  KnownLaunch& known = known_launches_[number - 1];
  LaunchKernel body;
  if (known.version == version_) {
    body = std::get<LaunchKernel>(recording_.records[known.record - 1].body);
  } else {
    auto resolved = launch(entry);
    if (!resolved) {
      return causes_.add(concat("launches of ", code_.name_of(entry.host_function),
                                " were left out: ", resolved.error().message));
    }
    body = std::move(*resolved);
  }
  const StreamId on_stream = stream(entry.stream);
  push(on_stream, std::move(body), status_);
  known.record = recording_.records.size();
  known.version = version_;
}

Result<LaunchKernel> Resolver::launch(const journal::Launch& entry) {
  ASSIGN_OR_RETURN(const CodeTable::Found found, code_.find(entry.host_function));
  if (found.loads) push({}, LoadCodeObject{*found.loads});
  Launch launch;
  launch.kernel = found.kernel;
  launch.grid_workgroups = entry.grid_workgroups;
  launch.workgroup_workitems = entry.workgroup_workitems;
  launch.dynamic_lds_bytes = entry.dynamic_lds_bytes;
  ASSIGN_OR_RETURN(launch.arguments,
                   split_kernarg(recording_.kernel(found.kernel), entry.kernarg, memory_));
  launch.is_cooperative = entry.is_cooperative;
  return distinct(std::move(launch));
}

LaunchKernel Resolver::distinct(Launch launch) {
  const LaunchId next{static_cast<std::uint32_t>(recording_.launches.size() + 1)};
  const auto [known, is_new] = launches_.emplace(shape_of(launch), next);
  if (is_new) {
    launch.id = next;
    note_first_uses(launch);
    recording_.launches.push_back(std::move(launch));
    return {next, {}};
  }
  const Launch& first = recording_.launch(known->second);
  LaunchKernel body{known->second, {}};
  bool is_same = true;
  for (std::size_t i = 0; i < first.arguments.size(); ++i) {
    const MemoryRef& own = launch.arguments[i].memory;
    if (launch.arguments[i].is_pointer) body.offsets.push_back(own.offset_bytes);
    is_same = is_same && own == first.arguments[i].memory;
  }
  if (is_same) body.offsets.clear();
  return body;
}

void Resolver::note_first_uses(const Launch& launch) {
  recording_.first_uses.resize(recording_.allocations.size());
  for (const LaunchArgument& argument : launch.arguments) {
    if (!argument.is_pointer || !argument.memory.allocation) continue;
    FirstUse& use = recording_.first_uses[argument.memory.allocation.value - 1];
    if (!use.kernel) use = {launch.kernel, argument.offset_bytes};
  }
}

}  // namespace compass::archive
