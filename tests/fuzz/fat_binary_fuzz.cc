// SPDX-License-Identifier: MIT
//
// Any bytes as a fat binary: entries lie inside it, or inside what it unfolds to.
#include "ir/base/check.h"
#include "ir/code_object/fat_binary.h"
#include "tests/fuzz/input.h"

namespace compass {
namespace {

bool is_inside(ByteView part, ByteView whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

}  // namespace
}  // namespace compass

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace compass;
  const ByteView bytes = fuzz::view_of(data, size);
  Bytes decompressed;
  const auto entries = read_fat_binary(bytes, decompressed);
  if (!entries) return 0;
  for (const FatBinaryEntry& entry : *entries) {
    CHECK(is_inside(entry.elf, decompressed.empty() ? bytes : ByteView(decompressed)));
  }
  for (const char* target : {"gfx942:sramecc+:xnack-", "gfx950:sramecc+:xnack-", "gfx90a"}) {
    static_cast<void>(select_entry(*entries, target).has_value());
  }
  return 0;
}
