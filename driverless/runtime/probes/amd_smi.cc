// SPDX-License-Identifier: MIT
//
// amd-smi: what a driver would list, whatever HIP_VISIBLE_DEVICES hides. The facts of the
// declaration: `list`, `static` and `version`; nothing that only a device can measure.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/runtime/probes/device.h"

namespace compass::probes {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kProgram = "amd-smi";

struct Options {
  std::string command;
  bool json = false;
  std::vector<std::string> sections;  ///< of `static`; empty: all
  std::vector<int> devices;           ///< empty: all
};

Json size_of(std::uint64_t value, std::string_view unit) {
  return {{"value", value}, {"unit", unit}};
}

/// As a UUID has its dashes.
std::string long_uuid_of(int number) {
  const std::string digits = arch::uuid_of(number);
  return concat(digits.substr(0, 8), "-", digits.substr(8, 4), "-", digits.substr(12),
                "-8000-000000000000");
}

Json listed(const Device& device) {
  return {{"gpu", device.number},
          {"bdf", pci_address(device)},
          {"uuid", long_uuid_of(device.number)},
          {"kfd_id", device.number + 1},
          {"node_id", device.number + 1},
          {"partition_id", 0}};
}

Json asic(const Device& device) {
  const arch::Architecture& architecture = device.architecture;
  return {{"market_name", architecture.device_name},
          {"vendor_id", "0x1002"},
          {"vendor_name", "Advanced Micro Devices Inc. [AMD/ATI]"},
          {"subvendor_id", "0x1002"},
          {"device_id", hex(architecture.pci_device_id, 4)},
          {"subsystem_id", hex(architecture.pci_device_id, 4)},
          {"rev_id", "0x00"},
          {"asic_serial", concat("0x", arch::uuid_of(device.number))},
          {"oam_id", device.number},
          {"num_compute_units", architecture.compute_units},
          {"target_graphics_version", architecture.name}};
}

Json vram(const arch::Architecture& architecture) {
  return {{"type", "N/A"},
          {"vendor", "N/A"},
          {"size", size_of(architecture.memory_bytes >> 20, "MB")},
          {"bit_width", architecture.memory_bus_bits}};
}

Json described(const Device& device, const Options& options) {
  const Json sections = {
      {"asic", asic(device)},
      {"bus", {{"bdf", pci_address(device)}}},
      {"driver", {{"name", "amdgpu"}, {"version", "N/A"}}},
      {"vram", vram(device.architecture)},
      {"partition",
       {{"accelerator_partition", "SPX"}, {"memory_partition", "NPS1"}, {"partition_id", 0}}}};
  Json result = {{"gpu", device.number}};
  for (const auto& [name, section] : sections.items()) {
    const bool is_wanted =
        options.sections.empty() ||
        std::find(options.sections.begin(), options.sections.end(), name) != options.sections.end();
    if (is_wanted) result[name] = section;
  }
  return result;
}

std::string scalar(const Json& value) {
  if (value.is_object()) return concat(scalar(value["value"]), " ", scalar(value["unit"]));
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// "GPU: 0", and below it names in capitals, four columns deeper at each level.
std::string text_of(const Json& fields, std::size_t indent) {
  std::string text;
  for (const auto& [key, value] : fields.items()) {
    const std::size_t depth = key == "gpu" ? indent - 4 : indent;
    text += concat(std::string(depth, ' '), upper(key), ":");
    const bool is_section = value.is_object() && !value.contains("unit");
    text +=
        is_section ? concat("\n", text_of(value, indent + 4)) : concat(" ", scalar(value), "\n");
  }
  return text;
}

int print_devices(const std::vector<Json>& devices, const Options& options) {
  if (options.json) {
    const Json list(devices);
    return print((options.command == "static" ? Json{{"gpu_data", list}} : list).dump(4) + "\n");
  }
  std::string text;
  for (const Json& device : devices) text += text_of(device, 4) + "\n";
  return print(text);
}

int print_version(const Options& options) {
  const std::string version = hip_version_text();
  const Json fields = {{"tool", "AMDSMI Tool"},
                       {"version", "driverless"},
                       {"amdsmi_library_version", "N/A"},
                       {"rocm_version", version},
                       {"amdgpu_version", "N/A"}};
  if (options.json) return print(Json::array({fields}).dump(4) + "\n");
  return print(concat("AMDSMI Tool: driverless | AMDSMI Library version: N/A | ROCm version: ",
                      version, " | amdgpu version: N/A\n"));
}

/// The section of `static` that an option names; absent for others.
std::optional<std::string> section_of(std::string_view option) {
  constexpr std::pair<std::string_view, std::string_view> kSections[] = {
      {"-a", "asic"}, {"-b", "bus"}, {"-d", "driver"}, {"-v", "vram"}, {"-p", "partition"}};
  for (const auto& [letter, name] : kSections) {
    if (option == letter || option == concat("--", name)) return std::string(name);
  }
  return std::nullopt;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 4 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<Options> parse(const std::vector<std::string>& words) {
  const auto wrong = [](std::string_view expected, std::string_view found) {
    return Error{ErrorCode::kInvalid, concat("expected ", expected, ", found '", found, "'")};
  };
  Options options;
  std::size_t i = 0;
  if (i < words.size() && !words[i].starts_with("-")) options.command = words[i++];
  if (options.command != "list" && options.command != "static" && options.command != "version") {
    return wrong("list, static or version: the rest only a driver knows", options.command);
  }
  for (; i < words.size(); ++i) {
    const auto section = section_of(words[i]);
    if (words[i] == "--json") {
      options.json = true;
    } else if (words[i] == "-g" || words[i] == "--gpu") {
      if (i + 1 == words.size()) return wrong("a device or 'all' after -g", "");
      while (i + 1 < words.size() && (is_number(words[i + 1]) || words[i + 1] == "all")) {
        ++i;
        if (words[i] != "all") options.devices.push_back(std::stoi(words[i]));
      }
    } else if (section && options.command == "static") {
      options.sections.push_back(*section);
    } else {
      return wrong("--json, -g DEVICE, or with static --asic, --bus, --driver, --vram, --partition",
                   words[i]);
    }
  }
  return options;
}

int run(const std::vector<std::string>& words) {
  const Result<Options> parsed = parse(words);
  if (!parsed) return refuse(kProgram, parsed.error().message);
  const Options& options = *parsed;
  const arch::DeclaredDevices* const devices = declared(kProgram);
  if (devices == nullptr) return 1;
  if (options.command == "version") return print_version(options);
  for (const int number : options.devices) {
    if (static_cast<std::size_t>(number) >= devices->all.size()) {
      return refuse(kProgram, concat("device ", number, " is none of ", devices->all.size()));
    }
  }
  const std::vector<int>& chosen = options.devices.empty() ? devices->all : options.devices;
  std::vector<Json> fields;
  for (const Device& device : describe(devices->architecture, chosen)) {
    fields.push_back(options.command == "list" ? listed(device) : described(device, options));
  }
  return print_devices(fields, options);
}

}  // namespace
}  // namespace compass::probes

int main(int argc, char** argv) {
  return compass::probes::run(std::vector<std::string>(argv + 1, argv + argc));
}
