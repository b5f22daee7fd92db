// SPDX-License-Identifier: MIT
#include "ir/archive/message.h"
#include "ir/archive/message_parts.h"
#include "ir/archive/utf8.h"

namespace compass::archive {
namespace {

using RunMessages = google::protobuf::RepeatedPtrField<pb::AccessRun>;

void set_runs(RunMessages& messages, const AccessRuns& runs) {
  for (const AccessRun& run : runs) {
    pb::AccessRun& message = *messages.Add();
    message.set_first(run.first);
    message.set_size_bytes(run.size_bytes);
    message.set_stride_bytes(run.stride_bytes);
    message.set_count(run.count);
  }
}

AccessRuns runs_of(const RunMessages& messages) {
  AccessRuns runs;
  for (const pb::AccessRun& message : messages) {
    runs.push_back(
        {message.first(), message.size_bytes(), message.stride_bytes(), message.count()});
  }
  return runs;
}

}  // namespace

std::string encode(const AccessSummary& summary) {
  pb::AccessSummary message;
  message.set_id(summary.id.value);
  for (const AllocationAccess& access : summary.allocations) {
    pb::AllocationAccess& one = *message.add_allocations();
    one.set_allocation(access.allocation.value);
    set_runs(*one.mutable_reads(), access.reads);
    set_runs(*one.mutable_writes(), access.writes);
  }
  return message.SerializeAsString();
}

Result<AccessSummary> decode_access_summary(ByteView bytes) {
  ASSIGN_OR_RETURN(const pb::AccessSummary message, parse<pb::AccessSummary>(bytes));
  AccessSummary summary;
  summary.id.value = message.id();
  for (const pb::AllocationAccess& one : message.allocations()) {
    summary.allocations.push_back(
        {{one.allocation()}, runs_of(one.reads()), runs_of(one.writes())});
  }
  return summary;
}

std::string encode(const LaunchIndex& index) {
  pb::LaunchIndex message;
  message.set_complete(index.complete);
  for (const IndexContent& content : index.contents) {
    pb::IndexContent& one = *message.add_contents();
    one.set_allocation(content.allocation.value);
    set_runs(*one.mutable_runs(), content.runs);
    one.set_content(to_utf8(content.content));
  }
  return message.SerializeAsString();
}

Result<void> decode_launch_index(ByteView bytes, LaunchIndex& index) {
  ASSIGN_OR_RETURN(const pb::LaunchIndex message, parse<pb::LaunchIndex>(bytes));
  index.complete = message.complete();
  for (const pb::IndexContent& one : message.contents()) {
    index.contents.push_back({{one.allocation()}, runs_of(one.runs()), one.content()});
  }
  return {};
}

}  // namespace compass::archive
