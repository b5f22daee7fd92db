// SPDX-License-Identifier: MIT
#include "ir/journal/graphs.h"

#include <functional>
#include <queue>

namespace compass::journal {

std::vector<std::size_t> sorted_places(const std::vector<GraphNode>& nodes) {
  std::vector<std::size_t> missing(nodes.size());  // by place: nodes that must come before it
  std::vector<std::vector<std::size_t>> next_of(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::uint32_t before : nodes[i].after) {
      if (before >= nodes.size()) continue;
      next_of[before].push_back(i);
      ++missing[i];
    }
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const std::size_t next : next_of[order.back()]) {
      if (--missing[next] == 0) ready.push(next);
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (missing[i] != 0) order.push_back(i);
  }
  return order;
}

}  // namespace compass::journal
