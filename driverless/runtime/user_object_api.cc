// SPDX-License-Identifier: MIT
#include <limits>
#include <memory>

#include "driverless/runtime/api.h"
#include "driverless/runtime/runtime.h"

namespace compass::hip {
namespace {

bool is_count(unsigned count) {
  return count > 0 && count <= static_cast<unsigned>(std::numeric_limits<int>::max());
}

/// Runs `body` with the user object behind `object`; then, without a lock, the destructors that are
/// due.
template <class Body>
Error with_object(UserObject object, unsigned count, Body body) {
  const Error error = with_device([&](Device& device) {
    Graphs& graphs = device.platform.graphs;
    const auto* const found = graphs.user_objects.find(object);
    if (found == nullptr || !is_count(count)) return kErrorInvalidValue;
    return body(graphs, std::shared_ptr(*found));
  });
  if (error == kSuccess) destroy_unreferenced();
  return error;
}

}  // namespace

Error hipUserObjectCreate(UserObject* object, void* pointer, HostFunction destroy,
                          unsigned references, unsigned flags) {
  return with_device([&](Device& device) {
    const bool is_right = object != nullptr && destroy != nullptr && is_count(references) &&
                          flags == kUserObjectNoDestructorSync;
    if (!is_right) return kErrorInvalidValue;
    auto made = std::make_shared<compass::UserObject>();
    made->object = pointer;
    made->destroy = destroy;
    made->references = references;
    *object = device.platform.graphs.user_objects.add(made);
    made->handle = *object;
    return kSuccess;
  });
}

Error hipUserObjectRetain(UserObject object, unsigned count) {
  return with_object(object, count, [&](Graphs&, const auto& found) {
    found->references += count;
    return kSuccess;
  });
}

// More than there are: nothing happens, and HIP calls it a success.
Error hipUserObjectRelease(UserObject object, unsigned count) {
  return with_object(object, count, [&](Graphs&, const auto& found) {
    if (count <= found->references) end_references(found, count);
    return kSuccess;
  });
}

Error hipGraphRetainUserObject(Graph graph, UserObject object, unsigned count, unsigned flags) {
  return with_object(object, count, [&](Graphs& graphs, const auto& found) {
    GraphTemplate* const owner = graphs.find(graph);
    if (owner == nullptr || (flags & ~kGraphUserObjectMove) != 0) return kErrorInvalidValue;
    if ((flags & kGraphUserObjectMove) == 0) found->references += count;
    owner->user_references.add(found, count);
    return kSuccess;
  });
}

Error hipGraphReleaseUserObject(Graph graph, UserObject object, unsigned count) {
  return with_object(object, count, [&](Graphs& graphs, const auto& found) {
    GraphTemplate* const owner = graphs.find(graph);
    if (owner == nullptr) return kErrorInvalidValue;
    static_cast<void>(owner->user_references.end(found, count));
    return kSuccess;
  });
}

}  // namespace compass::hip
