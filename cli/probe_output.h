// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace compass::cli {

/// What a probe program says of one device, by question.
using DeviceFacts = std::map<std::string, std::string, std::less<>>;

/// The GPU agents of `rocminfo`.
std::vector<DeviceFacts> read_rocminfo(std::string_view output);

/// The devices of `amd-smi static --json`; empty where it is no such JSON.
std::vector<DeviceFacts> read_amd_smi(std::string_view output);

/// The lines of `rocm_agent_enumerator` that name a GPU.
std::vector<std::string> read_agent_names(std::string_view output);

/// The parts of a list, "gfx942;gfx950", at any of `separators`.
std::vector<std::string> split(std::string_view list, std::string_view separators);

}  // namespace compass::cli
