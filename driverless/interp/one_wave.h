// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "driverless/interp/program.h"
#include "driverless/machine/workgroup.h"

/// For tests: one wavefront with every lane on, and instructions from their text.
namespace compass::interp {

class OneWave {
 public:
  static constexpr unsigned kVgprs = 16;

  explicit OneWave(isa::Target target = isa::GFX950) : target_(target) {
    group_.allocate_registers(1, kVgprs);
    for (unsigned n = 0; n < kVgprs; ++n) std::fill_n(wave().vgpr[n], kLanes, 0u);
    wave().workgroup = &group_;
    wave().set_sgpr64(kExecLo, ~std::uint64_t{0});
  }

  Wavefront& wave() { return group_.waves[0]; }
  LaneRow& vgpr(unsigned n) { return wave().vgpr[n]; }
  void set_all(unsigned n, std::uint32_t value) { std::fill_n(vgpr(n), kLanes, value); }
  /// Each lane's own number.
  void set_lanes(unsigned n) {
    for (unsigned lane = 0; lane < kLanes; ++lane) vgpr(n)[lane] = lane;
  }

  /// Runs instructions in LLVM's syntax. False, and `cause()`, if one stops the wavefront.
  bool run(std::initializer_list<std::string> texts) {
    decode::Listing listing;
    std::uint64_t pc = 0;
    for (const std::string& text : texts) {
      auto parsed = decode::parse_instruction(pc, 4, text);
      EXPECT_TRUE(parsed) << text;
      if (!parsed) return false;
      listing.instructions.emplace(pc, *std::move(parsed));
      pc += 4;
    }
    program_ =
        std::make_unique<Program>(std::move(listing), BindContext{.target = target_,
                                                                  .architecture = "test",
                                                                  .vgpr_count = kVgprs,
                                                                  .accum_offset = kVgprs / 2});
    for (std::size_t n = 0; n < texts.size(); ++n) {
      const Op& op = program_->ops()[n];
      op.run(wave(), op);
      if (wave().status != WaveStatus::kReady) {
        cause_ = op.cause != nullptr ? op.cause : "";
        return false;
      }
    }
    return true;
  }
  bool run(const std::string& text) { return run({text}); }
  const std::string& cause() const { return cause_; }

 private:
  isa::Target target_;
  Workgroup group_;
  std::unique_ptr<Program> program_;
  std::string cause_;
};

}  // namespace compass::interp
