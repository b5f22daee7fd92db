// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

#include "ir/archive/resolve.h"
#include "ir/archive/validate.h"
#include "ir/code_object/test_inputs.h"

namespace compass::archive {

/// A journal under construction. Every entry is the first thread's, unless said otherwise.
class ResolveTest : public testing::Test {
 protected:
  void add(journal::Body body, std::uint32_t thread = 1) {
    journal_.entries.push_back({thread, std::move(body)});
  }
  /// An entry that says what a node does; its number.
  std::uint64_t add_captured(journal::Body body) {
    journal_.entries.push_back({1, std::move(body), true});
    return journal_.entries.size();
  }
  void add_failed(journal::Body body) {
    add(std::move(body));
    add(journal::Failed{journal_.entries.size(), 1});
  }
  /// The number that the next entry gets.
  std::uint64_t next_entry() const { return journal_.entries.size() + 1; }
  void add_device() {
    add(journal::Start{7, 1, 0, "decoder"});
    add(journal::DeviceSeen{0, "gfx950:sramecc+:xnack-", "AMD Instinct MI355X", true});
  }
  /// Kernels "scale" (host function 0x51) and "reverse" (0x52), of the fat binary `handle`.
  void add_code(std::uint64_t handle = 0xfb) {
    add(journal::FatBinary{handle, two_kernels()});
    add(journal::Function{handle, 0x51, "scale"});
    add(journal::Function{handle, 0x52, "reverse"});
  }
  void allocate(std::uint64_t address, std::uint64_t size,
                journal::MemoryKind kind = journal::MemoryKind::kDevice) {
    add(journal::Allocate{kind, address, size});
  }
  void launch_scale(std::uint64_t address, std::uint64_t stream = 0) {
    journal::Launch launch{0x51, stream, {3, 1, 1}, {64, 1, 1}, 0, Bytes(16)};
    std::memcpy(launch.kernarg.data(), &address, sizeof address);
    launch.kernarg[8] = std::byte{2};
    launch.kernarg[12] = std::byte{5};
    add(launch);
  }
  Recording resolved() {
    resolved_ = resolve(journal_);
    const auto valid = validate(resolved_.recording);
    EXPECT_TRUE(valid) << valid.error().message;
    return resolved_.recording;
  }
  /// The kinds of the records, in their order.
  std::string kinds() {
    std::string all;
    for (const Record& record : resolved().records) {
      all += concat(all.empty() ? "" : " ", kind_of(record));
    }
    return all;
  }
  template <class Body>
  Body body(std::size_t record) {
    const Recording recording = resolved();
    EXPECT_LT(record, recording.records.size());
    const Body* found = std::get_if<Body>(&recording.records.at(record).body);
    EXPECT_NE(found, nullptr) << kind_of(recording.records.at(record));
    return found == nullptr ? Body{} : *found;
  }

  journal::Contents journal_;
  Resolved resolved_;
};

}  // namespace compass::archive
