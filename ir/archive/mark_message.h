// SPDX-License-Identifier: MIT
#pragma once

#include "ir/archive/message_parts.h"
#include "ir/base/result.h"
#include "ir/record.h"

/// The bodies of records that are what a program said: a part of record_message.cc. Private to this
/// folder: it knows generated types.
namespace compass::archive {

void encode_mark(const DeclarePool& body, pb::Record& message);
void encode_mark(const DeclareSentinel& body, pb::Record& message);
void encode_mark(const Sleep& body, pb::Record& message);
void encode_mark(const Wake& body, pb::Record& message);
void encode_mark(const ReportOutput& body, pb::Record& message);
void encode_mark(const AllocateBlock& body, pb::Record& message);
void encode_mark(const FreeBlock& body, pb::Record& message);

/// Of the kinds above; any other is an error.
Result<RecordBody> mark_body_of(const pb::Record& message);

}  // namespace compass::archive
