// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/device_answers.h"

namespace compass::cli {

/// The answers as a table, by question; devices of which everyone says the same are one.
std::string table_of(const std::vector<DeviceAnswer>& answers);

/// As an object of JSON, with its own format and version: fields are only added within one.
std::string answers_json(const std::string& architecture, const std::vector<DeviceAnswer>& answers,
                         const std::vector<Disagreement>& disagreements);

/// "architecture of device 0: hipGetDeviceProperties says 'gfx950', GPU_ARCHS says 'gfx942'".
std::string sentence_of(const Disagreement& disagreement);

}  // namespace compass::cli
