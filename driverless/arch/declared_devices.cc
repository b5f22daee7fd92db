// SPDX-License-Identifier: MIT
#include "driverless/arch/declared_devices.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <numeric>

#include "driverless/arch/settings.h"

namespace compass::arch {
namespace {

constexpr std::string_view kUuidPrefix = "GPU-";

Result<Architecture> read_architecture() {
  const char* const name = std::getenv("COMPASS_ARCH");
  const Architecture* const architecture = name == nullptr ? nullptr : find(name);
  if (architecture == nullptr) {
    const std::string what =
        name == nullptr ? "COMPASS_ARCH is not set" : concat("COMPASS_ARCH is '", name, "'");
    return Error{ErrorCode::kNotFound, concat(what,
                                              "; the driverless runtime has no device: "
                                              "expected ",
                                              list_of_names())};
  }
  const char* const settings = std::getenv("COMPASS_SET");
  if (settings == nullptr) return *architecture;
  auto changed = with_settings(*architecture, settings);
  if (!changed) return std::move(changed).error().with("COMPASS_SET");
  return changed;
}

Result<std::vector<int>> read_all_devices() {
  int count = 1;
  if (const char* const devices = std::getenv("COMPASS_DEVICES")) {
    auto parsed = parse_device_count(devices);
    if (!parsed) return std::move(parsed).error().with("COMPASS_DEVICES");
    count = *parsed;
  }
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string leaves_none(std::string_view variable, std::string_view list, std::size_t count) {
  return concat(variable, " is '", list, "', which leaves none of ", count, " declared device",
                count == 1 ? "" : "s");
}

void hide(DeclaredDevices& devices) {
  const std::size_t count = devices.all.size();
  devices.agents = devices.all;
  if (const char* const list = std::getenv("ROCR_VISIBLE_DEVICES")) {
    devices.agents = rocr_visible(devices.all, list);
    if (devices.agents.empty()) {
      devices.hidden_by = leaves_none("ROCR_VISIBLE_DEVICES", list, count);
      return;
    }
  }
  devices.visible = devices.agents;
  const char* const of_hip = std::getenv("HIP_VISIBLE_DEVICES");
  const char* const list = hip_visible_list(of_hip, std::getenv("CUDA_VISIBLE_DEVICES"));
  if (list == nullptr || *list == '\0') return;
  devices.visible = hip_visible(devices.agents, list);
  if (!devices.visible.empty()) return;
  const bool is_hip = list == of_hip;
  devices.hidden_by =
      leaves_none(is_hip ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES", list, count);
}

std::string full_uuid_of(int device) { return concat(kUuidPrefix, uuid_of(device)); }

/// The entry up to the next comma, which is taken off `list`.
std::string_view take_entry(std::string_view& list) {
  const std::string_view entry = list.substr(0, list.find(','));
  list.remove_prefix(std::min(entry.size() + 1, list.size()));
  return entry;
}

/// As AMD's runtime has it: without spaces around it, and in upper case.
std::string normalized(std::string_view entry) {
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const std::size_t first = std::min(entry.find_first_not_of(kSpaces), entry.size());
  std::string text(entry.substr(first, entry.find_last_not_of(kSpaces) + 1 - first));
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

using Position = std::vector<int>::const_iterator;

/// The only one of `devices` whose UUID starts with `beginning`, in upper case; else the end.
Position find_only_uuid(const std::vector<int>& devices, const std::string& beginning) {
  const auto starts = [&](int device) {
    return normalized(full_uuid_of(device)).starts_with(beginning);
  };
  const auto found = std::find_if(devices.begin(), devices.end(), starts);
  if (beginning.size() <= kUuidPrefix.size() || found == devices.end()) return devices.end();
  return std::find_if(found + 1, devices.end(), starts) == devices.end() ? found : devices.end();
}

Position find_rocr_entry(const std::vector<int>& devices, std::string_view entry) {
  const std::string text = normalized(entry);
  if (text.empty()) return devices.end();
  if (text.front() == 'G') return find_only_uuid(devices, text);
  char* end = nullptr;
  const long index = std::strtol(text.c_str(), &end, 0);
  const bool is_index = *end == '\0' && index >= 0 && index < static_cast<long>(devices.size());
  return is_index ? devices.begin() + index : devices.end();
}

Position find_hip_entry(const std::vector<int>& devices, std::string_view entry) {
  if (entry.find(kUuidPrefix) != std::string_view::npos) {
    return std::find_if(devices.begin(), devices.end(), [&](int device) {
      return full_uuid_of(device).find(entry) != std::string::npos;
    });
  }
  const long index = std::strtol(std::string(entry).c_str(), nullptr, 10);
  const bool is_index =
      index >= 0 && index < static_cast<long>(devices.size()) && std::to_string(index) == entry;
  return is_index ? devices.begin() + index : devices.end();
}

bool contains(const std::vector<int>& devices, int device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

}  // namespace

Result<DeclaredDevices> read_declared_devices() {
  DeclaredDevices devices;
  ASSIGN_OR_RETURN(devices.architecture, read_architecture());
  ASSIGN_OR_RETURN(devices.all, read_all_devices());
  hide(devices);
  return devices;
}

std::vector<int> rocr_visible(const std::vector<int>& devices, std::string_view list) {
  std::vector<int> visible;
  while (!list.empty()) {
    const auto device = find_rocr_entry(devices, take_entry(list));
    if (device == devices.end() || contains(visible, *device)) break;
    visible.push_back(*device);
  }
  return visible;
}

std::vector<int> hip_visible(const std::vector<int>& devices, std::string_view list) {
  std::vector<int> visible;
  while (!list.empty()) {
    const auto device = find_hip_entry(devices, take_entry(list));
    if (device == devices.end()) break;
    if (!contains(visible, *device)) visible.push_back(*device);
  }
  return visible;
}

const char* hip_visible_list(const char* hip_variable, const char* cuda_variable) {
  return hip_variable == nullptr || *hip_variable == '\0' ? cuda_variable : hip_variable;
}

std::string uuid_of(int device) {
  const std::string digits = hex(static_cast<std::uint64_t>(device), 2);
  return concat("636f6d70617373", std::string_view(digits).substr(2));
}

}  // namespace compass::arch
