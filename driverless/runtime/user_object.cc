// SPDX-License-Identifier: MIT
#include "driverless/runtime/user_object.h"

#include <utility>
#include <vector>

#include "driverless/runtime/runtime.h"

namespace compass {
namespace {

/// Those that nobody refers to, until their destructors are called.
std::vector<std::shared_ptr<UserObject>>& unreferenced() {
  static auto* const objects = new std::vector<std::shared_ptr<UserObject>>;
  return *objects;
}

}  // namespace

UserReferences::UserReferences(const UserReferences& other) : counts_(other.counts_) {
  for (const auto& [object, count] : counts_) object->references += count;
}

UserReferences::~UserReferences() {
  for (const auto& [object, count] : counts_) end_references(object, count);
}

bool UserReferences::end(const std::shared_ptr<UserObject>& object, unsigned count) {
  const auto at = counts_.find(object);
  if (at == counts_.end() || at->second < count) return false;
  at->second -= count;
  if (at->second == 0) counts_.erase(at);
  end_references(object, count);
  return true;
}

void end_references(const std::shared_ptr<UserObject>& object, std::uint64_t count) {
  object->references -= count;
  if (object->references == 0) unreferenced().push_back(object);
}

void destroy_unreferenced() {
  std::vector<std::shared_ptr<UserObject>> objects;
  {
    Runtime& runtime = Runtime::get();
    const std::lock_guard lock(runtime.mutex());
    objects = std::exchange(unreferenced(), {});
    for (const auto& object : objects) {
      runtime.existing_platform()->graphs.user_objects.remove(object->handle);
    }
  }
  for (const auto& object : objects) object->destroy(object->object);
}

}  // namespace compass
