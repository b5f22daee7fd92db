// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ir/base/bytes.h"
#include "ir/base/result.h"
#include "ir/recording.h"

namespace compass::archive {

/// The messages of compass_ir.proto as bytes. Text that is not UTF-8 is made so.
/// Of Recording's fields those that describe the process.
std::string encode_process(const Recording& recording);
std::string encode(const CodeObject& code_object);
std::string encode(const Kernel& kernel);
std::string encode(const Allocation& allocation);
std::string encode(const Launch& launch);
std::string encode(const Step& step);
/// The message Record with only its body, and whether it is captured.
std::string encode(const Record& record);

std::string encode(const AccessSummary& summary);
/// Without record and node.
std::string encode(const LaunchIndex& index);

/// The other way. Takes any bytes; what has no meaning of its own (an enumeration's value, a
/// missing body) is an error, ids and offsets are left to validate().
Result<void> decode_process(ByteView bytes, Recording& recording);
Result<Device> decode_device(ByteView bytes);
Result<CodeObject> decode_code_object(ByteView bytes);
Result<Kernel> decode_kernel(ByteView bytes);
Result<Allocation> decode_allocation(ByteView bytes);
Result<Launch> decode_launch(ByteView bytes);
Result<Step> decode_step(ByteView bytes);
/// Sets the record's body, and whether it is captured.
Result<void> decode_record(ByteView bytes, Record& record);
Result<AccessSummary> decode_access_summary(ByteView bytes);
/// Sets all but record and node.
Result<void> decode_launch_index(ByteView bytes, LaunchIndex& index);

}  // namespace compass::archive
