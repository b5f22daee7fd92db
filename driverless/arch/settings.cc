// SPDX-License-Identifier: MIT
#include "driverless/arch/settings.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "ir/base/quantity.h"

namespace compass::arch {
namespace {

constexpr Unit kCount[] = {{"", 1}};
constexpr Unit kFrequency[] = {{"MHz", 1000}, {"GHz", 1'000'000}};

/// A number that --set may change.
struct Setting {
  std::string_view key;
  std::string_view expected;  ///< in the message about a wrong value
  std::uint64_t least, most;
  std::span<const Unit> units;
  void (*apply)(Architecture&, std::uint64_t);
};

constexpr Setting kSettings[] = {
    // kMaxDevices devices of the most memory fit into what a process can address.
    {"memory", "bytes, or KiB, MiB, GiB or TiB, from 1MiB to 1TiB", std::uint64_t{1} << 20,
     std::uint64_t{1} << 40, kByteUnits,
     [](Architecture& a, std::uint64_t value) { a.memory_bytes = value; }},
    {"lds", "bytes or KiB, from 1KiB to 160KiB", std::uint64_t{1} << 10, std::uint64_t{160} << 10,
     kByteUnits,
     [](Architecture& a, std::uint64_t value) { a.lds_bytes = static_cast<std::uint32_t>(value); }},
    {"compute-units", "a number from 1 to 1024", 1, 1024, kCount,
     [](Architecture& a, std::uint64_t value) {
       a.compute_units = static_cast<std::uint32_t>(value);
     }},
    {"clock", "MHz or GHz, from 1MHz to 10GHz", 1000, 10'000'000, kFrequency,
     [](Architecture& a, std::uint64_t value) { a.clock_khz = static_cast<std::uint32_t>(value); }},
};

Result<void> apply(std::string_view assignment, Architecture& architecture) {
  const std::string_view key = assignment.substr(0, assignment.find('='));
  const auto* const setting =
      std::find_if(std::begin(kSettings), std::end(kSettings),
                   [key](const Setting& known) { return known.key == key; });
  if (setting == std::end(kSettings) || key.size() == assignment.size()) {
    return Error{ErrorCode::kInvalid, concat("cannot set '", assignment, "': expected ",
                                             list_of_settings(), ", each with = and a value")};
  }
  const std::string_view text = assignment.substr(key.size() + 1);
  const std::optional<std::uint64_t> value = parse_quantity(text, setting->units);
  if (!value || *value < setting->least || *value > setting->most) {
    return Error{ErrorCode::kInvalid,
                 concat("cannot set ", key, " to '", text, "': expected ", setting->expected)};
  }
  setting->apply(architecture, *value);
  return {};
}

}  // namespace

std::string list_of_settings() {
  std::string list;
  for (const Setting& setting : kSettings) {
    if (!list.empty()) list += &setting == std::end(kSettings) - 1 ? " or " : ", ";
    list += setting.key;
  }
  return list;
}

Result<Architecture> with_settings(const Architecture& architecture, std::string_view settings) {
  Architecture changed = architecture;
  while (!settings.empty()) {
    const std::string_view assignment = settings.substr(0, settings.find(','));
    if (auto ok = apply(assignment, changed); !ok) return std::move(ok).error();
    settings.remove_prefix(std::min(assignment.size() + 1, settings.size()));
  }
  return changed;
}

Result<int> parse_device_count(std::string_view text) {
  const std::optional<std::uint64_t> count = parse_quantity(text, kCount);
  if (!count || *count < 1 || *count > kMaxDevices) {
    return Error{ErrorCode::kInvalid,
                 concat("cannot have '", text, "' devices: expected 1 to ", kMaxDevices)};
  }
  return static_cast<int>(*count);
}

}  // namespace compass::arch
