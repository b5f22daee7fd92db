// SPDX-License-Identifier: MIT
#include "ir/record.h"

#include <variant>

namespace compass {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<RecordBody>> kKinds = {
    "allocate",
    "free",
    "copy",
    "fill",
    "launch",
    "create_stream",
    "destroy_stream",
    "create_event",
    "destroy_event",
    "record_event",
    "wait_event",
    "synchronize",
    "load_code_object",
    "unload_code_object",
    "begin_step",
    "end_step",
    "wait_value",
    "begin_capture",
    "end_capture",
    "destroy_graph",
    "instantiate_graph",
    "update_executable",
    "set_node",
    "enable_node",
    "launch_graph",
    "destroy_executable",
    "child_graph",
    "empty_node",
    "host_function",
    "declare_pool",
    "declare_sentinel",
    "sleep",
    "wake",
    "report",
    "allocate_block",
    "free_block",
    "host_write"};

}  // namespace

std::string_view name_of(CopyDirection direction) {
  constexpr std::array<std::string_view, 4> kNames = {"h2h", "h2d", "d2h", "d2d"};
  return kNames[static_cast<std::size_t>(direction) & 3];
}

std::string_view name_of(HostWait wait) { return wait == HostWait::kAsync ? "async" : "blocking"; }

std::string_view name_of(ValueCondition condition) {
  constexpr std::array<std::string_view, 4> kNames = {"geq", "eq", "and", "nor"};
  return kNames[static_cast<std::size_t>(condition) & 3];
}

std::string_view name_of(SyncScope scope) {
  if (scope == SyncScope::kDevice) return "device";
  return scope == SyncScope::kStream ? "stream" : "event";
}

bool can_be_captured(const RecordBody& body) {
  return std::holds_alternative<Allocate>(body) || std::holds_alternative<Free>(body) ||
         std::holds_alternative<Copy>(body) || std::holds_alternative<Fill>(body) ||
         std::holds_alternative<LaunchKernel>(body) || std::holds_alternative<RecordEvent>(body) ||
         std::holds_alternative<WaitEvent>(body) || std::holds_alternative<LaunchGraph>(body) ||
         std::holds_alternative<ChildNode>(body) || std::holds_alternative<EmptyNode>(body) ||
         std::holds_alternative<HostFunction>(body);
}

std::string_view kind_of(const Record& record) { return kKinds[record.body.index()]; }

std::span<const std::string_view> record_kinds() { return kKinds; }

}  // namespace compass
