// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace compass {

/// Objects behind opaque handles of a C interface. Any value may be asked for: only a handle that
/// was given out and not removed has an object. No handle is given out twice.
template <class Handle, class Object>
class HandleRegistry {
 public:
  /// Handles count up from `first` in steps of 16.
  explicit HandleRegistry(std::uint64_t first) : next_(first) {}

  Handle add(Object object) {
    const std::uint64_t number = next_;
    next_ += 16;
    objects_.emplace(number, std::move(object));
    return reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr): opaque
  }

  /// The object, or null. Valid until it is removed.
  Object* find(Handle handle) {
    const auto at = objects_.find(reinterpret_cast<std::uint64_t>(handle));
    return at == objects_.end() ? nullptr : &at->second;
  }

  /// Calls `visit` with each object.
  template <class Visit>
  void for_each(Visit visit) {
    for (auto& [number, object] : objects_) visit(object);
  }

  /// False if there is no such object.
  bool remove(Handle handle) {
    return objects_.erase(reinterpret_cast<std::uint64_t>(handle)) == 1;
  }

  /// Removes the objects that `is_wanted` says.
  template <class Predicate>
  void remove_if(Predicate is_wanted) {
    std::erase_if(objects_, [&](const auto& entry) { return is_wanted(entry.second); });
  }

 private:
  std::unordered_map<std::uint64_t, Object> objects_;
  std::uint64_t next_;
};

}  // namespace compass
