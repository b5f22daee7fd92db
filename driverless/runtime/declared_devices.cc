// SPDX-License-Identifier: MIT
#include "driverless/runtime/declared_devices.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <string>

#include "driverless/arch/settings.h"
#include "driverless/runtime/device_properties.h"
#include "driverless/runtime/error_texts.h"
#include "driverless/runtime/notice.h"
#include "driverless/runtime/other_runtime.h"

namespace compass {
namespace {

/// The variables that hide devices, outermost first. CUDA's name counts where HIP's is not set.
constexpr const char* kVisibilityVariables[] = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"};

const char* visibility(const char* variable) {
  const char* const list = std::getenv(variable);
  const bool is_hip = std::string_view(variable) == "HIP_VISIBLE_DEVICES";
  return list == nullptr && is_hip ? std::getenv("CUDA_VISIBLE_DEVICES") : list;
}

Result<arch::Architecture> read_architecture() {
  const char* const name = std::getenv("COMPASS_ARCH");
  const arch::Architecture* const architecture = name == nullptr ? nullptr : arch::find(name);
  if (architecture == nullptr) {
    const std::string what =
        name == nullptr ? "COMPASS_ARCH is not set" : concat("COMPASS_ARCH is '", name, "'");
    return Error{
        ErrorCode::kNotFound,
        concat(what, "; the driverless runtime has no device: expected ", arch::list_of_names())};
  }
  const char* const settings = std::getenv("COMPASS_SET");
  if (settings == nullptr) return *architecture;
  auto changed = arch::with_settings(*architecture, settings);
  if (!changed) return std::move(changed).error().with("COMPASS_SET");
  return changed;
}

Result<std::vector<int>> read_visible_devices() {
  int count = 1;
  if (const char* const devices = std::getenv("COMPASS_DEVICES")) {
    auto parsed = arch::parse_device_count(devices);
    if (!parsed) return std::move(parsed).error().with("COMPASS_DEVICES");
    count = *parsed;
  }
  std::vector<int> visible(static_cast<std::size_t>(count));
  std::iota(visible.begin(), visible.end(), 0);
  for (const char* const variable : kVisibilityVariables) {
    const char* const list = visibility(variable);
    if (list == nullptr || *list == '\0') continue;
    visible = visible_devices(visible, list);
    if (visible.empty()) {
      return Error{ErrorCode::kNotFound, concat(variable, " is '", list, "', which leaves none of ",
                                                count, " declared device", count == 1 ? "" : "s")};
    }
  }
  return visible;
}

Result<DeclaredDevices> read_environment() {
  ASSIGN_OR_RETURN(arch::Architecture architecture, read_architecture());
  ASSIGN_OR_RETURN(std::vector<int> visible, read_visible_devices());
  return DeclaredDevices{architecture, std::move(visible)};
}

/// What the environment says, read when it is first needed.
const Result<DeclaredDevices>& environment() {
  static const auto* const read = new Result<DeclaredDevices>(read_environment());
  return *read;
}

/// The position in `devices` of an entry of a list; absent if it is none.
std::vector<int>::const_iterator find_entry(const std::vector<int>& devices,
                                            std::string_view entry) {
  if (entry.starts_with("GPU-")) {
    return std::find_if(devices.begin(), devices.end(), [&](int ordinal) {
      return entry.substr(std::string_view("GPU-").size()) == uuid_of(ordinal);
    });
  }
  std::size_t index = 0;
  const auto [end, status] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  const bool is_index = status == std::errc{} && end == entry.data() + entry.size();
  if (!is_index || index >= devices.size()) return devices.end();
  return devices.begin() + static_cast<std::ptrdiff_t>(index);
}

}  // namespace

std::vector<int> visible_devices(const std::vector<int>& devices, std::string_view list) {
  std::vector<int> visible;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    const auto device = find_entry(devices, entry);
    if (device == devices.end()) break;
    visible.push_back(*device);
  }
  return visible;
}

const DeclaredDevices* declared_devices(hip::Error& error) {
  const TwoRuntimes runtimes = find_other_runtime();
  if (!runtimes.other.empty()) {
    error = hip::kErrorNotInitialized;
    notice_once(concat("this process has two HIP runtimes, ", runtimes.self, " and ",
                       runtimes.other, "; calls get ", name_of(error)));
    return nullptr;
  }
  if (!environment()) {
    error = hip::kErrorNoDevice;
    notice_once(environment().error().message);
    return nullptr;
  }
  return &*environment();
}

}  // namespace compass
