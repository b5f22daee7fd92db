// SPDX-License-Identifier: MIT
#include "ir/archive/mark_message.h"

#include "ir/archive/utf8.h"

namespace compass::archive {
namespace {

template <class Number, class Numbers>
std::vector<Number> numbers_of(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

DeclarePool pool_of(const pb::DeclarePool& message) {
  DeclarePool pool{memory_of(message.memory()),
                   message.name(),
                   message.unit(),
                   message.said_by(),
                   message.rows(),
                   message.row_bytes(),
                   {}};
  for (const pb::RowRange& range : message.reserved()) {
    pool.reserved.push_back({range.first(), range.last()});
  }
  return pool;
}

DeclareSentinel sentinel_of(const pb::DeclareSentinel& message) {
  return {memory_of(message.memory()), message.role(), message.pool(), message.unit(),
          numbers_of<std::int64_t>(message.values())};
}

ReportOutput report_of(const pb::ReportOutput& message) {
  return {memory_of(message.memory()), message.size_bytes(),
          numbers_of<std::uint64_t>(message.request_ids()),
          numbers_of<std::int64_t>(message.ids())};
}

}  // namespace

void encode_mark(const DeclarePool& body, pb::Record& message) {
  pb::DeclarePool& part = *message.mutable_declare_pool();
  set_memory(*part.mutable_memory(), body.memory);
  part.set_name(to_utf8(body.name));
  part.set_unit(to_utf8(body.unit));
  part.set_said_by(to_utf8(body.said_by));
  part.set_rows(body.rows);
  part.set_row_bytes(body.row_bytes);
  for (const RowRange& range : body.reserved) {
    pb::RowRange& reserved = *part.add_reserved();
    reserved.set_first(range.first);
    reserved.set_last(range.last);
  }
}

void encode_mark(const DeclareSentinel& body, pb::Record& message) {
  pb::DeclareSentinel& part = *message.mutable_declare_sentinel();
  set_memory(*part.mutable_memory(), body.memory);
  part.set_role(to_utf8(body.role));
  part.set_pool(to_utf8(body.pool));
  part.set_unit(to_utf8(body.unit));
  part.mutable_values()->Assign(body.values.begin(), body.values.end());
}

void encode_mark(const Sleep& body, pb::Record& message) {
  message.mutable_sleep()->set_level(body.level);
  message.mutable_sleep()->set_tag(to_utf8(body.tag));
}

void encode_mark(const Wake& body, pb::Record& message) {
  message.mutable_wake()->set_tag(to_utf8(body.tag));
}

void encode_mark(const ReportOutput& body, pb::Record& message) {
  pb::ReportOutput& part = *message.mutable_report();
  set_memory(*part.mutable_memory(), body.memory);
  part.set_size_bytes(body.size_bytes);
  part.mutable_request_ids()->Assign(body.request_ids.begin(), body.request_ids.end());
  part.mutable_ids()->Assign(body.ids.begin(), body.ids.end());
}

void encode_mark(const AllocateBlock& body, pb::Record& message) {
  message.mutable_allocate_block()->set_allocation(body.allocation.value);
}

void encode_mark(const FreeBlock& body, pb::Record& message) {
  message.mutable_free_block()->set_allocation(body.allocation.value);
}

Result<RecordBody> mark_body_of(const pb::Record& message) {
  switch (message.body_case()) {
    case pb::Record::kDeclarePool:
      return RecordBody(pool_of(message.declare_pool()));
    case pb::Record::kDeclareSentinel:
      return RecordBody(sentinel_of(message.declare_sentinel()));
    case pb::Record::kSleep:
      return RecordBody(Sleep{message.sleep().level(), message.sleep().tag()});
    case pb::Record::kWake:
      return RecordBody(Wake{message.wake().tag()});
    case pb::Record::kReport:
      return RecordBody(report_of(message.report()));
    case pb::Record::kAllocateBlock:
      return RecordBody(AllocateBlock{{message.allocate_block().allocation()}});
    case pb::Record::kFreeBlock:
      return RecordBody(FreeBlock{{message.free_block().allocation()}});
    default:
      return Error{ErrorCode::kCorrupt, "a record of no kind that this version knows"};
  }
}

}  // namespace compass::archive
