// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/environment.h"

namespace compass::cli {

/// What ROCR_VISIBLE_DEVICES of `environment` leaves of `devices`.
std::vector<int> visible_agents(const Environment& environment, const std::vector<int>& devices);

/// What HIP_VISIBLE_DEVICES, or where that says nothing CUDA_VISIBLE_DEVICES, leaves of `agents`.
std::vector<int> visible_to_hip(const Environment& environment, const std::vector<int>& agents);

/// How many devices there are to somebody who counts the entries of a variable, as engines do.
struct VisibleList {
  std::string variable;
  std::optional<std::size_t> count;  ///< absent: it hides nothing
  std::string text;                  ///< its value, or that it is not set
};

std::vector<VisibleList> count_visible_lists(const Environment& environment);

}  // namespace compass::cli
