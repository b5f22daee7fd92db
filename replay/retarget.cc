// SPDX-License-Identifier: MIT
#include "replay/retarget.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <variant>

namespace compass::replay {
namespace {

/// "gfx942" of "gfx942:sramecc+:xnack-".
std::string_view processor_of(const CodeObject& code_object) {
  const std::string_view target = code_object.target;
  return target.substr(0, target.find(':'));
}

using KernelNames = std::set<std::string_view>;

/// Which code object stands for which, by id.
using Counterparts = std::unordered_map<CodeObjectId, CodeObjectId>;

Counterparts find_counterparts(const Recording& recording, std::string_view processor) {
  std::vector<KernelNames> names(recording.code_objects.size());
  for (const Kernel& kernel : recording.kernels) {
    names[kernel.code_object.value - 1].insert(kernel.name);
  }
  // Several fat binaries may hold the same kernels: the n-th of each processor belong together.
  std::map<KernelNames, std::vector<CodeObjectId>> candidates;
  for (const CodeObject& code_object : recording.code_objects) {
    if (processor_of(code_object) != processor) continue;
    candidates[names[code_object.id.value - 1]].push_back(code_object.id);
  }
  Counterparts counterparts;
  std::map<std::pair<std::string_view, KernelNames>, std::size_t> used;
  for (const CodeObject& code_object : recording.code_objects) {
    if (processor_of(code_object) == processor) continue;
    const KernelNames& own = names[code_object.id.value - 1];
    const std::size_t n = used[{processor_of(code_object), own}]++;
    const std::vector<CodeObjectId>& same = candidates[own];
    if (!same.empty()) counterparts[code_object.id] = same[std::min(n, same.size() - 1)];
  }
  return counterparts;
}

void turn(CodeObjectId& id, const Counterparts& counterparts) {
  const auto found = counterparts.find(id);
  if (found != counterparts.end()) id = found->second;
}

void turn_launches(Recording& recording, const Counterparts& counterparts) {
  std::map<std::pair<CodeObjectId, std::string_view>, KernelId> kernels;
  for (const Kernel& kernel : recording.kernels) {
    kernels[{kernel.code_object, kernel.name}] = kernel.id;
  }
  for (Launch& launch : recording.launches) {
    const Kernel& kernel = recording.kernel(launch.kernel);
    CodeObjectId code_object = kernel.code_object;
    turn(code_object, counterparts);
    launch.kernel = kernels.at({code_object, kernel.name});
  }
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += concat(text.empty() ? "" : ", ", word);
  return text;
}

}  // namespace

std::vector<std::string> processors(const Recording& recording) {
  std::set<std::string> all;
  for (const CodeObject& code_object : recording.code_objects) {
    all.emplace(processor_of(code_object));
  }
  return {all.begin(), all.end()};
}

Result<Recording> retarget(Recording recording, std::string_view processor) {
  const std::vector<std::string> there = processors(recording);
  if (there.empty()) return recording;  // nothing was launched
  if (std::find(there.begin(), there.end(), processor) == there.end()) {
    return Error{ErrorCode::kNotFound, concat("no code object for ", processor,
                                              " was recorded: there are ", join(there))};
  }
  const Counterparts counterparts = find_counterparts(recording, processor);
  turn_launches(recording, counterparts);
  for (Record& record : recording.records) {
    if (auto* body = std::get_if<LoadCodeObject>(&record.body)) {
      turn(body->code_object, counterparts);
    } else if (auto* body = std::get_if<UnloadCodeObject>(&record.body)) {
      turn(body->code_object, counterparts);
    }
  }
  return recording;
}

}  // namespace compass::replay
