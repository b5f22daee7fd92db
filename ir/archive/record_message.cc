// SPDX-License-Identifier: MIT
#include <utility>

#include "ir/archive/mark_message.h"
#include "ir/archive/message.h"
#include "ir/archive/message_parts.h"
#include "ir/archive/utf8.h"

namespace compass::archive {
namespace {

using NodeMessages = google::protobuf::RepeatedPtrField<pb::GraphNode>;

void set_nodes(NodeMessages& messages, const std::vector<GraphNode>& nodes) {
  for (const GraphNode& node : nodes) {
    pb::GraphNode& message = *messages.Add();
    message.set_record(node.record);
    message.mutable_after()->Assign(node.after.begin(), node.after.end());
  }
}

std::vector<GraphNode> nodes_of(const NodeMessages& messages) {
  std::vector<GraphNode> nodes;
  for (const pb::GraphNode& message : messages) {
    nodes.push_back({message.record(), {message.after().begin(), message.after().end()}});
  }
  return nodes;
}

void set_completed(pb::CompletedCopy& message, const CompletedCopy& completed) {
  message.set_source(to_utf8(completed.source));
  message.set_copied(static_cast<pb::CopiedBytes>(completed.copied));
  message.set_result(to_utf8(completed.result));
}

Result<CompletedCopy> completed_of(const pb::CompletedCopy& message) {
  CompletedCopy completed;
  completed.source = message.source();
  ASSIGN_OR_RETURN(completed.copied,
                   enumerator(message.copied(), CopiedBytes::kCompleted, "copied bytes"));
  completed.result = message.result();
  return completed;
}

bool is_known(const CompletedCopy& completed) {
  return !completed.source.empty() || !completed.result.empty();
}

/// One overload a kind of record.
struct Encoder {
  pb::Record& message;

  void operator()(const Allocate& body) const {
    message.mutable_allocate()->set_allocation(body.allocation.value);
    message.mutable_allocate()->set_in_stream_order(body.in_stream_order);
  }
  void operator()(const Free& body) const {
    message.mutable_free()->set_allocation(body.allocation.value);
    message.mutable_free()->set_in_stream_order(body.in_stream_order);
  }
  void operator()(const Copy& body) const {
    pb::Copy& part = *message.mutable_copy();
    part.set_direction(static_cast<pb::CopyDirection>(body.direction));
    part.set_wait(static_cast<pb::HostWait>(body.wait));
    set_memory(*part.mutable_destination(), body.destination);
    set_memory(*part.mutable_source(), body.source);
    part.set_size_bytes(body.size_bytes);
    part.set_content(to_utf8(body.content));
    if (is_known(body.completed)) set_completed(*part.mutable_completed(), body.completed);
    if (body.counts == RowCounts{}) return;
    set_rows(part, body.counts);
    set_pitches(*part.mutable_destination_pitches(), body.destination_pitches);
    set_pitches(*part.mutable_source_pitches(), body.source_pitches);
  }
  void operator()(const Fill& body) const {
    pb::Fill& part = *message.mutable_fill();
    set_memory(*part.mutable_destination(), body.destination);
    part.set_value(body.value);
    part.set_value_bytes(body.value_bytes);
    part.set_size_bytes(body.size_bytes);
    part.set_wait(static_cast<pb::HostWait>(body.wait));
    if (body.counts == RowCounts{}) return;
    set_rows(part, body.counts);
    set_pitches(*part.mutable_pitches(), body.pitches);
  }
  void operator()(const LaunchKernel& body) const {
    message.mutable_launch()->set_launch(body.launch.value);
  }
  void operator()(const CreateStream& body) const {
    message.mutable_create_stream()->set_flags(body.flags);
  }
  void operator()(const DestroyStream&) const { message.mutable_destroy_stream(); }
  void operator()(const CreateEvent& body) const {
    message.mutable_create_event()->set_event(body.event.value);
    message.mutable_create_event()->set_flags(body.flags);
  }
  void operator()(const DestroyEvent& body) const {
    message.mutable_destroy_event()->set_event(body.event.value);
  }
  void operator()(const RecordEvent& body) const {
    message.mutable_record_event()->set_event(body.event.value);
  }
  void operator()(const WaitEvent& body) const {
    message.mutable_wait_event()->set_event(body.event.value);
  }
  void operator()(const Synchronize& body) const {
    message.mutable_synchronize()->set_scope(static_cast<pb::SyncScope>(body.scope));
    message.mutable_synchronize()->set_event(body.event.value);
  }
  void operator()(const LoadCodeObject& body) const {
    message.mutable_load_code_object()->set_code_object(body.code_object.value);
  }
  void operator()(const UnloadCodeObject& body) const {
    message.mutable_unload_code_object()->set_code_object(body.code_object.value);
  }
  void operator()(const BeginStep&) const { message.mutable_begin_step(); }
  void operator()(const EndStep&) const { message.mutable_end_step(); }
  void operator()(const BeginCapture& body) const {
    message.mutable_begin_capture()->set_mode(body.mode);
  }
  void operator()(const EndCapture& body) const {
    message.mutable_end_capture()->set_graph(body.graph.value);
  }
  void operator()(const DestroyGraph& body) const {
    message.mutable_destroy_graph()->set_graph(body.graph.value);
  }
  void operator()(const InstantiateGraph& body) const {
    pb::InstantiateGraph& part = *message.mutable_instantiate_graph();
    part.set_executable(body.executable.value);
    part.set_graph(body.graph.value);
    set_nodes(*part.mutable_nodes(), body.nodes);
  }
  void operator()(const UpdateExecutable& body) const {
    message.mutable_update_executable()->set_executable(body.executable.value);
    set_nodes(*message.mutable_update_executable()->mutable_nodes(), body.nodes);
  }
  void operator()(const SetNode& body) const {
    pb::SetNode& part = *message.mutable_set_node();
    part.set_executable(body.executable.value);
    part.set_node(body.node);
    part.set_record(body.record);
  }
  void operator()(const EnableNode& body) const {
    pb::EnableNode& part = *message.mutable_enable_node();
    part.set_executable(body.executable.value);
    part.set_node(body.node);
    part.set_enabled(body.enabled);
  }
  void operator()(const LaunchGraph& body) const {
    pb::LaunchGraph& part = *message.mutable_launch_graph();
    part.set_executable(body.executable.value);
    for (const NodeCopy& copy : body.copies) {
      pb::NodeCopy& node = *part.add_copies();
      node.set_record(copy.record);
      node.set_content(to_utf8(copy.content));
      if (is_known(copy.completed)) set_completed(*node.mutable_completed(), copy.completed);
    }
  }
  void operator()(const DestroyExecutable& body) const {
    message.mutable_destroy_executable()->set_executable(body.executable.value);
  }
  void operator()(const ChildNode& body) const {
    set_nodes(*message.mutable_child_graph()->mutable_nodes(), body.nodes);
  }
  void operator()(const EmptyNode&) const { message.mutable_empty_node(); }
  void operator()(const HostFunction&) const { message.mutable_host_function(); }
  void operator()(const HostWrite& body) const {
    pb::HostWrite& part = *message.mutable_host_write();
    set_memory(*part.mutable_place(), body.place);
    part.set_size_bytes(body.size_bytes);
    part.set_content(to_utf8(body.content));
  }
  void operator()(const WaitValue& body) const {
    pb::WaitValue& part = *message.mutable_wait_value();
    set_memory(*part.mutable_place(), body.place);
    part.set_value(body.value);
    part.set_mask(body.mask);
    part.set_value_bytes(body.value_bytes);
    part.set_condition(static_cast<pb::ValueCondition>(body.condition));
  }
  template <class Mark>
  void operator()(const Mark& body) const {
    encode_mark(body, message);
  }
};

Result<RecordBody> copy_of(const pb::Copy& message) {
  Copy copy;
  ASSIGN_OR_RETURN(copy.direction, enumerator(message.direction(), CopyDirection::kDeviceToDevice,
                                              "copy direction"));
  ASSIGN_OR_RETURN(copy.wait, enumerator(message.wait(), HostWait::kBlocking, "host wait"));
  copy.destination = memory_of(message.destination());
  copy.source = memory_of(message.source());
  copy.size_bytes = message.size_bytes();
  copy.content = message.content();
  copy.counts = row_counts_of(message);
  copy.destination_pitches = pitches_of(message.destination_pitches());
  copy.source_pitches = pitches_of(message.source_pitches());
  ASSIGN_OR_RETURN(copy.completed, completed_of(message.completed()));
  return RecordBody(std::move(copy));
}

Result<RecordBody> fill_of(const pb::Fill& message) {
  Fill fill;
  ASSIGN_OR_RETURN(fill.wait, enumerator(message.wait(), HostWait::kBlocking, "host wait"));
  fill.destination = memory_of(message.destination());
  fill.value = message.value();
  fill.value_bytes = message.value_bytes();
  fill.size_bytes = message.size_bytes();
  fill.counts = row_counts_of(message);
  fill.pitches = pitches_of(message.pitches());
  return RecordBody(fill);
}

Result<RecordBody> launch_graph_of(const pb::LaunchGraph& message) {
  LaunchGraph launch{{message.executable()}, {}};
  for (const pb::NodeCopy& node : message.copies()) {
    ASSIGN_OR_RETURN(CompletedCopy completed, completed_of(node.completed()));
    launch.copies.push_back({node.record(), node.content(), std::move(completed)});
  }
  return RecordBody(std::move(launch));
}

Result<RecordBody> wait_value_of(const pb::WaitValue& message) {
  WaitValue wait;
  ASSIGN_OR_RETURN(wait.condition,
                   enumerator(message.condition(), ValueCondition::kNor, "value condition"));
  wait.place = memory_of(message.place());
  wait.value = message.value();
  wait.mask = message.mask();
  wait.value_bytes = message.value_bytes();
  return RecordBody(wait);
}

Result<RecordBody> synchronize_of(const pb::Synchronize& message) {
  Synchronize synchronize;
  ASSIGN_OR_RETURN(synchronize.scope,
                   enumerator(message.scope(), SyncScope::kEvent, "synchronize scope"));
  synchronize.event = {message.event()};
  return RecordBody(synchronize);
}

/// Of the kinds that make and order streams and events; else as mark_body_of().
Result<RecordBody> order_body_of(const pb::Record& message) {
  switch (message.body_case()) {
    case pb::Record::kCreateStream:
      return RecordBody(CreateStream{message.create_stream().flags()});
    case pb::Record::kDestroyStream:
      return RecordBody(DestroyStream{});
    case pb::Record::kCreateEvent:
      return RecordBody(
          CreateEvent{{message.create_event().event()}, message.create_event().flags()});
    case pb::Record::kDestroyEvent:
      return RecordBody(DestroyEvent{{message.destroy_event().event()}});
    case pb::Record::kRecordEvent:
      return RecordBody(RecordEvent{{message.record_event().event()}});
    case pb::Record::kWaitEvent:
      return RecordBody(WaitEvent{{message.wait_event().event()}});
    default:
      return mark_body_of(message);
  }
}

/// Of the kinds that are about graphs and captures; else as order_body_of().
Result<RecordBody> graph_body_of(const pb::Record& message) {
  switch (message.body_case()) {
    case pb::Record::kBeginCapture:
      return RecordBody(BeginCapture{message.begin_capture().mode()});
    case pb::Record::kEndCapture:
      return RecordBody(EndCapture{{message.end_capture().graph()}});
    case pb::Record::kDestroyGraph:
      return RecordBody(DestroyGraph{{message.destroy_graph().graph()}});
    case pb::Record::kInstantiateGraph: {
      const pb::InstantiateGraph& part = message.instantiate_graph();
      return RecordBody(
          InstantiateGraph{{part.executable()}, {part.graph()}, nodes_of(part.nodes())});
    }
    case pb::Record::kUpdateExecutable:
      return RecordBody(UpdateExecutable{{message.update_executable().executable()},
                                         nodes_of(message.update_executable().nodes())});
    case pb::Record::kSetNode:
      return RecordBody(SetNode{{message.set_node().executable()},
                                message.set_node().node(),
                                message.set_node().record()});
    case pb::Record::kEnableNode:
      return RecordBody(EnableNode{{message.enable_node().executable()},
                                   message.enable_node().node(),
                                   message.enable_node().enabled()});
    case pb::Record::kLaunchGraph:
      return launch_graph_of(message.launch_graph());
    case pb::Record::kDestroyExecutable:
      return RecordBody(DestroyExecutable{{message.destroy_executable().executable()}});
    case pb::Record::kChildGraph:
      return RecordBody(ChildNode{nodes_of(message.child_graph().nodes())});
    case pb::Record::kEmptyNode:
      return RecordBody(EmptyNode{});
    case pb::Record::kHostFunction:
      return RecordBody(HostFunction{});
    case pb::Record::kHostWrite:
      return RecordBody(HostWrite{memory_of(message.host_write().place()),
                                  message.host_write().size_bytes(),
                                  message.host_write().content()});
    default:
      return order_body_of(message);
  }
}

Result<RecordBody> body_of(const pb::Record& message) {
  switch (message.body_case()) {
    case pb::Record::kAllocate:
      return RecordBody(
          Allocate{{message.allocate().allocation()}, message.allocate().in_stream_order()});
    case pb::Record::kFree:
      return RecordBody(Free{{message.free().allocation()}, message.free().in_stream_order()});
    case pb::Record::kCopy:
      return copy_of(message.copy());
    case pb::Record::kFill:
      return fill_of(message.fill());
    case pb::Record::kLaunch:
      return RecordBody(LaunchKernel{{message.launch().launch()}});
    case pb::Record::kSynchronize:
      return synchronize_of(message.synchronize());
    case pb::Record::kLoadCodeObject:
      return RecordBody(LoadCodeObject{{message.load_code_object().code_object()}});
    case pb::Record::kUnloadCodeObject:
      return RecordBody(UnloadCodeObject{{message.unload_code_object().code_object()}});
    case pb::Record::kBeginStep:
      return RecordBody(BeginStep{});
    case pb::Record::kEndStep:
      return RecordBody(EndStep{});
    case pb::Record::kWaitValue:
      return wait_value_of(message.wait_value());
    default:
      return graph_body_of(message);
  }
}

}  // namespace

std::string encode(const Record& record) {
  pb::Record message;
  std::visit(Encoder{message}, record.body);
  message.set_captured(record.captured);
  return message.SerializeAsString();
}

Result<void> decode_record(ByteView bytes, Record& record) {
  ASSIGN_OR_RETURN(const pb::Record message, parse<pb::Record>(bytes));
  ASSIGN_OR_RETURN(record.body, body_of(message));
  record.captured = message.captured();
  return {};
}

}  // namespace compass::archive
