// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace compass {

/// A number that names one thing of one kind; ids of different kinds do not mix. 0 names nothing.
template <class Tag>
struct Id {
  std::uint32_t value = 0;
  explicit operator bool() const { return value != 0; }
  friend auto operator<=>(Id, Id) = default;
};

}  // namespace compass

template <class Tag>
struct std::hash<compass::Id<Tag>> {
  std::size_t operator()(compass::Id<Tag> id) const noexcept { return id.value; }
};
