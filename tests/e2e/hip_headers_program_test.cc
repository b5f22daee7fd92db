// SPDX-License-Identifier: MIT

// A program that is built with AMD's headers of HIP 5.2 and linked with AMD's library, and runs on
// ours. What the project says of HIP's interface is compared with what the headers say.

#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>
#include <link.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "driverless/runtime/legacy_device_properties.h"

namespace compass {
namespace {

using Legacy = LegacyDeviceProperties;

static_assert(sizeof(Legacy) == sizeof(hipDeviceProp_t));
static_assert(offsetof(Legacy, total_global_memory_bytes) ==
              offsetof(hipDeviceProp_t, totalGlobalMem));
static_assert(offsetof(Legacy, wavefront_size) == offsetof(hipDeviceProp_t, warpSize));
static_assert(offsetof(Legacy, max_grid_dimensions) == offsetof(hipDeviceProp_t, maxGridSize));
static_assert(offsetof(Legacy, memory_clock_khz) == offsetof(hipDeviceProp_t, memoryClockRate));
static_assert(offsetof(Legacy, compute_units) == offsetof(hipDeviceProp_t, multiProcessorCount));
static_assert(offsetof(Legacy, architecture_features) == offsetof(hipDeviceProp_t, arch));
static_assert(offsetof(Legacy, pci_bus) == offsetof(hipDeviceProp_t, pciBusID));
static_assert(offsetof(Legacy, gcn_arch) == offsetof(hipDeviceProp_t, gcnArch));
static_assert(offsetof(Legacy, gcn_arch_name) == offsetof(hipDeviceProp_t, gcnArchName));
static_assert(offsetof(Legacy, memory_pitch_bytes) == offsetof(hipDeviceProp_t, memPitch));
static_assert(offsetof(Legacy, ecc_enabled) == offsetof(hipDeviceProp_t, ECCEnabled));
static_assert(offsetof(Legacy, large_bar) == offsetof(hipDeviceProp_t, isLargeBar));
static_assert(offsetof(Legacy, page_tables_of_host) ==
              offsetof(hipDeviceProp_t, pageableMemoryAccessUsesHostPageTables));

/// The file of a HIP runtime that this process has loaded.
std::string loaded_runtime() {
  std::string path;
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        const std::string_view name = library->dlpi_name;
        if (name.find("libamdhip64") != std::string_view::npos) {
          *static_cast<std::string*>(found) = name;
        }
        return 0;
      },
      &path);
  return path;
}

TEST(HeadersProgram, RunsOnOurLibraryForHip5) {
  EXPECT_TRUE(loaded_runtime().ends_with("/driverless/runtime/libamdhip64.so.5"))
      << loaded_runtime();
  int version = 0;
  EXPECT_EQ(hipRuntimeGetVersion(&version), hipSuccess);
  EXPECT_EQ(version / 10'000'000, 5);
}

TEST(HeadersProgram, ReadsPropertiesInTheOldLayout) {
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  EXPECT_STREQ(properties.name, "AMD Instinct MI355X");
  EXPECT_STREQ(properties.gcnArchName, "gfx950:sramecc+:xnack-");
  EXPECT_EQ(properties.gcnArch, 950);
  EXPECT_EQ(properties.warpSize, 64);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.multiProcessorCount, 256);
  EXPECT_EQ(properties.totalGlobalMem, std::size_t{288} << 30);
  EXPECT_EQ(properties.arch.hasDoubles, 1u);
  EXPECT_EQ(properties.arch.hasFunnelShift, 0u);
  EXPECT_EQ(properties.arch.hasDynamicParallelism, 0u);
  EXPECT_EQ(properties.isLargeBar, 1);
  int units = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0), hipSuccess);
  EXPECT_EQ(units, properties.multiProcessorCount);
}

TEST(HeadersProgram, MovesMemory) {
  unsigned words[64] = {};
  unsigned* device = nullptr;
  ASSERT_EQ(hipMalloc(&device, sizeof words), hipSuccess);
  EXPECT_EQ(hipMemset(device, 0x11, sizeof words), hipSuccess);
  EXPECT_EQ(hipMemcpy(words, device, sizeof words, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(words[63], 0x11111111u);
  EXPECT_EQ(hipFree(device), hipSuccess);
  EXPECT_EQ(hipFree(device), hipErrorInvalidValue);
}

TEST(HeadersProgram, LosesTheLastErrorAtTheNextCall) {
  EXPECT_EQ(hipSetDevice(5), hipErrorInvalidDevice);
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(0), hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

}  // namespace
}  // namespace compass
