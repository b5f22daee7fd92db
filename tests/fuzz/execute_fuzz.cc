// SPDX-License-Identifier: MIT
//
// Any bytes as the code of a kernel, run to its end or to a stop. The first four bytes choose the
// processor, the registers and the launch; the rest is code.
#include <vector>

#include "driverless/decode/decoder.h"
#include "driverless/interp/launch.h"
#include "ir/base/check.h"
#include "tests/fuzz/input.h"

namespace compass {
namespace {

constexpr DeviceAddress kData{0x1000'0000};
constexpr DeviceAddress kReadOnly{0x2000'0000};

/// Memory whose every byte is on the heap alone, so that a sanitizer sees what leaves it.
class Surroundings {
 public:
  Surroundings() : data_(1024, std::byte{0x11}), read_only_(64, std::byte{0x22}) {
    map(kData, data_, AllocationId{1}, true);
    map(kReadOnly, read_only_, AllocationId{}, false);
  }
  Memory& memory() { return memory_; }

 private:
  void map(DeviceAddress base, Bytes& bytes, AllocationId id, bool writable) {
    CHECK(memory_
              .map({.base = base,
                    .size_bytes = bytes.size(),
                    .host = bytes.data(),
                    .id = id,
                    .writable = writable})
              .has_value());
  }

  Bytes data_, read_only_;
  Memory memory_;
};

/// Addresses, a buffer descriptor and small numbers: what real code finds there.
std::vector<std::uint32_t> user_sgprs() {
  return {static_cast<std::uint32_t>(kData.value),
          0,
          static_cast<std::uint32_t>(kReadOnly.value),
          0,
          static_cast<std::uint32_t>(kData.value),
          0,
          1024,
          0x27000,
          static_cast<std::uint32_t>(kData.value + 512),
          0,
          7,
          0x80000000,
          ~0u};
}

void run(const std::uint8_t* choice, ByteView code) {
  static decode::Decoder gfx942(COMPASS_DECODER, "gfx942");
  static decode::Decoder gfx950(COMPASS_DECODER, "gfx950");
  const bool is_gfx950 = choice[0] % 2 == 0;
  auto listing = (is_gfx950 ? gfx950 : gfx942).decode(code, 0);
  CHECK(listing.has_value());
  const unsigned vgprs = (choice[1] % 64 + 1u) * 8;
  const unsigned accum_offset = std::min(vgprs, (choice[2] % 64 + 1u) * 4);
  const interp::Program program(*std::move(listing),
                                {.target = is_gfx950 ? isa::GFX950 : isa::GFX942,
                                 .architecture = is_gfx950 ? "gfx950" : "gfx942",
                                 .entry_address = 0x6000'0000'0000,
                                 .vgpr_count = vgprs,
                                 .accum_offset = accum_offset});
  const bool has_second_wave = (choice[3] & 1) != 0;
  const interp::LaunchSetup setup{.program = &program,
                                  .grid_workgroups = {(choice[3] & 2) != 0 ? 2u : 1u, 1, 1},
                                  .workgroup_workitems = {has_second_wave        ? 65u
                                                          : (choice[3] & 4) != 0 ? 64u
                                                                                 : 3u,
                                                          1, 1},
                                  .lds_bytes = (choice[3] & 8) != 0 ? 256u : 0u,
                                  .scratch_bytes = (choice[3] & 16) != 0 ? 64u : 0u,
                                  .vgpr_count = vgprs,
                                  .user_sgprs = user_sgprs(),
                                  .has_workgroup_id = {true, true, true},
                                  .resident_workgroups = 2,
                                  .step_budget = 1024};
  Surroundings surroundings;
  Observer observer;
  interp::SpareWorkgroup spare;
  interp::run_launch(setup, surroundings.memory(), observer, spare);
  surroundings.memory().end_launch(1, [](const Region&, const TouchedExtents&) {});
}

}  // namespace
}  // namespace compass

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kChoiceBytes = 4;
  // Long code adds no new state, only time.
  if (size < kChoiceBytes || size > 4096) return 0;
  compass::run(data, compass::fuzz::view_of(data + kChoiceBytes, size - kChoiceBytes));
  return 0;
}
