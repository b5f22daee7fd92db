// SPDX-License-Identifier: MIT
//
// Any bytes as code. The first byte chooses the processor.
#include "driverless/decode/decoder.h"
#include "ir/base/check.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace compass;
  if (size == 0) return 0;
  static decode::Decoder gfx942(COMPASS_DECODER, "gfx942");
  static decode::Decoder gfx950(COMPASS_DECODER, "gfx950");
  const ByteView code = fuzz::view_of(data + 1, size - 1);
  const auto listing = (data[0] % 2 == 0 ? gfx950 : gfx942).decode(code, 0);
  CHECK(listing.has_value());
  for (const auto& [pc, instruction] : listing->instructions) {
    CHECK(pc == instruction.pc && pc + instruction.size_bytes <= code.size());
    CHECK(!instruction.mnemonic.empty());
  }
  CHECK(!listing->instructions.empty() || !listing->undecodable.empty());
  return 0;
}
