// SPDX-License-Identifier: MIT
#include "cli/probe_output.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "ir/base/concat.h"

namespace compass::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

/// "64(0x40) KB": the number before the parenthesis.
std::string before_parenthesis(std::string_view text) {
  return std::string(trimmed(text.substr(0, text.find('('))));
}

std::string in_parentheses(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return std::string(text);
  return std::string(text.substr(open + 1, text.find(')') - open - 1));
}

std::string digits(std::uint64_t value, int count) { return hex(value, count).substr(2); }

/// rocminfo's BDFID: bus, device and function of domain 0.
std::string address_of(std::string_view bdf_id) {
  std::uint32_t bdf = 0;
  const auto [end, status] = std::from_chars(bdf_id.data(), bdf_id.data() + bdf_id.size(), bdf);
  if (status != std::errc{}) return std::string(bdf_id);
  return concat("0000:", digits(bdf >> 8 & 0xff, 2), ":", digits(bdf >> 3 & 0x1f, 2), ".", bdf & 7);
}

/// Reads the lines of one agent.
class AgentReader {
 public:
  void read(std::string_view key, std::string_view value) {
    if (key.starts_with("Pool ")) {
      pool_ = key;
    } else if (key == "Segment") {
      segment_ = value;
    } else if (key == "Size") {
      read_size(value);
    } else if (key.starts_with("ISA ")) {
      is_isa_ = true;
    } else if (key == "Name") {
      read_name(value);
    } else if (key == "Device Type") {
      is_gpu_ = value == "GPU";
    } else {
      read_fact(key, value);
    }
  }

  bool is_gpu() const { return is_gpu_; }
  const DeviceFacts& facts() const { return facts_; }

 private:
  void read_size(std::string_view value) {
    const std::string size = before_parenthesis(value) + " KiB";
    if (pool_ == "Pool 1") facts_["memory"] = size;
    if (segment_ == "GROUP") facts_["LDS"] = size;
  }
  void read_name(std::string_view value) {
    constexpr std::string_view kPrefix = "amdgcn-amd-amdhsa--";
    if (!is_isa_) {
      facts_.emplace("architecture", value);
    } else if (value.starts_with(kPrefix)) {
      facts_.emplace("target", value.substr(kPrefix.size()));
    }
  }
  void read_fact(std::string_view key, std::string_view value) {
    if (key == "Marketing Name") facts_["name"] = value;
    if (key == "Compute Unit") facts_["compute units"] = value;
    if (key == "Wavefront Size") facts_["wavefront size"] = before_parenthesis(value);
    if (key == "Workgroup Max Size") facts_["workgroup size"] = before_parenthesis(value);
    if (key == "Max Clock Freq. (MHz)") facts_["clock"] = concat(value, " MHz");
    if (key == "Chip ID") facts_["PCI device"] = in_parentheses(value);
    if (key == "BDFID") facts_["PCI address"] = address_of(value);
    if (key == "Uuid") facts_["UUID"] = value.substr(value.starts_with("GPU-") ? 4 : 0);
  }

  DeviceFacts facts_;
  std::string pool_, segment_;
  bool is_isa_ = false, is_gpu_ = false;
};

using Json = nlohmann::json;

std::string text_of(const Json& value) {
  if (value.is_object() && value.contains("value")) return text_of(value["value"]);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

DeviceFacts facts_of(const Json& device) {
  struct Field {
    const char *section, *name, *question, *unit;
  };
  constexpr Field kFields[] = {
      {"asic", "target_graphics_version", "architecture", ""},
      {"asic", "market_name", "name", ""},
      {"asic", "num_compute_units", "compute units", ""},
      {"asic", "device_id", "PCI device", ""},
      {"bus", "bdf", "PCI address", ""},
      {"vram", "size", "memory", " MiB"},
  };
  DeviceFacts facts;
  for (const Field& field : kFields) {
    const Json section = device.is_object() ? device.value(field.section, Json()) : Json();
    if (!section.is_object() || !section.contains(field.name)) continue;
    facts[field.question] = text_of(section[field.name]) + field.unit;
  }
  return facts;
}

}  // namespace

std::vector<std::string> split(std::string_view list, std::string_view separators) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    parts.emplace_back(list.substr(0, end));
    if (end == list.size()) return parts;
    list.remove_prefix(end + 1);
  }
}

std::vector<DeviceFacts> read_rocminfo(std::string_view output) {
  std::vector<AgentReader> agents;
  for (const std::string& line : split(output, "\n")) {
    const std::string_view text = trimmed(line);
    if (text.starts_with("Agent ")) agents.emplace_back();
    if (agents.empty()) continue;
    const std::size_t colon = std::min(text.find(':'), text.size());
    agents.back().read(trimmed(text.substr(0, colon)),
                       trimmed(text.substr(std::min(colon + 1, text.size()))));
  }
  std::vector<DeviceFacts> devices;
  for (const AgentReader& agent : agents) {
    if (agent.is_gpu()) devices.push_back(agent.facts());
  }
  return devices;
}

std::vector<DeviceFacts> read_amd_smi(std::string_view output) {
  const Json parsed = Json::parse(output, nullptr, false);
  if (parsed.is_discarded()) return {};
  const Json list = parsed.is_object() ? parsed.value("gpu_data", Json::array()) : parsed;
  std::vector<DeviceFacts> devices;
  for (const Json& device : list) devices.push_back(facts_of(device));
  return devices;
}

std::vector<std::string> read_agent_names(std::string_view output) {
  std::vector<std::string> names;
  for (const std::string& line : split(output, "\n")) {
    const std::string_view name = trimmed(line);
    if (!name.empty() && name != "gfx000") names.emplace_back(name);
  }
  return names;
}

}  // namespace compass::cli
