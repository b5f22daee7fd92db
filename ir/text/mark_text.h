// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "ir/record.h"

namespace compass::text {

/// What a record that says something of memory or rows says it about; absent for other kinds.
std::optional<MemoryRef> marked_memory(const RecordBody& body);

/// What such a record's line has behind its kind and place; empty for other kinds.
std::string mark_text(const RecordBody& body);

}  // namespace compass::text
