// SPDX-License-Identifier: MIT
#pragma once

#include "ir/base/id.h"

namespace compass {

using AllocationId = Id<struct AllocationTag>;
using CodeObjectId = Id<struct CodeObjectTag>;
using KernelId = Id<struct KernelTag>;
using LaunchId = Id<struct LaunchTag>;  ///< a distinct launch; many records may share one
using StreamId = Id<struct StreamTag>;  ///< 0 is the legacy default stream
using EventId = Id<struct EventTag>;
using GraphId = Id<struct GraphTag>;            ///< what executable graphs are made from
using ExecutableId = Id<struct ExecutableTag>;  ///< a graph that can be launched
using StepId = Id<struct StepTag>;              ///< 0: outside any step
using ThreadId = Id<struct ThreadTag>;  ///< host threads in the order of their first record, from 1

}  // namespace compass
