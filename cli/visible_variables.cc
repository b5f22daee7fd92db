// SPDX-License-Identifier: MIT
#include "cli/visible_variables.h"

#include <numeric>

#include "cli/probe_output.h"
#include "driverless/arch/declared_devices.h"

namespace compass::cli {
namespace {

std::string hip_list(const Environment& environment) {
  const std::string of_hip = environment.get("HIP_VISIBLE_DEVICES").value_or("");
  const std::string of_cuda = environment.get("CUDA_VISIBLE_DEVICES").value_or("");
  return arch::hip_visible_list(of_hip.c_str(), of_cuda.c_str());
}

std::size_t count_entries(const std::string& list) {
  return list.empty() ? 0 : split(list, ",").size();
}

/// What HIP's list leaves of this many agents.
std::size_t left_by_hip(const Environment& environment, std::size_t agents) {
  std::vector<int> numbers(agents);
  std::iota(numbers.begin(), numbers.end(), 0);
  return visible_to_hip(environment, numbers).size();
}

VisibleList read_list(const Environment& environment, const std::string& variable) {
  const std::optional<std::string> value = environment.get(variable);
  if (!value) return {variable, std::nullopt, "not set"};
  const bool is_outer = variable == "ROCR_VISIBLE_DEVICES";
  // HIP takes no notice of an empty list; HSA's hides all.
  if (value->empty() && !is_outer) return {variable, std::nullopt, "''"};
  const std::size_t count = count_entries(*value);
  return {variable, is_outer ? left_by_hip(environment, count) : count, *value};
}

}  // namespace

std::vector<int> visible_agents(const Environment& environment, const std::vector<int>& devices) {
  const auto list = environment.get("ROCR_VISIBLE_DEVICES");
  return list ? arch::rocr_visible(devices, *list) : devices;
}

std::vector<int> visible_to_hip(const Environment& environment, const std::vector<int>& agents) {
  const std::string list = hip_list(environment);
  return list.empty() ? agents : arch::hip_visible(agents, list);
}

std::vector<VisibleList> count_visible_lists(const Environment& environment) {
  std::vector<VisibleList> lists;
  for (const char* variable : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"}) {
    lists.push_back(read_list(environment, variable));
  }
  // Rarely set on AMD's devices.
  if (environment.get("CUDA_VISIBLE_DEVICES")) {
    lists.push_back(read_list(environment, "CUDA_VISIBLE_DEVICES"));
  }
  return lists;
}

}  // namespace compass::cli
