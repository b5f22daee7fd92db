// SPDX-License-Identifier: MIT
#include "ir/kernel.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

TEST(Demangle, ReadsMangledFunctions) {
  EXPECT_EQ(demangle("_Z4axpyPffi"), "axpy(float*, float, int)");
}

TEST(Demangle, LeavesPlainNamesAlone) {
  EXPECT_EQ(demangle("f"), "f");
  EXPECT_EQ(demangle("rms_norm"), "rms_norm");
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangle(""), "");
}

TEST(Demangle, KeepsANameThatWouldGrowWithoutBound) {
  // pair<int, int>, then pairs of the pair before: each is twice as long.
  std::string name = "_Z1f1PIiiES_IS0_S0_E";
  EXPECT_EQ(demangle(name), "f(P<int, int>, P<P<int, int>, P<int, int> >)");
  for (const char each : std::string("123456789ABCDEFGHIJKLMNOPQRSTUVWXY")) {
    name += std::string("S_IS") + each + "_S" + each + "_E";
  }
  EXPECT_EQ(demangle(name), name);
  EXPECT_EQ(demangle("_Z1fv"), "f()") << "and goes on";
  EXPECT_EQ(demangle("_Z" + std::string(1 << 20, 'P')).size(), (1u << 20) + 2);
}

TEST(CanonicalKernelName, DropsWhatARebuildChanges) {
  EXPECT_EQ(canonical_kernel_name("_Z4axpyPffi.intern.0f1e2d"), "axpy(float*, float, int)");
  EXPECT_EQ(canonical_kernel_name("_Z4axpyPffi.static.77"), "axpy(float*, float, int)");
  EXPECT_EQ(canonical_kernel_name("axpy(float*) [clone .intern.0f1e2d]"), "axpy(float*)");
  EXPECT_EQ(canonical_kernel_name("plain.intern.9"), "plain");
}

TEST(CanonicalKernelName, DropsLambdaOrdinals) {
  EXPECT_EQ(canonical_kernel_name("run<main::{lambda(int)#2}>(int)"),
            "run<main::{lambda(int)}>(int)");
  EXPECT_EQ(canonical_kernel_name("f(int)#2"), "f(int)#2");
}

}  // namespace
}  // namespace compass
