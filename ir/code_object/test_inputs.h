// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "ir/base/bytes.h"

namespace compass {

/// The file that the environment variable names, followed by `rest`. For tests only.
inline Bytes read_test_input(const char* variable, const std::string& rest = {}) {
  const char* path = std::getenv(variable);
  if (path == nullptr) {
    ADD_FAILURE() << variable << " is not set: run the test through meson";
    return {};
  }
  std::ifstream file(path + rest, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(text.empty()) << path << rest;
  const ByteView view = as_byte_view(text);
  return {view.begin(), view.end()};
}

inline Bytes vector_add() {
  return read_test_input("COMPASS_FIXTURE_KERNELS", "/vector_add/gfx950.hsaco");
}
inline Bytes two_kernels() { return read_test_input("COMPASS_TWO_KERNELS_GFX950"); }
inline Bytes two_kernels_gfx942() { return read_test_input("COMPASS_TWO_KERNELS_GFX942"); }

}  // namespace compass
