// SPDX-License-Identifier: MIT
#include "ir/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace compass::internal {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "compass-capture: internal error: %s does not hold (%s:%d)\n", condition,
               file, line);
  std::abort();
}

}  // namespace compass::internal
