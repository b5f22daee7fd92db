// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "driverless/agent.h"
#include "ir/code_object/test_inputs.h"

namespace compass {
namespace {

constexpr DeviceAddress kOut{0x1'0000};

class Log : public Observer {
 public:
  void on_fault(const Fault&) override { ++faults; }
  void on_stopped(std::uint64_t, const std::string& cause) override { stopped = cause; }
  int faults = 0;
  std::string stopped;
};

/// What add_prime(out, 3) of globals.c writes, run once for each of `runs`.
std::array<std::uint32_t, 11> run_add_prime(const char* processor, const std::string& build,
                                            int runs) {
  Agent agent(*arch::find(processor), COMPASS_DECODER);
  std::array<std::uint32_t, 11> out{};
  EXPECT_TRUE(agent.memory().map({.base = kOut,
                                  .size_bytes = sizeof out,
                                  .host = reinterpret_cast<std::byte*>(out.data()),
                                  .id = AllocationId{1}}));
  const Bytes elf = read_test_input("COMPASS_GLOBALS", build + ".co");
  const auto loaded = agent.load(elf);
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) return out;
  struct {
    std::uint64_t out = kOut.value;
    std::uint32_t first = 3;
  } arguments;
  Log log;
  for (int run = 0; run < runs; ++run) {
    const auto finished =
        agent.dispatch({.kernel = Agent::find_kernel(**loaded, "add_prime"),
                        .grid_workgroups = {1, 2, 1},
                        .workgroup_workitems = {8, 1, 1},
                        .explicit_kernarg = std::as_bytes(std::span(&arguments, 1)).first(12)},
                       log);
    EXPECT_TRUE(finished && *finished) << log.stopped;
  }
  EXPECT_EQ(log.faults, 0);
  return out;
}

TEST(ModuleGlobals, AreReadAndWrittenInEveryCodeObjectVersion) {
  for (const char* processor : {"gfx942", "gfx950"}) {
    for (const char* version : {"v4", "v5", "v6"}) {
      SCOPED_TRACE(concat(processor, " ", version));
      const auto out = run_add_prime(processor, concat(version, "_", processor), 2);
      EXPECT_EQ(out[0], 7u) << "the fourth prime";
      EXPECT_EQ(out[7], 5u) << "the table wraps";
      EXPECT_EQ(out[8], 5u + 4 * 7) << "the variable keeps its value between launches";
      EXPECT_EQ(out[9], 8u) << "work-items of a workgroup";
      EXPECT_EQ(out[10], 8u) << "work-items along x";
    }
  }
}

TEST(ModuleGlobals, WorkInCodeForAGenericTarget) {
  for (const char* processor : {"gfx942", "gfx950"}) {
    EXPECT_EQ(run_add_prime(processor, "v6_gfx9-4-generic", 1)[8], 5u + 2 * 7) << processor;
  }
}

}  // namespace
}  // namespace compass
