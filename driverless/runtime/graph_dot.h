// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driverless/runtime/graph_template.h"

namespace compass {

/// Writes the graph in the DOT language, with the graphs of its child nodes as clusters. False if
/// the file cannot be written.
bool write_dot(const GraphTemplate& graph, const std::string& path);

}  // namespace compass
