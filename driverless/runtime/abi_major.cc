// SPDX-License-Identifier: MIT
#include "driverless/runtime/abi_major.h"

#include <utility>

namespace compass {
namespace {

using enum MemoryType;

constexpr std::pair<MemoryType, int> kNumbersOfHip5[] = {
    {kHost, 0}, {kDevice, 1}, {kArray, 2}, {kUnified, 3}, {kManaged, 4}};
constexpr std::pair<MemoryType, int> kNumbersSinceHip6[] = {
    {kUnregistered, 0}, {kHost, 1}, {kDevice, 2}, {kManaged, 3}, {kArray, 10}, {kUnified, 11}};

/// Calls `body` with the table of this library's interface.
template <class Body>
auto with_numbers(Body body) {
  return abi_major() == 5 ? body(kNumbersOfHip5) : body(kNumbersSinceHip6);
}

}  // namespace

int hip_version() {
  switch (abi_major()) {
    case 5:
      return 50'700'000;
    case 6:
      return 60'400'000;
    default:
      return 70'200'000;
  }
}

std::optional<int> number_of(MemoryType type) {
  return with_numbers([type](const auto& numbers) -> std::optional<int> {
    for (const auto& [candidate, number] : numbers) {
      if (candidate == type) return number;
    }
    return std::nullopt;
  });
}

std::optional<MemoryType> memory_type_of(int number) {
  return with_numbers([number](const auto& numbers) -> std::optional<MemoryType> {
    for (const auto& [type, candidate] : numbers) {
      if (candidate == number) return type;
    }
    return std::nullopt;
  });
}

}  // namespace compass
