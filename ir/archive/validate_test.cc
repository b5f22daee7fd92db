// SPDX-License-Identifier: MIT
#include "ir/archive/validate.h"

#include <gtest/gtest.h>

#include "ir/archive/sample_recording.h"

namespace compass::archive {
namespace {

TEST(Validate, RefusesBlocksThatAreNone) {
  const auto error_of = [](const auto& change) {
    Recording recording = sample_recording();
    change(recording);
    const auto valid = validate(recording);
    return valid ? std::string("valid") : valid.error().message;
  };
  using R = Recording&;
  EXPECT_EQ(error_of([](R r) { r.allocations[3].parent = {4}; }),
            "allocation 4: is a block of allocation 4");
  EXPECT_EQ(error_of([](R r) { r.allocations[0].parent = {9}; }),
            "allocation 1: is a block of allocation 9");
  const std::string apart = "allocation 4: is a block of allocation 1, where it does not lie";
  EXPECT_EQ(error_of([](R r) { r.allocations[3].size_bytes = 0x2'0000; }), apart);
  EXPECT_EQ(error_of([](R r) { r.allocations[3].address.value = ~0ull; }), apart);
  EXPECT_EQ(error_of([](R r) { r.allocations[3].address.value -= 0x201; }), apart);
  EXPECT_EQ(error_of([](R r) { r.allocations[3].kind = AllocationKind::kManaged; }), apart);
  EXPECT_EQ(error_of([](R r) { r.records[2].body = Allocate{{4}}; }),
            "record 3: names allocation 4, which is a block");
  EXPECT_EQ(error_of([](R r) { r.records[43].body = Free{{4}}; }),
            "record 44: names allocation 4, which is a block");
  EXPECT_EQ(error_of([](R r) { r.records[43].body = FreeBlock{{1}}; }),
            "record 44: names allocation 1, which is no block");
  EXPECT_EQ(error_of([](R r) { r.records[37].body = AllocateBlock{{5}}; }),
            "record 38: names allocation 5, there are 4");
  EXPECT_EQ(error_of([](R r) {
              r.records[38].body = DeclarePool{{{4}, 513}, "", "", "", 0, 0, {}};
            }),
            "record 39: names offset 513 of allocation 4, which holds 512 bytes");
}

}  // namespace
}  // namespace compass::archive
