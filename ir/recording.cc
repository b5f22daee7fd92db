// SPDX-License-Identifier: MIT
#include "ir/recording.h"

namespace compass {

Launch Recording::launch_of(const LaunchKernel& body) const {
  Launch asked = launch(body.launch);
  if (body.offsets.empty()) return asked;
  std::size_t pointer = 0;
  for (LaunchArgument& argument : asked.arguments) {
    if (argument.is_pointer) argument.memory.offset_bytes = body.offsets.at(pointer++);
  }
  return asked;
}

}  // namespace compass
