// SPDX-License-Identifier: MIT
#include "driverless/gate/launch_cursor.h"

#include <variant>

namespace compass::gate {

void LaunchCursor::on_node(const Record& record, const Record& node) {
  if (graph_ != &record) next_ordinal_ = context_.launch_ordinal(record.sequence);
  graph_ = &record;
  node_ = &node;
  if (std::holds_alternative<LaunchKernel>(node.body)) node_ordinal_ = next_ordinal_++;
}

std::uint64_t LaunchCursor::ordinal_of(std::uint64_t record) const {
  const std::uint64_t ordinal =
      node_of(record) != nullptr ? node_ordinal_ : context_.launch_ordinal(record);
  CHECK(ordinal != 0);
  return ordinal;
}

}  // namespace compass::gate
