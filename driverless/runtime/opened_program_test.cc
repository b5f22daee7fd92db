// SPDX-License-Identifier: MIT

// A program that opens HIP's runtime with dlopen, under the audit library: every name and every
// path of AMD's library leads to ours.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <string>

namespace {

/// The file that `library` was loaded from.
std::string origin_of(void* library) {
  const link_map* map = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return {};
  return map->l_name;
}

class OpenedProgram : public testing::TestWithParam<const char*> {};

TEST_P(OpenedProgram, GetsTheDriverlessRuntime) {
  void* const library = ::dlopen(GetParam(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  EXPECT_TRUE(origin_of(library).ends_with("/driverless/runtime/libamdhip64.so.7"))
      << origin_of(library);
  const auto count_devices = reinterpret_cast<int (*)(int*)>(::dlsym(library, "hipGetDeviceCount"));
  ASSERT_NE(count_devices, nullptr);
  int count = 0;
  EXPECT_EQ(count_devices(&count), 0);
  EXPECT_EQ(count, 1);
  EXPECT_NE(::dlvsym(library, "hipGetDevicePropertiesR0600", "hip_6.0"), nullptr);
  EXPECT_NE(::dlsym(library, "hipGraphLaunch"), nullptr) << "names that are not implemented, too";
  EXPECT_EQ(::dlclose(library), 0);
}

INSTANTIATE_TEST_SUITE_P(Names, OpenedProgram,
                         testing::Values("libamdhip64.so", "libamdhip64.so.7",
                                         "/nonexistent/rocm/lib/libamdhip64.so",
                                         "/opt/rocm-7.0.0/lib/libamdhip64.so.7",
                                         "./libamdhip64.so"));

TEST(OpenedProgram, LeavesOtherNamesAlone) {
  EXPECT_EQ(::dlopen("/nonexistent/libamdhip64.so.7.extra", RTLD_NOW), nullptr);
  EXPECT_EQ(::dlopen("libamdhip64.so.6", RTLD_NOW), nullptr) << "HIP 6's interface";
  void* const math = ::dlopen("libm.so.6", RTLD_NOW);
  EXPECT_NE(math, nullptr);
  EXPECT_EQ(::dlclose(math), 0);
}

}  // namespace
