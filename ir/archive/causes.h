// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ir/base/concat.h"

namespace compass::archive {

/// Why a recording is incomplete: each cause once, the first few by name.
class Causes {
 public:
  void add(std::string cause) {
    if (std::find(named_.begin(), named_.end(), cause) != named_.end()) return;
    if (named_.size() < kMaxNamed) {
      named_.push_back(std::move(cause));
    } else {
      ++others_;
    }
  }
  bool empty() const { return named_.empty(); }
  std::string text() const {
    std::string all;
    for (const std::string& cause : named_) all += concat(all.empty() ? "" : "; ", cause);
    return others_ == 0 ? all : concat(all, "; and ", others_, " more");
  }

 private:
  static constexpr std::size_t kMaxNamed = 8;
  std::vector<std::string> named_;
  std::uint64_t others_ = 0;
};

}  // namespace compass::archive
